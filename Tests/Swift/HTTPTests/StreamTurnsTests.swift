import Testing

@testable import HTTP
@testable import Platform

/// The turns of streamed bodies at a rate of 32 KiB, one usual part, per millisecond.
@Suite struct StreamTurnsTests {
    private static let millisecond = 1_000_000
    private static let part = StreamTurns<String>.usualPart

    private static func network(_ number: UInt8) -> ClientNetwork { ClientNetwork(addressBytes: [10, 0, 0, number]) }

    /// Turns whose allowance is used up at `now`.
    private static func exhausted(now: Int) -> StreamTurns<String> {
        var turns = StreamTurns<String>(rate: part * 1000)
        while turns.take(now: now) { turns.correct(size: part) }
        return turns
    }

    /// What is taken until a moment, each of them a part of a size.
    private static func taken(
        from turns: inout StreamTurns<String>, until end: Int, size: Int = part
    ) -> [String] {
        var taken: [String] = []
        while turns.next <= end, let element = turns.popFirst(now: turns.next) {
            turns.correct(size: size)
            taken.append(element)
        }
        return taken
    }

    @Test func afterAPauseAHundredMillisecondsAreMadeUpFor() {
        var turns = StreamTurns<String>(rate: Self.part * 1000)
        var count = 0
        while turns.take(now: 0) { count += 1 }
        #expect(count == 101)
        let taken = [Self.millisecond / 2, Self.millisecond, Self.millisecond].map { turns.take(now: $0) }
        #expect(taken == [false, true, false])
    }

    @Test(arguments: [(part, 1000), (4 * part, 250), (part / 2, 2000)])
    func aSecondIsWorthTheRateWhateverTheSizeOfParts(size: Int, count: Int) {
        var turns = Self.exhausted(now: 0)
        for number in 0..<3000 { turns.wait("\(number)", of: Self.network(1)) }
        let taken = Self.taken(from: &turns, until: 1000 * Self.millisecond, size: size).count
        #expect(abs(taken - count) <= 2)
    }

    @Test func aTurnWithoutAPartCostsNothing() {
        var turns = Self.exhausted(now: 0)
        for number in 0..<100 { turns.wait("\(number)", of: Self.network(1)) }
        let taken = Self.taken(from: &turns, until: Self.millisecond, size: 0).count
        #expect(taken == 100)
        #expect(turns.next == .max)
    }

    @Test func networksTakeTurns() {
        var turns = Self.exhausted(now: 0)
        for number in 0..<1000 {
            turns.wait("many", of: Self.network(1))
            if number == 500 { turns.wait("one", of: nil) }
        }
        turns.wait("two", of: Self.network(2))
        turns.wait("two", of: Self.network(2))
        let taken = Self.taken(from: &turns, until: 6 * Self.millisecond)
        #expect(taken == ["many", "one", "two", "many", "two", "many"])
    }

    @Test func nobodyOvertakesThoseWhoWait() {
        var turns = Self.exhausted(now: 0)
        turns.wait("first", of: Self.network(1))
        let now = 1000 * Self.millisecond
        let (tooEarly, first, second) = (turns.take(now: now), turns.popFirst(now: now), turns.take(now: now))
        #expect(!tooEarly && first == "first" && second)
    }
}
