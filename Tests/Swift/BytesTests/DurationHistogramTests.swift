import Bytes
import Testing

@Suite struct DurationHistogramTests {
    @Test(arguments: [
        (0, 0), (50_000, 0), (50_001, 1), (100_000, 1), (1_000_000, 4), (1_000_001, 5), (2_500_000, 5),
        (10_000_000_000, 16), (10_000_000_001, 17), (Int.max, 17),
    ])
    func theStepOfADuration(nanoseconds: Int, step: Int) {
        #expect(DurationHistogram.step(of: nanoseconds) == step)
    }

    @Test func whatIsRecordedIsCounted() {
        var histogram = DurationHistogram()
        for duration in [20_000, 30_000, 70_000] { histogram.record(duration) }
        #expect(histogram.counts.prefix(3) == [2, 1, 0])
        #expect(histogram.sum == 120_000)
    }
}
