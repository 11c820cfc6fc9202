/// What all connections of a server share; never changes.
final class ConnectionSettings: Sendable {
    let limits: HTTPLimits
    let bodyLimit: @Sendable (Request) throws(HTTPError) -> Int
    let hasPriority: @Sendable (Request) -> Bool
    let proxies: Proxies
    // The durations of `limits` in nanoseconds.
    let headTimeout, bodyTimeout, idleTimeout, crowdedIdleTimeout, writeTimeout, lingerTimeout: Int

    init(
        limits: HTTPLimits, bodyLimit: @escaping @Sendable (Request) throws(HTTPError) -> Int,
        hasPriority: @escaping @Sendable (Request) -> Bool, proxies: Proxies = Proxies()
    ) {
        (self.limits, self.bodyLimit, self.hasPriority) = (limits, bodyLimit, hasPriority)
        self.proxies = proxies
        headTimeout = limits.headTimeout.nanoseconds
        bodyTimeout = limits.bodyTimeout.nanoseconds
        idleTimeout = limits.idleTimeout.nanoseconds
        crowdedIdleTimeout = limits.crowdedIdleTimeout.nanoseconds
        writeTimeout = limits.writeTimeout.nanoseconds
        lingerTimeout = limits.lingerTimeout.nanoseconds
    }

    /// The time in which `bytes` arrive or leave at the lowest rate allowed, in nanoseconds.
    func slowestTime(for bytes: Int) -> Int {
        let (product, overflows) = bytes.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max / 4 : product / max(1, limits.minimumRate)
    }
}
