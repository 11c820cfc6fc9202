/// Constants that all connections of a server share.
final class ConnectionSettings: Sendable {
    let limits: HTTPLimits
    let admitBody: @Sendable (Request) throws(HTTPError) -> BodyAdmission
    let hasPriority: @Sendable (Request) -> Bool
    let proxies: TrustedProxies
    let unknownProxy: UnknownProxy?
    let requiresHTTPS: Bool
    let bodies: MemoryBudget
    let unsent: MemoryBudget
    // In nanoseconds.
    let headTimeout, bodyTimeout, rateWindow, idleTimeout, crowdedIdleTimeout, writeTimeout, lingerTimeout: Int
    let workWait: Int

    init(
        limits: HTTPLimits, admitBody: @escaping @Sendable (Request) throws(HTTPError) -> BodyAdmission,
        hasPriority: @escaping @Sendable (Request) -> Bool, proxies: TrustedProxies = TrustedProxies(),
        unknownProxy: UnknownProxy? = nil, requiresHTTPS: Bool = false
    ) {
        (self.limits, self.admitBody, self.hasPriority) = (limits, admitBody, hasPriority)
        (self.proxies, self.unknownProxy, self.requiresHTTPS) = (proxies, unknownProxy, requiresHTTPS)
        bodies = MemoryBudget(limit: limits.bodies)
        unsent = MemoryBudget(limit: limits.allOutput)
        headTimeout = limits.headTimeout.nanoseconds
        bodyTimeout = limits.bodyTimeout.nanoseconds
        rateWindow = limits.rateWindow.nanoseconds
        idleTimeout = limits.idleTimeout.nanoseconds
        crowdedIdleTimeout = limits.crowdedIdleTimeout.nanoseconds
        writeTimeout = limits.writeTimeout.nanoseconds
        lingerTimeout = limits.lingerTimeout.nanoseconds
        workWait = limits.workWait.nanoseconds
    }

    /// The time in which `bytes` arrive or leave at the minimum rate, in nanoseconds.
    func slowestTime(for bytes: Int) -> Int {
        let (product, overflows) = bytes.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max / 4 : product / max(1, limits.minimumRate)
    }
}
