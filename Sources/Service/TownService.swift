import Bytes
import Platform
import SookeModel
import Store
import Synchronization

/// The use cases of a town, with what they need: the store, the clocks, the accounts and the limits.
///
/// Each use case is one function, in the file of its subject in `UseCases`. It takes values, and returns an outcome or
/// throws a `ServiceError`. A use case that changes the town returns a `Transaction` if nothing else has to wait; it is
/// asynchronous if it hashes a password or reads files.
package final class TownService: Sendable {
    /// For reading: only a `Transaction` writes, by `run`.
    package let store: Store
    package let clock: @Sendable () -> Timestamp
    let expiryClock: ExpiryClock
    package let zones: TimeZones
    /// Of a town whose settings name none, and those of the last one that was asked for.
    private let defaultClocks: TownClocks
    private let lastClocks: Mutex<TownClocks>
    /// The version by which the town was served before this process; nil when that is not known.
    let lastZoneData: String?
    let lastOpenNow = Mutex<(revision: Int, now: OpenNow)?>(nil)
    package let accounts: Accounts
    package let limits: TownLimits
    package let feed: Feed
    /// Signalled by each one, for notices.
    let commits = Semaphore()
    package let key: StoreKey
    package let importProgress = ImportProgress()
    package let uploads: Uploads
    private let address: Mutex<String>
    package let mail: MailQueue
    package let fetches: CalendarFetches
    package let audit: Audit?
    /// Nil for a town that needs no backup.
    package let lastBackup: (@Sendable () -> LastBackup)?

    /// - Parameters:
    ///   - zone: of a town whose settings name none, or one that does not exist.
    ///   - mailer: the program that sends e-mail; nil for `sooke outside`.
    package init(
        store: Store, clock: TimeSource, zones: TimeZones, zone: TimeZone,
        holidays: Holidays = .britishColumbia, url: String = "http://localhost",
        limits: TownLimits? = nil, followers: Int = 2048,
        mailer: String? = nil, mailsPerHour: Int = 100,
        audit: (any AuditTrail)? = nil, lastBackup: (@Sendable () -> LastBackup)? = nil
    ) {
        self.lastBackup = lastBackup
        self.audit = audit.map { Audit($0, clock: clock) }
        self.store = store
        uploads = Uploads(in: store.folder)
        let feed = Feed(clock: clock, limit: followers)
        self.feed = feed
        key = StoreKey(store)
        store.observe { [commits] in
            feed.publish()
            commits.signal()
        }
        self.clock = clock.wall
        expiryClock = ExpiryClock(clock, lastSeen: store.current.time.clock)
        accounts = Accounts(clock: clock) { store.readOnly?.since }
        self.limits = limits ?? TownLimits(clock: clock)
        address = Mutex(url)
        mail = MailQueue(program: mailer, perHour: mailsPerHour, clock: clock)
        fetches = CalendarFetches(clock: clock)
        self.zones = zones
        store.zones.set(fallback: zone, version: zones.knownVersion) { name in try? zones.zone(named: name) }
        lastZoneData = store.current.town.settings.zoneData
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

    package var zoneDataWarning: String? { zones.warning(at: clock(), after: lastZoneData) }

    /// Without a trailing slash.
    package var url: String { address.withLock(\.self) }

    /// For a server that takes a free port.
    package func setURL(_ url: String) {
        address.withLock { $0 = url }
    }
}

package struct LastBackup: Sendable {
    /// When one was made, or found to have the town as it is; nil for never.
    package var at: Timestamp?
    /// The one since then; nil for none.
    package var failure: (at: Timestamp, reason: String)?
    /// When the newest one was last restored in memory, and what it had, or why it does not restore; nil for never.
    package var check: (at: Timestamp, text: String, isGood: Bool)?

    package init() {}
}
