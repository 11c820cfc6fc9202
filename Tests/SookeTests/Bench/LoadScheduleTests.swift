import Testing

@testable import sooke

@Suite struct LoadScheduleTests {
    private static let second = 1_000_000_000

    @Test func startsNothingBeforeItBegins() {
        for rate in [nil, 10] {
            var schedule = LoadSchedule(rate: rate, seconds: 1)
            #expect(schedule.take(now: 5) == nil && schedule.nextDue == nil && schedule.neverStarted == 0)
        }
    }

    @Test func closedLoopIsAlwaysDueUntilItsEnd() {
        var schedule = LoadSchedule(rate: nil, seconds: 1)
        schedule.begin(now: 100)
        #expect(schedule.take(now: 100) == 100)
        #expect(schedule.take(now: 777) == 777)
        #expect(schedule.take(now: Self.second + 99) == Self.second + 99)
        #expect(schedule.take(now: Self.second + 100) == nil)
        #expect(schedule.isOver(now: Self.second + 100) && schedule.neverStarted == 0)
    }

    @Test func openLoopIsDueAtFixedMoments() {
        var schedule = LoadSchedule(rate: 10, seconds: 1)
        schedule.begin(now: 0)
        #expect(schedule.take(now: 0) == 0)
        #expect(schedule.take(now: 99_999_999) == nil)
        #expect(schedule.nextDue == 100_000_000)
        #expect(schedule.take(now: 100_000_000) == 100_000_000)
        // Late starts count from when they were due.
        #expect(schedule.take(now: 350_000_000) == 200_000_000)
        #expect(schedule.take(now: 350_000_000) == 300_000_000)
        #expect(schedule.take(now: 350_000_000) == nil)
    }

    @Test func startsWhatWasDueBeforeTheEndALittleLater() {
        var schedule = LoadSchedule(rate: 2, seconds: 1)
        schedule.begin(now: 0)
        #expect(schedule.take(now: Self.second + 99_999_999) == 0)
        #expect(schedule.take(now: Self.second + 100_000_000) == nil)
        #expect(schedule.take(now: Self.second + 99_999_999) == 500_000_000)
        #expect(schedule.take(now: Self.second + 99_999_999) == nil)
    }

    @Test(arguments: [(1, 1), (3, 2), (7, 3), (1_000_000, 2), (999_983, 1)])
    func startsExactlyWhatTheRateSays(rate: Int, seconds: Int) {
        var schedule = LoadSchedule(rate: rate, seconds: seconds)
        schedule.begin(now: 0)
        var last = -1
        let end = seconds * Self.second
        while let due = schedule.take(now: end - 1) {
            #expect(due > last && due < end)
            last = due
        }
        #expect(schedule.started == rate * seconds)
        #expect(schedule.neverStarted == 0)
    }

    @Test func tellsWhatNeverStarted() {
        var schedule = LoadSchedule(rate: 10, seconds: 10)
        schedule.begin(now: 50)
        for _ in 0..<4 { _ = schedule.take(now: Self.second) }
        #expect(schedule.neverStarted == 96)
        // Stopped after 1.25 s, when thirteen were due.
        schedule.stop(now: 50 + Self.second * 5 / 4)
        #expect(schedule.neverStarted == 9)
        #expect(schedule.span == Self.second * 5 / 4)
        #expect(schedule.take(now: 50 + Self.second * 3 / 2) == nil)
    }
}
