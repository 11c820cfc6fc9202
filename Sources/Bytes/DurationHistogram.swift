/// How many of many durations were how long, in the steps that all histograms of the server share.
public struct DurationHistogram: Sendable, Hashable {
    /// The upper ends of the steps in nanoseconds, each part of its step: 50 µs to 10 s. What is longer is in one more.
    public static let bounds: [Int] =
        [50, 100, 250, 500].map { $0 * 1_000 } + [1, 2.5, 5, 10, 25, 50, 100, 250, 500].map { Int($0 * 1_000_000) }
        + [1, 2.5, 5, 10].map { Int($0 * 1_000_000_000) }

    /// How many durations are in each step; one more than there are bounds.
    public private(set) var counts: [Int]
    /// The sum of all durations, in nanoseconds.
    public private(set) var sum = 0

    /// A histogram of nothing.
    public init() {
        counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    }

    /// A histogram that was counted elsewhere.
    ///
    /// - Parameter counts: one more than there are bounds.
    public init(counts: [Int], sum: Int) {
        precondition(counts.count == Self.bounds.count + 1, "a histogram has a count for each step")
        (self.counts, self.sum) = (counts, sum)
    }

    /// Counts a duration of so many nanoseconds.
    public mutating func record(_ nanoseconds: Int) {
        counts[Self.step(of: nanoseconds)] += 1
        sum += nanoseconds
    }

    /// The step that a duration is in, found in five comparisons.
    public static func step(of nanoseconds: Int) -> Int {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if nanoseconds <= bounds[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
