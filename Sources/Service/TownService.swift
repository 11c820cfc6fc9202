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
package final class TownService: Sendable {
    package let store: PublishedStore
    package let clock: @Sendable () -> Timestamp
    let expiryClock: ExpiryClock
    package let zones: TimeZones
    /// Of a town whose settings name none, and those of the last one that was asked for.
    private let defaultClocks: TownClocks
    private let lastClocks: Mutex<TownClocks>
    let lastOpenNow = Mutex<(revision: Int, now: OpenNow)?>(nil)
    package let accounts: Accounts
    package let limits: TownLimits
    package let feed: Feed
    package let positionKey: PositionKey
    let networkKey: NetworkKey
    package let importProgress = ImportProgress()
    private let address: Mutex<String>
    /// Nil if none can be sent.
    package let send: (@Sendable (Mail) -> Void)?
    package let audit: Audit?
    /// Nil for a town that needs no backup.
    package let lastBackup: (@Sendable () -> LastBackup)?

    /// - Parameters:
    ///   - zone: of a town whose settings name none, or one that does not exist.
    ///   - holidays: of a town whose settings name none.
    package init(
        store: Store, clock: TimeSource, zones: TimeZones, zone: TimeZone,
        holidays: Holidays = .britishColumbia, url: String = "http://localhost",
        limits: TownLimits? = nil, followers: Int = 2048,
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
        self.limits = limits ?? TownLimits(clock: clock)
        address = Mutex(url)
        self.send = send
        self.zones = zones
        defaultClocks = TownClocks(zone, holidays)
        lastClocks = Mutex(defaultClocks)
        expiryClock.onSetBack { [weak self] in self?.endExpired(at: $0) }
    }

    package func clocks(of town: Town) -> TownClocks {
        let settings = town.settings
        return lastClocks.withLock { last in
            if !last.areThose(of: settings) {
                last = TownClocks(of: settings, zones, orElse: defaultClocks, after: last)
            }
            return last
        }
    }

    /// Without a trailing slash.
    package var url: String { address.withLock(\.self) }

    /// For a server that takes a free port.
    package func setURL(_ url: String) {
        address.withLock { $0 = url }
    }
}

/// The store for reading. Only a `Transaction` writes, by `TownService.run`.
package struct PublishedStore: Sendable {
    let writer: Store

    init(_ store: Store) {
        writer = store
    }

    /// The newest version that is on stable storage.
    package var current: Version { writer.current }

    package var identity: String { writer.identity }

    package var readOnly: ReadOnlyState? { writer.readOnly }

    package var problems: StoreProblems { writer.problems }

    package var statistics: StoreStatistics { get async { await writer.statistics } }

    package func lines(after position: HistoryPosition, in version: Version) throws -> CommitLines? {
        try CommitLines(after: position, of: writer, in: version)
    }

    package func position(beforeLast count: Int, in version: Version) throws -> HistoryPosition {
        try CommitLines.position(beforeLast: count, of: writer, in: version)
    }

    package func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try writer.writeBackup(of: version, to: output)
    }
}

package struct LastBackup: Sendable {
    /// When one was made, or found to have the town as it is; nil for never.
    package var at: Timestamp?
    /// The one since then; nil for none.
    package var failure: (at: Timestamp, reason: String)?

    package init() {}
}
