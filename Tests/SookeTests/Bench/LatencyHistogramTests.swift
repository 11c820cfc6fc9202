import TestSupport
import Testing

@testable import sooke

@Suite struct LatencyHistogramTests {
    static let percents: [Double] = [0, 1, 25, 50, 90, 99, 99.9, 99.99, 100]

    /// Durations of every size: some nanoseconds to a minute and a half.
    private static func durations(seed: UInt64, count: Int) -> [Int] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in 1 << random.below(37) + random.below(1 << 20) }
    }

    @Test(arguments: 1...20)
    func agreesWithASortedArray(seed: Int) {
        let durations = Self.durations(seed: UInt64(seed), count: seed * 97)
        var histogram = LatencyHistogram()
        for duration in durations { histogram.record(duration) }
        let sorted = durations.sorted()
        for percent in Self.percents {
            let rank = max(1, Int((Double(sorted.count) * percent / 100).rounded(.up)))
            let truth = sorted[rank - 1]
            let found = histogram.percentile(percent)
            // Below a microsecond the steps are 8 ns wide.
            #expect(found >= truth && found <= truth + max(7, truth / 100), "p\(percent): \(found), in truth \(truth)")
        }
        #expect(histogram.count == sorted.count)
        #expect(histogram.max == sorted.last)
        #expect(abs(histogram.mean - Double(sorted.reduce(0, +)) / Double(sorted.count)) < 1)
    }

    @Test func countsEveryStepOnce() {
        // Each side of each border between steps, up to beyond the last one.
        for power in 0..<40 {
            for duration in [1 << power - 1, 1 << power, 1 << power + 1] {
                var histogram = LatencyHistogram()
                histogram.record(duration)
                #expect(histogram.percentile(50) == duration)
            }
        }
    }

    @Test func mergesAsIfCountedTogether() {
        let (first, second) = (Self.durations(seed: 1, count: 1_000), Self.durations(seed: 2, count: 500))
        var (left, right, both) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
        for duration in first { left.record(duration) }
        for duration in second { right.record(duration) }
        for duration in first + second { both.record(duration) }
        left.merge(right)
        #expect(left == both)
    }

    @Test func isZeroOfNothing() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(99) == 0 && histogram.mean == 0 && histogram.max == 0)
        histogram.record(-5)
        #expect(histogram.count == 1 && histogram.percentile(100) == 0)
    }
}
