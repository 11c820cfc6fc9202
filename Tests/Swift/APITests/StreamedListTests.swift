import HTTP
import Store
import Synchronization
import Testing

@testable import API

/// A whole list is sent in parts, for each of which few records are visited, whether they match or not.
@Suite struct StreamedListTests {
    /// Numbers, of which some match.
    private struct Numbers: RecordParts {
        var next = 0
        let count: Int
        let isMatch: @Sendable (Int) -> Bool
        let visited: Visits

        mutating func next(visiting most: Int) -> [Int]? {
            if next == count { return nil }
            let range = next..<min(count, next + most)
            next = range.upperBound
            visited.counts.withLock { $0.append(range.count) }
            return range.filter(isMatch)
        }
    }

    private final class Visits: Sendable {
        let counts = Mutex<[Int]>([])
    }

    private struct Digits: ListText {
        let recordsAtATime = 128
        private var text: [UInt8] = []

        func begin() {}
        mutating func append(_ record: Int) { text.append(UInt8(ascii: "x")) }
        func end() {}

        mutating func take() -> [UInt8] {
            defer { text = [] }
            return text
        }
    }

    @Test(arguments: [1, 7, 100_000]) func fewRecordsAtATime(every: Int) {
        let visits = Visits()
        let numbers = Numbers(count: 5_000, isMatch: { $0 % every == 0 }, visited: visits)
        let list = StreamedList(numbers, as: Digits())
        let woken = Mutex(0)
        var (size, calls) = (0, 0)
        body: while true {
            let before = visits.counts.withLock { $0.reduce(0, +) }
            switch list.next(BodyWakeup { woken.withLock { $0 += 1 } }) {
            case .bytes(let bytes): size += bytes.count
            case .pending: break
            case .end, .failed: break body
            }
            calls += 1
            #expect(visits.counts.withLock { $0.reduce(0, +) } - before <= 128)
        }
        #expect(size == (5_000 + every - 1) / every && calls >= 40)
        // Without bytes the list asks to be called again.
        #expect(woken.withLock { $0 } >= (every > 1_000 ? 38 : 0))
    }
}

/// A tag of a body that is not rendered yet is made of what determines the bytes.
@Suite struct StreamedListTagTests {
    private static let targets: [(target: String, accept: String)] = [
        ("/api/v1/businesses.csv", "*/*"), ("/api/v1/businesses.geojson", "*/*"),
        ("/api/v1/businesses?all=true", "*/*"), ("/api/v1/businesses", "text/csv"), ("/api/v1/events.csv", "*/*"),
        ("/api/v1/events.csv?when=today", "*/*"), ("/api/v1/events.ics", "*/*"), ("/api/v1/events", "text/calendar"),
    ]

    /// More events than a calendar that is sent at once has.
    private func town() async throws -> TestTown {
        try await TestTown { transaction in
            for number in 1...201 {
                let start = #""starts_at":"2035-01-01T00:00:00Z""#
                try transaction.upsert(
                    .event, #"{"name":"Fair \#(number)","event_type":"sports","status":"approved",\#(start)}"#)
            }
        }
    }

    /// The only part of the tag of each target.
    private func tags(_ town: TestTown) async throws -> [String] {
        var tags: [String] = []
        for (target, accept) in Self.targets {
            let tag = try #require(try await town.send(.get, target, [("Accept", accept)]).headers.first("ETag"))
            let again = try await town.send(.get, target, [("Accept", accept), ("If-None-Match", tag)])
            #expect(again.status == .notModified && !tag.contains("."), "\(target)")
            tags.append(tag)
        }
        return tags
    }

    @Test func aRestartSendsNothingAgain() async throws {
        let town = try await town()
        let before = try await tags(town)
        #expect(Set(before).count == before.count)
        #expect(try await tags(town.reopened()) == before)
    }

    @Test(arguments: [("2026f", "1"), ("unknown", "1"), ("2025b", "2")])
    func otherBytesHaveAnotherTag(zoneData: String, build: String) async throws {
        let town = try await town()
        let before = try await tags(town)
        let after = try await tags(town.reopened(zoneData: zoneData, build: build))
        #expect(Set(before).isDisjoint(with: after))
    }

    /// The list of businesses changes with the minute, that of events with the end of one, the calendar with the day.
    @Test(arguments: [(60, [0, 1, 2, 3]), (3_600, [0, 1, 2, 3]), (86_400, [0, 1, 2, 3, 5, 6, 7])])
    func theTimeThatCounts(seconds: Int, changed: [Int]) async throws {
        let town = try await town()
        let before = try await tags(town)
        town.clock.advance(bySeconds: seconds)
        let after = try await tags(town)
        #expect(before.indices.filter { before[$0] != after[$0] } == changed)
    }

    /// A tag of bytes that are there is a digest of them.
    @Test(arguments: ["/api/v1/businesses", "/api/v1/businesses/zeds", "/api/v1/events", "/api/v1/events/regatta"])
    func bytesHaveTheirTag(target: String) async throws {
        var town = try await TestTown.peopled()
        let before = try await town.send(.get, target)
        let tag = try #require(before.headers.first("ETag"))
        town = try await town.reopened(zoneData: "2026f", build: "2")
        #expect(try await town.send(.get, target, [("If-None-Match", tag)]).status == .notModified)
    }
}
