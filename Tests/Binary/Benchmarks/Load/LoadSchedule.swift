/// When requests are due. All times are monotonic nanoseconds.
///
/// In a closed loop a request is due whenever a connection is free. In an open loop they are due at fixed times,
/// whether the ones before are answered or not; a request that starts late is measured from when it was due, or a
/// server that stalls would be asked less and look quicker than it is to its users ("coordinated omission").
struct LoadSchedule: Sendable {
    /// Requests a second over all connections; nil for a closed loop.
    let rate: Int?
    /// How long requests are started.
    let seconds: Int
    /// The requests that were started.
    private(set) var started = 0
    private var start = Int.max
    private(set) var end = Int.max

    /// How long after the end a request may start that was due before: a thread does not wake to the nanosecond.
    private static let lateStart = 100_000_000

    init(rate: Int?, seconds: Int) {
        (self.rate, self.seconds) = (rate, seconds)
    }

    /// The first request is due now.
    mutating func begin(now: Int) {
        start = now
        end = now + seconds * 1_000_000_000
    }

    /// No request is due from now on.
    mutating func stop(now: Int) {
        end = min(end, now)
        start = min(start, end)
    }

    /// Whether the time of starting requests is over.
    func isOver(now: Int) -> Bool { now >= end }

    /// When the next request is due; nil when there is none in this time, or that is up to the connections.
    var nextDue: Int? {
        guard let rate, start < .max else { return nil }
        let due = start + started * 1_000_000_000 / rate
        return due < end ? due : nil
    }

    /// Starts the next request if it is due: the instant that its time counts from.
    mutating func take(now: Int) -> Int? {
        guard now >= start else { return nil }
        let due = rate == nil ? (now < end ? now : nil) : (now - Self.lateStart < end ? nextDue : nil)
        guard let due, due <= now else { return nil }
        started += 1
        return due
    }

    /// The requests that were due up to the end and never started.
    var neverStarted: Int {
        guard let rate, start < .max else { return 0 }
        // The first one is due at the start itself.
        let due = ((end - start) * rate + 999_999_999) / 1_000_000_000
        return max(0, due - started)
    }

    /// The nanoseconds in which requests were started.
    var span: Int { start == .max ? 0 : end - start }
}
