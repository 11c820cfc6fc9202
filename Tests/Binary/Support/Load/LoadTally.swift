import Glibc

/// Why a request has no response, or a connection could not be opened: nobody listens, the connection broke, the
/// server closed it, it took longer than allowed, no response with a length came, or no descriptor or port is left.
enum LoadFailure: String {
    case refused, reset, closed, timeout, malformed, local

    init(_ code: CInt) {
        switch code {
        case EMFILE, ENFILE, EADDRNOTAVAIL, ENOBUFS, ENOMEM: self = .local
        case ETIMEDOUT: self = .timeout
        case ECONNRESET, EPIPE: self = .reset
        default: self = .refused
        }
    }
}

/// What a load has come to so far.
struct LoadTally {
    /// The requests that were due and have no response, besides those that failed.
    var unanswered = 0
    /// The responses that came while requests were still started: what a rate is made of.
    private var answersInTime = 0
    /// The nanoseconds from when each request was due to its response.
    private var latencies: [Int] = []
    private var byStatus: [Int: Int] = [:]
    private var byFailure: [LoadFailure: Int] = [:]

    mutating func count(status: Int, duration: Int, isInTime: Bool) {
        if isInTime { answersInTime += 1 }
        byStatus[status, default: 0] += 1
        latencies.append(duration)
    }

    mutating func count(_ failure: LoadFailure) {
        byFailure[failure, default: 0] += 1
    }

    /// One JSON object.
    ///
    /// - Parameter span: the nanoseconds in which requests were started.
    func json(span: Int) -> String {
        let seconds = Double(span) / 1e9
        let statuses = byStatus.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        let failures = byFailure.map { "\"\($0.key)\":\($0.value)" }
        let sorted = latencies.sorted()
        let percentiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1)].map { name, share in
            let rank = Int((Double(sorted.count) * share).rounded(.up)) - 1
            return "\"\(name)\":\(sorted.isEmpty ? 0 : Double(sorted[max(0, rank)] / 1000) / 1000)"
        }
        let rate = span == 0 ? 0 : Double(answersInTime) / seconds
        return """
            {"requests":\(latencies.count),"seconds":\(seconds),"rate":\(rate),\
            "statuses":{\(statuses.joined(separator: ","))},"failures":{\(failures.joined(separator: ","))},\
            "latency_ms":{\(percentiles.joined(separator: ","))},"unanswered":\(unanswered)}
            """
    }
}

/// When requests are due, in monotonic nanoseconds.
///
/// In a closed loop a request is due whenever a connection is free. In an open loop they are due at fixed times,
/// whether the ones before are answered or not; a request that starts late is measured from when it was due, or a
/// server that stalls would be asked less and look quicker than it is to its users ("coordinated omission").
struct LoadSchedule {
    /// Requests a second over all connections; nil for a closed loop.
    let rate: Int?
    /// How long requests are started.
    let seconds: Int
    private var started = 0
    private var start = Int.max
    private(set) var end = Int.max

    /// How long after the end a request may start that was due before: a thread does not wake to the nanosecond.
    private static let lateStart = 100_000_000

    init(rate: Int?, seconds: Int) {
        (self.rate, self.seconds) = (rate, seconds)
    }

    /// The first request is due now.
    mutating func begin(now: Int) {
        (start, end) = (now, now + seconds * 1_000_000_000)
    }

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

    /// The requests that were due up to the end and never started; the first one is due at the start itself.
    var neverStarted: Int {
        rate.map { max(0, (span * $0 + 999_999_999) / 1_000_000_000 - started) } ?? 0
    }

    /// The nanoseconds in which requests were started.
    var span: Int { end - start }
}
