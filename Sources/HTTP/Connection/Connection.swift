import Platform

/// A connection of an event loop: its state and its socket. Used on the thread of the loop only.
final class Connection {
    let descriptor: CInt
    let slot: Int
    let generation: UInt32
    let ticket: Admission.Ticket
    var state: ConnectionState
    /// Input that waits until responses have been sent.
    var carry: [UInt8] = []
    /// What the poller watches.
    var interest: FileDescriptor.Events = .readable

    init(_ accepted: AcceptedConnection, slot: Int, generation: UInt32, settings: ConnectionSettings, now: Int) {
        descriptor = accepted.descriptor
        ticket = accepted.ticket
        (self.slot, self.generation) = (slot, generation)
        state = ConnectionState(settings: settings, peer: accepted.peer, refusal: accepted.ticket.refusal, now: now)
    }

    /// The token of the connection in the poller.
    var pollToken: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    /// The token of one of its requests, for handlers.
    func responseToken(_ number: UInt32) -> ResponseToken {
        ResponseToken(slot: UInt32(truncatingIfNeeded: slot), generation: generation, number: number)
    }
}

/// Constants that all connections of a server share.
final class ConnectionSettings: Sendable {
    let limits: HTTPLimits
    let admitBody: @Sendable (Request) throws(HTTPError) -> BodyAdmission
    let hasPriority: @Sendable (Request) -> Bool
    let proxies: TrustedProxies
    /// The budget for bodies that are being received or processed.
    let bodies: BodyBudget
    // The durations of `limits` in nanoseconds.
    let headTimeout, bodyTimeout, rateWindow, idleTimeout, crowdedIdleTimeout, writeTimeout, lingerTimeout: Int

    init(
        limits: HTTPLimits, admitBody: @escaping @Sendable (Request) throws(HTTPError) -> BodyAdmission,
        hasPriority: @escaping @Sendable (Request) -> Bool, proxies: TrustedProxies = TrustedProxies()
    ) {
        (self.limits, self.admitBody, self.hasPriority) = (limits, admitBody, hasPriority)
        self.proxies = proxies
        bodies = BodyBudget(limit: limits.bodies)
        headTimeout = limits.headTimeout.nanoseconds
        bodyTimeout = limits.bodyTimeout.nanoseconds
        rateWindow = limits.rateWindow.nanoseconds
        idleTimeout = limits.idleTimeout.nanoseconds
        crowdedIdleTimeout = limits.crowdedIdleTimeout.nanoseconds
        writeTimeout = limits.writeTimeout.nanoseconds
        lingerTimeout = limits.lingerTimeout.nanoseconds
    }

    /// The time in which `bytes` arrive or leave at the minimum rate, in nanoseconds.
    func slowestTime(for bytes: Int) -> Int {
        let (product, overflows) = bytes.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max / 4 : product / max(1, limits.minimumRate)
    }
}
