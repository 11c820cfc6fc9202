/// A histogram of durations, with the bounds that all histograms of the server share.
public struct DurationHistogram: Sendable, Hashable {
    /// The inclusive upper bounds of the buckets in nanoseconds: 50 µs to 10 s. One more bucket holds longer durations.
    public static let bounds: [Int] =
        [50, 100, 250, 500].map { $0 * 1_000 } + [1, 2.5, 5, 10, 25, 50, 100, 250, 500].map { Int($0 * 1_000_000) }
        + [1, 2.5, 5, 10].map { Int($0 * 1_000_000_000) }

    /// The number of durations in each bucket; one more than there are bounds.
    public private(set) var counts: [Int]
    /// The sum of all durations, in nanoseconds.
    public private(set) var sum = 0

    public init() {
        counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    }

    /// A histogram with existing counts, one more than there are bounds.
    public init(counts: [Int], sum: Int) {
        precondition(counts.count == Self.bounds.count + 1, "a histogram has a count for each step")
        (self.counts, self.sum) = (counts, sum)
    }

    public mutating func record(_ nanoseconds: Int) {
        counts[Self.step(of: nanoseconds)] += 1
        sum += nanoseconds
    }

    /// The bucket of a duration, found in five comparisons.
    public static func step(of nanoseconds: Int) -> Int {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if nanoseconds <= bounds[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
