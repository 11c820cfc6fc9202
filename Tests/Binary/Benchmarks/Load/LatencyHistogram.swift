/// How many of many requests took how long, with steps so fine that a percentile is within 1 % of the true one.
///
/// The steps are linear inside each power of two (as in HdrHistogram): 8 ns wide below 1 µs, then 128 to each doubling,
/// up to 137 s. It takes 28 KiB however much is counted.
struct LatencyHistogram: Sendable, Equatable {
    /// How many durations were counted.
    private(set) var count = 0
    /// The longest duration, in nanoseconds; exact.
    private(set) var max = 0
    private var sum = 0
    private var counts = [Int](repeating: 0, count: (octaves + 1) * stepsPerOctave)

    private static let stepsPerOctave = 128
    /// Durations below 2 to the power of this are in the linear first part.
    private static let firstOctave = 10
    private static let octaves = 27

    /// Counts a duration of so many nanoseconds; one below zero counts as none.
    mutating func record(_ nanoseconds: Int) {
        let duration = Swift.max(0, nanoseconds)
        count += 1
        sum += duration
        max = Swift.max(max, duration)
        counts[Self.step(of: duration)] += 1
    }

    /// The mean in nanoseconds; exact, 0 when nothing was counted.
    var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    /// The shortest duration that this share of all durations does not exceed, in nanoseconds; at most 1 % more than
    /// the true one, never less. 0 when nothing was counted.
    ///
    /// - Parameter percent: from 0 to 100.
    func percentile(_ percent: Double) -> Int {
        let rank = Swift.max(1, Int((Double(count) * percent / 100).rounded(.up)))
        var seen = 0
        for (step, number) in counts.enumerated() where number > 0 {
            seen += number
            if seen >= rank { return Swift.min(max, Self.end(of: step)) }
        }
        return max
    }

    private static func step(of duration: Int) -> Int {
        let octave = Swift.max(firstOctave, Int.bitWidth - duration.leadingZeroBitCount - 1)
        if octave >= firstOctave + octaves { return (octaves + 1) * stepsPerOctave - 1 }
        if duration < 1 << firstOctave { return duration >> (firstOctave - 7) }
        return (octave - firstOctave) * stepsPerOctave + duration >> (octave - 7)
    }

    /// The longest duration of a step; of the last one, which has no end, the longest there is.
    private static func end(of step: Int) -> Int {
        if step == (octaves + 1) * stepsPerOctave - 1 { return .max }
        if step < stepsPerOctave { return (step + 1) << (firstOctave - 7) - 1 }
        let (octave, place) = (step / stepsPerOctave - 1, step % stepsPerOctave)
        return (stepsPerOctave + place + 1) << (octave + firstOctave - 7) - 1
    }
}
