import Bytes
import Synchronization

/// The clock of the machine, by which sessions, links, tokens and receipts expire.
///
/// It may be ahead for a while and be set back. What had expired by then must not become valid again, so a clock that
/// shows an earlier time than before says so; see `TownService.endExpired`.
public final class ExpiryClock: Sendable {
    private let wall: @Sendable () -> Timestamp
    private let latest: Mutex<Timestamp>
    private let setBack = Mutex<(@Sendable (Timestamp) -> Void)?>(nil)

    /// A clock that has shown a time before, at the newest commit.
    init(_ clock: TimeSource, lastSeen moment: Timestamp) {
        wall = clock.wall
        latest = Mutex(moment)
    }

    /// Sets the function that receives the latest time that was shown, whenever the clock was set back.
    func onSetBack(_ setBack: @escaping @Sendable (Timestamp) -> Void) {
        self.setBack.withLock { $0 = setBack }
    }

    /// The time.
    public func now() -> Timestamp {
        let (now, earlier) = latest.withLock { latest in
            // Read here, so that two threads do not see it in another order.
            let now = wall()
            defer { latest = now }
            return (now, latest)
        }
        if now < earlier { setBack.withLock(\.self)?(earlier) }
        return now
    }
}
