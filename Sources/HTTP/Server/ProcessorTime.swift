import Limits
import Platform
import Synchronization

/// The CPU time of each network, and each site, on all event loops and other threads: each has a share of a second. One
/// request may cost more; the network waits then, but not for ever. Times are monotonic nanoseconds.
final class ProcessorTime: Sendable {
    private let share: Int
    private let siteShare: Int
    private let used: Mutex<Bucket<ClientNetwork>>
    /// Most of the time this alone shows that no network is over its share.
    private let lastFullAt = Atomic<Int>(0)

    /// Per second; `siteShare` for all networks of a site.
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

    /// 0 when the network may work.
    func wait(of network: ClientNetwork, now: Int) -> Int {
        guard lastFullAt.load(ordering: .relaxed) - now > 1_000_000_000 else { return 0 }
        return used.withLock { max($0.wait(network, now: now), $0.wait(network.site, now: now)) }
    }
}
