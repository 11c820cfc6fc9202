/// Decides which of several responses are shown: never an older one after or beside a newer one.
struct RequestOrder {
    private var newest = 0
    private var newestShown = 0
    private var inFlight: Set<Int> = []

    /// Whether a request has no response yet.
    var isWaiting: Bool { !inFlight.isEmpty }

    /// Whether a request that began after another has no response yet.
    func isWaiting(after request: Int) -> Bool { inFlight.contains { $0 > request } }

    /// Whether the outcome of a request may be shown yet.
    func mayShow(_ request: Int) -> Bool { request > newestShown }

    /// Begins a request.
    mutating func begin() -> Int {
        newest += 1
        inFlight.insert(newest)
        return newest
    }

    /// Ends a request.
    ///
    /// - Returns: whether its outcome is shown: unless it was cancelled, and unless a newer request is in flight or was
    ///   shown.
    mutating func end(_ request: Int, wasCancelled: Bool) -> Bool {
        inFlight.remove(request)
        guard !wasCancelled, mayShow(request), inFlight.allSatisfy({ $0 < request }) else { return false }
        newestShown = request
        return true
    }
}
