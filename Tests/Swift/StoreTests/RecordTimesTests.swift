import Bytes
import SookeModel
import Synchronization
import Testing

@testable import Store

/// The times of records from the log and from snapshots, and the before-images of changes.
@Suite struct RecordTimesTests {
    private let folder = TemporaryFolder()
    private let clock = Clock()

    private final class Clock: Sendable {
        let seconds = Mutex(0)
        var now: Timestamp { seconds.withLock { Timestamp(clampingSeconds: $0) } }
        func set(_ value: Int) { seconds.withLock { $0 = value } }
    }

    private func open() throws -> Store {
        let clock = clock
        return try Store.open(folder.path, options: StoreOptions(now: { clock.now }, onFailure: { _ in })).store
    }

    private func times(_ store: Store) -> [RecordTimes?] {
        let town = store.current.town
        return [
            town.categories[1]?.value.times, town.eventTypes[1]?.value.times, town.people[1]?.times,
            town.businesses[1]?.times, town.businesses[2]?.times, town.businesses[1]?.value.times,
            town.events[1]?.value.times,
        ]
    }

    private func fill(_ store: Store) async throws {
        _ = try await store.write(by: .local) { transaction in
            try transaction.create(TransactionTown.patch(SookeModel.Category.self, #"{"name":"Bars"}"#))
            try transaction.create(TransactionTown.patch(EventType.self, #"{"name":"Music"}"#))
            try transaction.create(TransactionTown.patch(Person.self, #"{"email":"ada@town.example"}"#))
            for name in ["Pub", "Inn"] {
                try transaction.create(
                    TransactionTown.patch(
                        Business.self,
                        #"{"name":"\#(name)","category":"bars","address":"1 A","latitude":48,"longitude":-123}"#))
            }
            try transaction.create(
                TransactionTown.patch(
                    Event.self,
                    #"{"name":"Gig","event_type":"music","business":"pub","starts_at":"2035-01-01T00:00:00Z"}"#))
        }
    }

    @Test func theyAreThoseOfTheCommits() async throws {
        var store = try open()
        clock.set(100)
        try await fill(store)
        #expect(times(store).allSatisfy { $0 == RecordTimes(createdAt: Timestamp(clampingSeconds: 100)) })

        clock.set(200)
        _ = try await store.write(by: .local) { transaction in
            try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"1"}"#))
            try transaction.update(1, TransactionTown.patch(Person.self, #"{"display_name":"Ada"}"#))
        }
        // The clock was set back: the times of records are those that it showed; the order is that of the commits.
        clock.set(150)
        _ = try await store.write(by: .local) { transaction in
            try transaction.update(1, TransactionTown.patch(Business.self, #"{"slug":"the-pub"}"#))
        }
        let (first, later) = (Timestamp(clampingSeconds: 100), Timestamp(clampingSeconds: 200))
        let same = RecordTimes(createdAt: first)
        let (person, changed) = (same.changed(at: later), same.changed(at: Timestamp(clampingSeconds: 150)))
        let expected = [same, same, person, changed, same, changed, changed]
        #expect(store.current.time == CommitTime(at: later, wall: Timestamp(clampingSeconds: 150)))
        #expect(times(store) == expected)

        // First from the log, then from the snapshot.
        for _ in 1...2 {
            try await store.snapshot()
            try await store.close()
            store = try open()
            #expect(times(store) == expected)
            #expect(store.current.time.clock == Timestamp(clampingSeconds: 150))
        }
        var export = ""
        store.current.town.writeDocument { export += String(decoding: $0, as: UTF8.self) }
        #expect(!export.contains("created_at") && !export.contains("updated_at"))
        try await store.close()
    }

    @Test func theLogSaysWhatWasBefore() async throws {
        let store = try open()
        try await fill(store)
        _ = try await store.write(by: .local) { transaction in
            try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"1","name":"Bar"}"#))
            try transaction.deleteEvent(1)
            transaction.put(PasswordRecord(of: 1, hash: "first", setAt: Timestamp.epoch))
        }
        _ = try await store.write(by: .local) { transaction in
            transaction.put(PasswordRecord(of: 1, hash: "second", setAt: Timestamp.epoch))
            transaction.deletePassword(of: 1)
        }
        let log = String(decoding: try folder.contents(of: "wal-00000000000000000001.log"), as: UTF8.self)
        let lines = log.split(separator: "\n").filter { $0.contains(#"{"seq":"#) }
        #expect(!lines[0].contains(#""was""#))
        #expect(lines[1].contains(#","was":{"name":"Pub","phone":null}},"#))
        #expect(lines[1].contains(#"{"deleted":"event","id":1,"was":{"id":1,"event_type":"music","#))
        #expect(lines[2].contains("second") && !lines[2].contains("first") && !lines[2].contains(#""was""#))
        try await store.close()
    }
}
