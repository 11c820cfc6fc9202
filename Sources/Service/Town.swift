import Bytes
import SookeModel
import Store

/// The use cases of a town, with what they need: the store, the clocks, the accounts and the limits.
///
/// Each use case is one function, in the file of its subject in `UseCases`. It takes values and gives an outcome or
/// throws a `ServiceError`. One that changes the town gives a `Transaction` where nothing else has to wait, or is
/// asynchronous where it hashes a password or reads files.
///
/// A class because every request holds it, and one reference is cheaper to pass on than a dozen.
public final class Town: Sendable {
    /// Where the newest version is published.
    public let store: PublishedStore
    /// What time it is.
    public let clock: @Sendable () -> Timestamp
    /// The time that decides what has expired.
    let steadyClock: SteadyClock
    /// The system's time zones.
    public let zones: TimeZones
    /// The zone in which "today" is meant when a request names none.
    public let zone: TimeZone
    /// What is remembered of callers between requests.
    public let accounts: Accounts
    /// Bounds the writes in flight.
    public let writes: WriteLimiter
    /// Admits one import at a time.
    public let imports = ImportLimiter()
    /// The address of the town on the web, without a slash at the end, with which links begin.
    public let url: String
    /// Sends an e-mail; nil where none can be sent.
    public let send: (@Sendable (Mail) -> Void)?
    /// Where logins and refusals are recorded; nil records none.
    public let audit: Audit?

    /// The use cases of the town in a store.
    ///
    /// - Parameters:
    ///   - writesPerMinute: how often an account may change something, 1 to 1,000,000.
    ///   - writes: bounds the writes in flight; nil for the default bounds.
    public init(
        store: Store, clock: TimeSource, zones: TimeZones, zone: TimeZone, url: String = "http://localhost",
        writesPerMinute: Int = 120, writes: WriteLimiter? = nil, send: (@Sendable (Mail) -> Void)? = nil,
        audit: (any AuditTrail)? = nil
    ) {
        self.audit = audit.map { Audit($0, clock: clock) }
        self.store = PublishedStore(store)
        self.clock = clock.wall
        steadyClock = SteadyClock(clock, notBefore: store.current.at)
        accounts = Accounts(clock: clock, writesPerMinute: writesPerMinute)
        self.writes = writes ?? WriteLimiter(clock: clock)
        self.url = url
        self.send = send
        self.zones = zones
        self.zone = zone
    }
}
