import Glibc

/// Why a request has no response, or a connection could not be opened.
enum LoadFailure: String, CaseIterable {
    /// Nobody listens, or the connection is not let through.
    case refused
    /// The connection broke.
    case reset
    /// The server closed before its response was complete.
    case closed
    /// It took longer than allowed.
    case timeout
    /// What came is not a response with a length.
    case malformed
    /// This machine has no descriptor or port left for another connection.
    case local

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
    /// The bytes of all responses, heads included.
    var bytes = 0
    /// The requests that were due and have no response, besides those that failed.
    var unanswered = 0
    private var answers = 0
    /// The responses that came while requests were still started: what a rate is made of.
    private var answersInTime = 0
    private var latency = LatencyHistogram()
    private var byStatus: [Int: Int] = [:]
    private var byFailure: [LoadFailure: Int] = [:]

    /// Counts a response, with the nanoseconds since the request was due.
    mutating func count(status: Int, duration: Int, isInTime: Bool) {
        answers += 1
        if isInTime { answersInTime += 1 }
        byStatus[status, default: 0] += 1
        latency.record(duration)
    }

    mutating func count(_ failure: LoadFailure) {
        byFailure[failure, default: 0] += 1
    }

    /// One JSON object.
    ///
    /// - Parameter span: the nanoseconds in which requests were started.
    func json(span: Int) -> String {
        let seconds = Double(span) / 1e9
        let rate = span == 0 ? 0 : Double(answersInTime) / seconds
        let statuses = byStatus.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        let failures = LoadFailure.allCases.map { "\"\($0.rawValue)\":\(byFailure[$0, default: 0])" }
        let percentiles = [("p50", 50), ("p90", 90), ("p99", 99), ("p99_9", 99.9)]
            .map { ($0.0, Double(latency.percentile($0.1))) }
        let latencies = ([("mean", latency.mean)] + percentiles + [("max", Double(latency.max))])
            .map { "\"\($0.0)\":\(($0.1 / 1e3).rounded() / 1e3)" }
        return """
            {"requests":\(answers),"seconds":\(seconds),"rate":\(rate),"bytes":\(bytes),\
            "statuses":{\(statuses.joined(separator: ","))},"failures":{\(failures.joined(separator: ","))},\
            "latency_ms":{\(latencies.joined(separator: ","))},"unanswered":\(unanswered)}
            """
    }
}
