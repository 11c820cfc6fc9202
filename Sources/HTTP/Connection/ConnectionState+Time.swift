/// The client's time. All moments are monotonic nanoseconds.
extension ConnectionState {
    /// What to do when a client's time is over.
    enum Timeout {
        /// It is not over yet.
        case none
        /// Close without a word.
        case close
        /// `rejection` wants to be answered, then close.
        case reject
    }

    /// When the client's time is over; `Int.max` while it is our turn. `crowded`: the server has few connections left.
    @inline(__always)
    func deadline(crowded: Bool) -> Int {
        min(inputDeadline(crowded: crowded), outputDeadline)
    }

    @inline(__always)
    private func inputDeadline(crowded: Bool) -> Int {
        if phase == .lingering { return phaseStart + settings.lingerTimeout }
        if hasEnded || inputHasEnded || isWaiting { return .max }
        switch phase {
        case .idle where hasResponses: return .max
        case .idle where refusal != nil: return phaseStart + settings.lingerTimeout
        case .idle: return phaseStart + (crowded ? settings.crowdedIdleTimeout : settings.idleTimeout)
        case .head: return phaseStart + settings.headTimeout
        case .body, .draining, .lingering: return bodyDeadline
        }
    }

    @inline(__always)
    private var outputDeadline: Int {
        guard let outputSince else { return .max }
        let slowest = outputSince + settings.slowestTime(for: sentSince)
        return min(lastProgress, slowest) + settings.writeTimeout
    }

    /// A body begins to arrive, or to be read over.
    mutating func beginBody(_ phase: Phase, _ now: Int) {
        (self.phase, phaseStart) = (phase, now)
        (bodyDeadline, bodyBytesCounted) = (now + settings.bodyTimeout, 0)
    }

    /// Each byte of a body buys its client the time that it takes at the lowest rate, and no client can save up more
    /// than `rateWindow`: however fast the beginning was, the rate of the last seconds counts.
    mutating func extendBodyDeadline(_ now: Int) {
        let earned = settings.slowestTime(for: parser.bodyBytes - bodyBytesCounted)
        bodyBytesCounted = parser.bodyBytes
        bodyDeadline = max(bodyDeadline, min(bodyDeadline + earned, now + settings.rateWindow))
    }

    /// Call when `deadline` may have passed.
    mutating func timeOut(now: Int, crowded: Bool) -> Timeout {
        guard now >= deadline(crowded: crowded) else { return .none }
        guard now < outputDeadline, phase == .head || phase == .body else { return .close }
        _ = reject(.requestTimeout, closes: true, now)
        return .reject
    }

    /// The client took `count` bytes of the output.
    mutating func sent(_ count: Int, now: Int) {
        lastProgress = now
        sentSince += count
        guard output.isEmpty else { return }
        outputSince = nil
        if phase == .idle { phaseStart = now }
    }

    /// Output is left that the client does not take now.
    mutating func outputStalled(now: Int) {
        guard outputSince == nil else { return }
        (outputSince, lastProgress, sentSince) = (now, now, 0)
    }

    /// Everything is sent and our side is closed; what the client still sends is thrown away for a while.
    mutating func beginLingering(now: Int) {
        (phase, phaseStart) = (.lingering, now)
    }

    /// Throws away input while lingering; false when that was too much.
    mutating func discard(_ count: Int) -> Bool {
        lingered += count
        return lingered <= settings.limits.linger
    }
}
