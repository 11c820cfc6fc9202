import Bytes
import Platform
import Synchronization

/// The CPU time that each network uses, and each site: a bucket that holds its share of a second and refills evenly.
///
/// A bucket is stored as the time at which it will be full again. One request may cost more than a bucket holds; the
/// network waits then until the rest is refilled, but not for ever. It has no lock of its own; times are nanoseconds,
/// `now` of a monotonic clock.
struct ProcessorBudget: Sendable {
    /// The time in which an empty bucket refills.
    static let window = 1_000_000_000
    /// The longest time after which a network may work again.
    static let longestWait = 4_000_000_000

    private let share: Int
    private let siteShare: Int
    private var fullAt: ExpiringTable<ClientNetwork, Int>
    /// When all buckets are full.
    private(set) var lastFullAt = 0

    /// The CPU time per second of a network, and of all networks of a site.
    init(share: Int, ofSite siteShare: Int, capacity: Int = 65_536) {
        (self.share, self.siteShare) = (max(1, share), max(1, siteShare))
        fullAt = ExpiringTable(capacity: capacity, lifetime: Self.window + Self.longestWait, fresh: 0)
    }

    mutating func charge(_ time: Int, to network: ClientNetwork, now: Int) {
        for (key, share) in [(network, share), (network.site, siteShare)] {
            let refill = min(time, Self.longestWait) * Self.window / share
            let full = fullAt.update(key, now: now) { fullAt in
                fullAt = min(max(fullAt, now) + refill, now + Self.window + Self.longestWait)
                return fullAt
            }
            lastFullAt = max(lastFullAt, full)
        }
    }

    /// The time until a network may work again; 0 when it may.
    func wait(of network: ClientNetwork, now: Int) -> Int {
        max(0, max(fullAt[network], fullAt[network.site]) - Self.window - now)
    }
}

/// The CPU time that the networks use on all event loops and on other threads.
final class SharedProcessorBudget: Sendable {
    private let budget: Mutex<ProcessorBudget>
    /// When all buckets are full: most of the time this alone shows that no network is over its share.
    private let lastFullAt = Atomic<Int>(0)

    init(share: Duration, ofSite siteShare: Duration) {
        budget = Mutex(ProcessorBudget(share: share.nanoseconds, ofSite: siteShare.nanoseconds))
    }

    func charge(_ time: Int, to network: ClientNetwork, now: Int) {
        budget.withLock { budget in
            budget.charge(time, to: network, now: now)
            lastFullAt.store(budget.lastFullAt, ordering: .relaxed)
        }
    }

    func wait(of network: ClientNetwork, now: Int) -> Int {
        guard lastFullAt.load(ordering: .relaxed) - now > ProcessorBudget.window else { return 0 }
        return budget.withLock { $0.wait(of: network, now: now) }
    }
}

/// Counts the CPU time of the threads that work for a request on which an event loop does not work.
struct WorkMeter: Sendable {
    let budget: SharedProcessorBudget
    let network: ClientNetwork
    let now: @Sendable () -> Int

    /// Counts CPU time, in nanoseconds. May be called from any thread.
    func charge(_ time: Int) {
        budget.charge(time, to: network, now: now())
    }
}
