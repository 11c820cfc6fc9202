/// Why a request has no answer, or a connection did not come about.
enum LoadFailure: String, Sendable, CaseIterable {
    /// Nobody listens, or the connection is not let through.
    case refused
    /// The connection broke.
    case reset
    /// The server closed before its answer was whole.
    case closed
    /// It took longer than allowed.
    case timeout
    /// What came is no HTTP.
    case malformed
    /// This machine has no descriptor or port left for another connection.
    case local
}

/// What a load has come to so far.
struct LoadTally: Sendable, Equatable {
    /// The answers, of whatever status.
    private(set) var answers = 0
    /// The answers that came while requests were still started: what a rate is made of.
    private(set) var answersInTime = 0
    /// The bytes of all answers, heads included.
    var bytes = 0
    /// From when each answered request was due to the end of its answer.
    private(set) var latency = LatencyHistogram()
    /// The requests that were due and have no answer, besides those that failed.
    var unanswered = 0

    private var byStatus = [Int](repeating: 0, count: 600)
    private var byFailure = [LoadFailure: Int]()

    /// Counts an answer.
    ///
    /// - Parameters:
    ///   - status: from 100 to 599.
    ///   - duration: nanoseconds since the request was due.
    mutating func count(status: Int, duration: Int, isInTime: Bool) {
        answers += 1
        if isInTime { answersInTime += 1 }
        byStatus[status] += 1
        latency.record(duration)
    }

    /// Counts a failure.
    mutating func count(_ failure: LoadFailure) {
        byFailure[failure, default: 0] += 1
    }

    /// How often each status came, in their order.
    var statuses: [(status: Int, count: Int)] {
        byStatus.enumerated().filter { $0.element > 0 }.map { ($0.offset, $0.element) }
    }

    /// How often this failure came.
    func count(of failure: LoadFailure) -> Int { byFailure[failure, default: 0] }

    /// The failures of every kind.
    var failures: Int { byFailure.values.reduce(0, +) }

    /// The answers with which the server says that it could not.
    var serverErrors: Int { byStatus[500...].reduce(0, +) }
}
