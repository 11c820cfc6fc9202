/// Timeouts. All times are monotonic nanoseconds.
extension ConnectionState {
    enum Timeout {
        case none
        case close
        /// Send the response to `rejection`, then close.
        case reject
    }

    /// `Int.max` while the server is working. `crowded`: the server has few connections left.
    @inline(__always)
    func deadline(crowded: Bool) -> Int {
        min(inputDeadline(crowded: crowded), outputDeadline)
    }

    @inline(__always)
    private func inputDeadline(crowded: Bool) -> Int {
        if phase == .lingering { return phaseStart + settings.limits.lingerTimeout }
        if hasEnded || inputHasEnded || isWaiting { return .max }
        switch phase {
        case .idle where hasResponses: return .max
        case .idle where refusal != nil: return phaseStart + settings.limits.lingerTimeout
        case .idle: return phaseStart + (crowded ? settings.limits.crowdedIdleTimeout : settings.limits.idleTimeout)
        case .head: return phaseStart + settings.limits.headTimeout
        case .body, .draining, .lingering: return bodyDeadline
        }
    }

    @inline(__always)
    private var outputDeadline: Int {
        guard let outputSince else { return .max }
        let slowest = outputSince + settings.slowestTime(for: sentSince)
        return min(lastProgress, slowest) + settings.limits.writeTimeout
    }

    mutating func beginBody(_ phase: Phase, _ now: Int) {
        (self.phase, phaseStart) = (phase, now)
        (bodyDeadline, bodyBytesCounted) = (now + settings.limits.bodyTimeout, 0)
    }

    /// Each byte of a body extends the deadline by its time at the minimum rate, up to `rateWindow` from now: however
    /// fast the body began, the rate of the last seconds counts.
    mutating func extendBodyDeadline(_ now: Int) {
        let earned = settings.slowestTime(for: parser.bodyBytes - bodyBytesCounted)
        bodyBytesCounted = parser.bodyBytes
        bodyDeadline = max(bodyDeadline, min(bodyDeadline + earned, now + settings.limits.rateWindow))
    }

    /// To be called when `deadline` may have passed.
    mutating func timeOut(now: Int, crowded: Bool) -> Timeout {
        guard now >= deadline(crowded: crowded) else { return .none }
        guard now < outputDeadline, phase == .head || phase == .body else { return .close }
        _ = reject(.requestTimeout, closes: true, now)
        return .reject
    }

    mutating func sent(_ count: Int, now: Int) {
        lastProgress = now
        sentSince += count
        guard output.isEmpty else { return }
        outputSince = nil
        if phase == .idle { phaseStart = now }
    }

    mutating func outputStalled(now: Int) {
        guard outputSince == nil else { return }
        (outputSince, lastProgress, sentSince) = (now, now, 0)
    }

    /// Everything is sent; input is discarded for a while.
    mutating func beginLingering(now: Int) {
        (phase, phaseStart) = (.lingering, now)
    }

    /// False when the limit is exceeded.
    mutating func discard(_ count: Int) -> Bool {
        lingered += count
        return lingered <= settings.limits.linger
    }
}
