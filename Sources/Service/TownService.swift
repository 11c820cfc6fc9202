import Bytes
import SookeModel
import Store
import Synchronization

/// The use cases of a town, with what they need: the store, the clocks, the accounts and the limits.
///
/// Each use case is one function, in the file of its subject in `UseCases`. It takes values, and returns an outcome or
/// throws a `ServiceError`. A use case that changes the town returns a `Transaction` if nothing else has to wait; it is
/// asynchronous if it hashes a password or reads files.
///
/// A class, because every request passes it on, and one reference is cheaper than a dozen.
public final class TownService: Sendable {
    /// The store, for reading.
    public let store: PublishedStore
    public let clock: @Sendable () -> Timestamp
    /// The time that decides what has expired.
    let expiryClock: ExpiryClock
    /// The system's time zones.
    public let zones: TimeZones
    /// The clocks of a town whose settings name none, and those of the last one that was asked for.
    private let defaultClocks: TownClocks
    private let lastClocks: Mutex<TownClocks>
    /// The state of callers between requests.
    public let accounts: Accounts
    /// Limits the writes.
    public let writes: WriteLimiter
    /// The clients that follow the changes of the town.
    public let feed: Feed
    /// The key of the positions that clients get.
    public let positionKey: PositionKey
    /// The key of the digests of the networks of clients without an account.
    let networkKey: NetworkKey
    let open = OpenBusinesses()
    /// Admits one import at a time.
    public let imports = ImportLimiter()
    /// How far it has come.
    public let importProgress = ImportProgress()
    private let address: Mutex<String>
    /// Sends an e-mail; nil if none can be sent.
    public let send: (@Sendable (Mail) -> Void)?
    /// The audit; nil records nothing.
    public let audit: Audit?
    /// Reads when the town was last backed up; nil for a town that needs no backup.
    public let lastBackup: (@Sendable () -> LastBackup)?

    /// The use cases of the town in a store.
    ///
    /// - Parameters:
    ///   - zone: the clocks of a town whose settings name none, or one that does not exist.
    ///   - holidays: the public holidays of a town whose settings name none.
    ///   - writesPerMinute: the write requests of an account per minute, 1 to 1,000,000.
    ///   - writes: limits the writes; nil for the default limits of those in flight.
    public init(
        store: Store, clock: TimeSource, zones: TimeZones, zone: TimeZone,
        holidays: Holidays = .britishColumbia, url: String = "http://localhost",
        writesPerMinute: Int = 120, writes: WriteLimiter? = nil, followers: Int = 2048,
        send: (@Sendable (Mail) -> Void)? = nil,
        audit: (any AuditTrail)? = nil, lastBackup: (@Sendable () -> LastBackup)? = nil
    ) {
        self.lastBackup = lastBackup
        self.audit = audit.map { Audit($0, clock: clock) }
        self.store = PublishedStore(store)
        let feed = Feed(clock: clock, limit: followers)
        self.feed = feed
        positionKey = PositionKey(store)
        networkKey = NetworkKey(store)
        store.observe { feed.publish() }
        self.clock = clock.wall
        expiryClock = ExpiryClock(clock, lastSeen: store.current.time.clock)
        accounts = Accounts(clock: clock) { store.readOnly?.since }
        self.writes = writes ?? WriteLimiter(clock: clock, perMinute: writesPerMinute)
        address = Mutex(url)
        self.send = send
        self.zones = zones
        defaultClocks = TownClocks(zone, holidays)
        lastClocks = Mutex(defaultClocks)
        expiryClock.onSetBack { [weak self] in self?.endExpired(at: $0) }
    }

    /// The clocks that the settings of a town name.
    public func clocks(of town: Town) -> TownClocks {
        let settings = town.settings
        return lastClocks.withLock { last in
            if !last.areThose(of: settings) {
                last = TownClocks(of: settings, zones, orElse: defaultClocks, after: last)
            }
            return last
        }
    }

    /// The web address of the town, without a trailing slash, for links.
    public var url: String { address.withLock(\.self) }

    /// Sets the web address of the town, for a server that takes a free port.
    public func setURL(_ url: String) {
        address.withLock { $0 = url }
    }
}

/// The store for reading. Only a `Transaction` writes, by `TownService.run`.
public struct PublishedStore: Sendable {
    let writer: Store

    init(_ store: Store) {
        writer = store
    }

    /// The newest version that is on stable storage.
    public var current: Version { writer.current }

    /// Since when and why the town is read-only; nil when it is not.
    public var readOnly: ReadOnlyState? { writer.readOnly }

    /// The current problems.
    public var problems: StoreProblems { writer.problems }

    /// The current statistics.
    public var statistics: StoreStatistics { get async { await writer.statistics } }

    /// The commits after a position as lines; see `CommitLines`.
    public func lines(after position: HistoryPosition, in version: Version) throws -> CommitLines? {
        try CommitLines(after: position, of: writer, in: version)
    }

    /// Writes a backup of a version; see `Store.writeBackup`.
    public func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try writer.writeBackup(of: version, to: output)
    }
}
