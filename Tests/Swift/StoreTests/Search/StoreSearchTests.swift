import Bytes
import Foundation
import SookeModel
import Testing

@testable import Store

/// A search of a store, before and after another start.
@Suite struct StoreSearchTests {
    private func open(_ folder: TemporaryFolder) throws -> Store {
        try Store.open(folder.path, options: folder.options).store
    }

    private func add(_ count: Int, to store: Store) async throws {
        _ = try await store.write(by: .local) { transaction in
            transaction.putMany(count) { transaction in
                _ = try? transaction.create(
                    TransactionTown.patch(SookeModel.Category.self, #"{"name":"Shops"}"#))
                for number in 1...count {
                    _ = try? transaction.create(
                        TransactionTown.patch(
                            Business.self,
                            #"{"name":"Shop \#(number)","category":"shops","address":"1 A","latitude":48,"longitude":-123}"#
                        ))
                }
            }
        }
    }

    @Test func findsWhatAnImportPut() async throws {
        let folder = TemporaryFolder()
        var store = try open(folder)
        try await add(30, to: store)
        #expect(try store.current.town.names("shop 7") == ["Shop 7"])
        try await store.close()
        store = try open(folder)
        #expect(try store.current.town.names("shop 7") == ["Shop 7"])
        try await store.close()
    }

    @Test(arguments: ["green", "village GREEN", "legion", "band"]) func placesAndOrganizersInWords(query: String) throws
    {
        var town = Town()
        var (type, event) = (EventType(), Event())
        (type.id, type.name, type.slug) = (1, "Music", Slug("music"))
        (event.id, event.name, event.slug, event.eventType) = (1, "Band", Slug("band"), type.slug)
        (event.location, event.organizer, event.status) = ("Village Green", "Sooke Legion", .approved)
        event.startsAt = Timestamp.epoch
        for record in [AnyRecord(type), AnyRecord(event)] { try town.apply(.put(record), at: nil) }
        #expect(try town.eventNames(query) == ["Band"])
    }
}
