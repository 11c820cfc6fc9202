import Bytes
import HTTP
import SookeModel
import Store

/// What the routes look at: the town as it is now, the clock and the time zones.
///
/// A class because every call holds it, and one reference is cheaper to pass on than a dozen.
public final class Town: Sendable {
    /// Where the newest version is published.
    let store: GuardedStore
    /// What time it is.
    public let clock: @Sendable () -> Timestamp
    /// By what time it is judged what has expired.
    let steadyClock: SteadyClock
    /// The system's time zones.
    public let zones: TimeZones
    /// The zone in which "today" is meant when a request names none.
    public let zone: TimeZone
    /// What is remembered of callers.
    public let accounts: Accounts
    /// What is being written at the moment.
    let writes: WriteQueue
    /// Where the town is found on the web, without a slash at the end: what links begin with.
    public let url: String
    /// Sends a letter; nil where nothing is set up for that.
    public let send: (@Sendable (Mail) -> Void)?
    /// Where logins and refusals are kept; nil keeps none.
    public let audit: Audit?

    /// A town to answer for. `writesPerMinute` is how often an account may change something, 1 to 1,000,000; `writes`
    /// bounds what is written at a time, nil for the usual bounds.
    public init(
        store: Store, clock: TimeSource, zones: TimeZones, zone: TimeZone, url: String = "http://localhost",
        writesPerMinute: Int = 120, writes: WriteQueue? = nil, send: (@Sendable (Mail) -> Void)? = nil,
        audit: (any AuditTrail)? = nil
    ) {
        self.audit = audit.map { Audit($0, clock: clock) }
        self.store = GuardedStore(store)
        self.clock = clock.wall
        steadyClock = SteadyClock(clock, notBefore: store.current.at)
        accounts = Accounts(clock: clock, writesPerMinute: writesPerMinute)
        self.writes = writes ?? WriteQueue(clock: clock)
        self.url = url
        self.send = send
        self.zones = zones
        self.zone = zone
    }
}
