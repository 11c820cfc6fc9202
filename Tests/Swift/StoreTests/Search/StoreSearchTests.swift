import Bytes
import Foundation
import SookeModel
import Testing

@testable import Store

/// When the store has the indexes of words.
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

    private func waitUntilSearchable(_ store: Store) async throws {
        for _ in 0..<3_000 where !store.current.town.isSearchable { try await Task.sleep(for: .milliseconds(10)) }
        #expect(store.current.town.isSearchable)
    }

    @Test func aSmallTownIsSearchableAtOnce() async throws {
        let folder = TemporaryFolder()
        var store = try open(folder)
        #expect(store.current.town.isSearchable)
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
        town.buildSearch()
        #expect(try town.eventNames(query) == ["Band"])
    }

    /// Its words are indexed on another thread, and commits meanwhile are found.
    @Test func aLargeTownIsSearchableLater() async throws {
        let folder = TemporaryFolder()
        var store = try open(folder)
        try await add(1_200, to: store)
        #expect(!store.current.town.isSearchable)
        try await store.close()
        store = try open(folder)
        #expect(!store.current.town.isSearchable)
        let sequence = store.current.sequence
        store.keepSearchable()
        for number in 0..<20 {
            _ = try await store.write(by: .local) { transaction in
                try transaction.create(
                    TransactionTown.patch(
                        Business.self,
                        #"{"name":"New \#(number)","category":"shops","address":"1 A","latitude":48,"longitude":-123}"#)
                )
            }
        }
        try await waitUntilSearchable(store)
        #expect(try store.current.town.names("new").count == 20)
        #expect(try store.current.town.names("1199") == ["Shop 1199"])
        #expect(store.current.sequence == sequence + 20)
        let removed = try #require(store.current.town.businesses[Slug("new-3")]?.id)
        _ = try await store.write(by: .local) { try $0.deleteBusiness(removed) }
        #expect(try store.current.town.names("new").count == 19)
        try await store.close()
    }
}
