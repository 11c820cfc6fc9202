import Bytes
import SookeModel
import Testing

@testable import Store

/// The instants of events under other zone data: the times on the clocks stay.
@Suite struct SettledTimesTests {
    private let folder = TemporaryFolder()

    private func open(_ hours: Int, version: String) throws -> Store {
        let store = try Store.open(folder.path, options: folder.options).store
        let zone = TimeZone(name: "America/Vancouver", fixedOffset: hours * 3600)
        store.zones.set(fallback: .utc, version: version) { $0 == zone.name ? zone : nil }
        return store
    }

    private func fill(_ store: Store) async throws {
        _ = try await store.write(by: .local) { transaction in
            try transaction.upsert(TransactionTown.patch(Settings.self, #"{"time_zone":"America/Vancouver"}"#))
            try transaction.upsert(TransactionTown.patch(EventType.self, #"{"name":"Music"}"#))
            let own = #""event_type":"music","starts_local":"2027-01-09T19:00""#
            for event in ["{\"name\":\"Jam\",\(own)}", "{\"name\":\"Far\",\(own),\"time_zone\":\"Nowhere/Here\"}"] {
                try transaction.upsert(TransactionTown.patch(Event.self, event))
            }
        }
        try await store.settleTimes()
    }

    private func times(_ store: Store) -> [String?] {
        store.current.town.events.inOrderOfID.flatMap { [$0.value.startsLocal?.text, $0.value.startsAt?.rfc3339] }
    }

    private static let (before, after) = (
        ["2027-01-09T19:00", "2027-01-10T03:00:00Z"], ["2027-01-09T19:00", "2027-01-10T02:00:00Z"]
    )

    /// One commit has all that moved; the same data make none. The way back is exact.
    @Test func oneCommitThereAndBack() async throws {
        var store = try open(-8, version: "2025b")
        try await fill(store)
        #expect(times(store) == Self.before + Self.before)
        for (hours, version, expected) in [
            (-7, "2026f", Self.after), (-7, "2026f", Self.after), (-8, "2025b", Self.before),
        ] {
            let sequence = store.current.sequence
            let isSame = times(store) == expected + expected
            try await store.close()
            store = try open(hours, version: version)
            try await store.settleTimes()
            #expect(times(store) == expected + expected)
            #expect(store.current.sequence == sequence + (isSame ? 0 : 1))
            #expect(store.current.town.settings.zoneData == version)
        }
        try await store.close()
    }

    /// A read-only town commits nothing: memory has the new instants, and the commit follows.
    @Test func aReadOnlyTownWaits() async throws {
        let store = try open(-8, version: "2025b")
        try await fill(store)
        let sequence = try await store.makeReadOnly(reason: nil).sequence
        try await store.close()
        let other = try open(-7, version: "2026f")
        try await other.settleTimes()
        #expect(times(other) == Self.after + Self.after && other.current.sequence == sequence)
        #expect(other.problems.unstoredTimes == 2)
        try await other.endReadOnly()
        try await other.settleTimes()
        #expect(other.current.sequence == sequence + 1 && other.problems.unstoredTimes == 0)
        #expect(times(other) == Self.after + Self.after)
        try await other.close()
    }

    /// Another zone of the town moves the instants of what has none of its own, in the commit of the change.
    @Test func theZoneOfTheTown() async throws {
        let store = try Store.open(folder.path, options: folder.options).store
        store.zones.set(fallback: .utc) { TimeZone(name: $0, fixedOffset: $0 == "Asia/Tokyo" ? 9 * 3600 : -8 * 3600) }
        try await fill(store)
        let before = (times(store), store.current.sequence)
        for zone in ["Asia/Tokyo", "America/Vancouver"] {
            _ = try await store.write(by: .local) { transaction in
                try transaction.upsert(TransactionTown.patch(Settings.self, "{\"time_zone\":\"\(zone)\"}"))
            }
        }
        #expect(times(store) == before.0 && store.current.sequence == before.1 + 2)
        let changes = store.current.commits(after: store.current.position(at: before.1) ?? store.current.position)
        #expect(changes?.count == 2)
        try await store.close()
    }
}
