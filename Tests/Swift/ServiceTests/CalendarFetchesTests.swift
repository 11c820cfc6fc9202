import Bytes
import SookeModel
import Store
import Testing

@testable import Service

/// What the answers of calendars may add to the log.
@Suite struct CalendarFetchesTests {
    private let town: ServiceTown

    init() async throws {
        // Of which the calendars may have 12 MiB.
        town = try await ServiceTown(history: 48 << 20)
        for name in ["Library", "Club"] {
            _ = try await town.record(of: .ada) { context in
                town.service.createCalendar(
                    PatchInput {
                        ($0.name, $0.address, $0.eventType) = (name, "https://\(name).example/key.ics", Slug("sports"))
                    }, for: context)
            }
        }
    }

    /// Events that come in this order, each with a name of its own.
    private static func events(_ count: Int, of name: String) -> [PulledEvent] {
        (0..<count).map { number in
            var event = Event()
            (event.name, event.eventType) = ("\(name) \(number)", Slug("sports"))
            event.description = String(repeating: "x", count: 9_500)
            event.startsLocal = LocalTime("2030-03-20T19:00")
            event.startsAt = Timestamp(rfc3339: "2030-03-20T19:00:00-07:00")
            return PulledEvent(key: "\(number)", event: event)
        }
    }

    private func receive(_ events: [PulledEvent]?, for id: Int) async throws {
        var answer = FetchedAnswer(.good)
        answer.etag = "\"1\""
        try await town.service.receive(answer, for: id) { _, _, _, _ in events.map { ($0, []) } }
    }

    private func made(by id: Int) -> Int { town.town.events.of(calendar: id).count }

    /// 8 MiB on the first day, and 2 MiB on each other one; nothing is lost by that.
    @Test func eachDayHasABound() async throws {
        let events = Self.events(700, of: "Talk")
        try await receive(events, for: 1)
        let first = made(by: 1)
        #expect((370..<420).contains(first))
        let said = town.service.fetches.state(of: 1).leftOut
        #expect(said == ["\(700 - first) changes that the log has no room for now: they come on a later day"])
        // So that the same answer is sent again.
        #expect(town.town.calendars[1]?.etag == nil)
        try await receive(events, for: 1)
        #expect(made(by: 1) == first)
        town.clock.advance(bySeconds: 86_400)
        try await receive(events, for: 1)
        #expect((first + 90..<first + 110).contains(made(by: 1)))
        let days = try #require(town.town.calendars[1]?.days.map(\.bytes))
        #expect(days.count == 2 && days[0] <= 8 << 20 && days[1] <= 2 << 20)
    }

    /// All together take at most a quarter of the history.
    @Test func allHaveABound() async throws {
        try await receive(Self.events(420, of: "Talk"), for: 1)
        try await receive(Self.events(420, of: "Walk"), for: 2)
        let (bytes, limit) = town.service.calendarLog(in: town.town)
        #expect(limit == 12 << 20 && (12 << 20) - 40_000..<12 << 20 ~= bytes)
        #expect((180..<215).contains(made(by: 2)))
        // Until the first days are no longer in it.
        town.clock.advance(bySeconds: 30 * 86_400)
        #expect(town.service.calendarLog(in: town.town).bytes == 0)
        try await receive(Self.events(420, of: "Walk"), for: 2)
        #expect((270..<320).contains(made(by: 2)))
    }

    /// Whoever brings it.
    @Test func theSameAnswerAtOnceIsMergedOnce() async throws {
        let (service, events) = (town.service, Self.events(50, of: "Talk"))
        async let first: Void = service.receive(FetchedAnswer(.good), for: 1) { _, _, _, _ in (events, []) }
        async let again: Void = service.receive(FetchedAnswer(.good), for: 1) { _, _, _, _ in (events, []) }
        async let other: Void = service.receive(FetchedAnswer(.good), for: 2) { _, _, _, _ in (events, []) }
        _ = try await (first, again, other)
        #expect(town.town.events.inOrderOfID.count { $0.value.source != nil } == 50)
    }

    @Test func theyAreCounted() async throws {
        try await receive([], for: 1)
        try await receive(nil, for: 1)
        try await town.service.receive(FetchedAnswer(.failed), for: 2) { _, _, _, _ in nil }
        try await town.service.receive(FetchedAnswer(.unchanged), for: 2) { _, _, _, _ in nil }
        #expect(town.service.fetches.counts == [.good: 1, .failed: 2, .unchanged: 1])
    }
}
