import Limits
import Platform
import Synchronization

/// The CPU time that each network uses, and each site, on all event loops and on other threads: each has a share of a
/// second.
///
/// One request may cost more than that; the network waits then until the rest is refilled, but not for ever. Times are
/// nanoseconds, `now` of a monotonic clock.
final class ProcessorTime: Sendable {
    private let share: Int
    private let siteShare: Int
    private let used: Mutex<Bucket<ClientNetwork>>
    /// When all buckets are full: most of the time this alone shows that no network is over its share.
    private let lastFullAt = Atomic<Int>(0)

    /// The CPU time per second of a network, and of all networks of a site.
    init(share: Duration, ofSite siteShare: Duration) {
        (self.share, self.siteShare) = (share.nanoseconds, siteShare.nanoseconds)
        used = Mutex(Bucket(quota: self.share, seconds: 1, longestWait: 4))
    }

    func charge(_ time: Int, to network: ClientNetwork, now: Int) {
        used.withLock { used in
            used.charge(time, to: network, now: now)
            used.charge(time, of: siteShare, to: network.site, now: now)
            lastFullAt.store(used.lastFullAt, ordering: .relaxed)
        }
    }

    /// The time until a network may work again; 0 when it may.
    func wait(of network: ClientNetwork, now: Int) -> Int {
        guard lastFullAt.load(ordering: .relaxed) - now > 1_000_000_000 else { return 0 }
        return used.withLock { max($0.wait(network, now: now), $0.wait(network.site, now: now)) }
    }
}
