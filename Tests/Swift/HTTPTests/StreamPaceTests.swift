import Testing

@testable import HTTP
@testable import Platform

/// The turns of streamed bodies at a rate of 32 KiB, one usual part, per millisecond.
@Suite struct StreamPaceTests {
    private static let millisecond = 1_000_000
    private static let part = StreamPace<String>.usualPart

    private static func network(_ number: UInt8) -> ClientNetwork { ClientNetwork(addressBytes: [10, 0, 0, number]) }

    /// Turns whose allowance is used up at 0: after a pause a hundred milliseconds are made up for.
    private static func exhausted() -> StreamPace<String> {
        let turns = StreamPace<String>(rate: part * 1000)
        for _ in 0..<101 {
            #expect(turns.take("at once", of: nil, now: 0))
            turns.correct(size: part, now: 0)
        }
        return turns
    }

    /// What is taken until a time, each of them a part of a size.
    private static func taken(from turns: StreamPace<String>, until end: Int, size: Int = part) -> [String] {
        var taken: [String] = []
        while turns.next <= end {
            let now = turns.next
            guard let element = turns.popFirst(now: now) else { continue }
            turns.correct(size: size, now: now)
            taken.append(element)
        }
        return taken
    }

    private static func wait(_ element: String, of network: ClientNetwork?, for turns: StreamPace<String>) {
        #expect(!turns.take(element, of: network, now: 0))
    }

    @Test(arguments: [(part, 1000), (4 * part, 250), (part / 2, 2000)])
    func aSecondIsWorthTheRateWhateverTheSizeOfParts(size: Int, count: Int) {
        let turns = Self.exhausted()
        for number in 0..<3000 { Self.wait("\(number)", of: Self.network(1), for: turns) }
        let taken = Self.taken(from: turns, until: 1000 * Self.millisecond, size: size).count
        #expect(abs(taken - count) <= 2)
    }

    @Test func aTurnWithoutAPartCostsNothing() {
        let turns = Self.exhausted()
        for number in 0..<100 { Self.wait("\(number)", of: Self.network(1), for: turns) }
        let end = 100 * Self.millisecond
        #expect(Self.taken(from: turns, until: end, size: 0).count == 100)
        #expect(turns.next == .max)
        for _ in 0..<100 { #expect(turns.take("at once", of: nil, now: end)) }
    }

    @Test func networksTakeTurns() {
        let turns = Self.exhausted()
        for number in 0..<1000 {
            Self.wait("many", of: Self.network(1), for: turns)
            if number == 500 { Self.wait("one", of: nil, for: turns) }
        }
        Self.wait("two", of: Self.network(2), for: turns)
        Self.wait("two", of: Self.network(2), for: turns)
        let taken = Self.taken(from: turns, until: 6 * Self.millisecond)
        #expect(taken == ["many", "one", "two", "many", "two", "many"])
    }

    @Test func nobodyOvertakesThoseWhoWait() {
        let turns = Self.exhausted()
        Self.wait("first", of: Self.network(1), for: turns)
        let now = 1000 * Self.millisecond
        #expect(!turns.take("second", of: Self.network(2), now: now))
        #expect(turns.popFirst(now: now) == "first" && turns.popFirst(now: now) == "second")
        #expect(turns.take("third", of: nil, now: now))
    }
}
