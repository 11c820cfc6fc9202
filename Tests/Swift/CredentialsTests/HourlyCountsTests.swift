import Testing

@testable import Credentials

/// Events of the last hour, in a fixed amount of memory.
@Suite struct HourlyCountsTests {
    private static let minute = 60 * 1_000_000_000

    @Test func whatWasCountedIsForgottenAfterAnHour() {
        var counts = HourlyCounts<Int>()
        for _ in 0..<3 { counts.add(1, now: 0) }
        for (minute, delay) in [(0, 66), (30, 36), (59, 7), (65, 1), (66, 0), (10_000, 0)] {
            #expect(counts.delay(1, limit: 3, now: minute * Self.minute) == delay * Self.minute, "after \(minute) min")
        }
        #expect(counts.delay(1, limit: 4, now: 0) == 0)
    }

    @Test func theDelayEndsWhenEnoughIsForgotten() {
        var counts = HourlyCounts<Int>()
        for minute in stride(from: 0, through: 54, by: 6) { counts.add(1, now: minute * Self.minute) }
        #expect(counts.delay(1, limit: 10, now: 54 * Self.minute) == 12 * Self.minute)
        #expect(counts.delay(1, limit: 9, now: 54 * Self.minute) == 18 * Self.minute)
        #expect(counts.delay(1, limit: 1, now: 54 * Self.minute) == 66 * Self.minute)
    }

    @Test func whatIsTakenBackDoesNotCount() {
        var counts = HourlyCounts<Int>()
        counts.remove(1, now: 0)
        for minute in [0, 7, 70, 71] {
            counts.add(1, now: minute * Self.minute)
            counts.remove(1, now: (minute + 1) * Self.minute)
            #expect(counts.delay(1, limit: 1, now: (minute + 1) * Self.minute) == 0)
        }
    }

    /// As many different keys as can be tried in an hour leave every other key far below the limit.
    @Test func manyKeysDoNotFillItUp() {
        var counts = HourlyCounts<Int>()
        for key in 0..<240_000 { counts.add(key, now: key * 15_000_000) }
        let full = (1_000_000..<1_001_000).count { counts.delay($0, limit: 90, now: 60 * Self.minute) > 0 }
        #expect(full == 0)
    }
}
