import Bytes
import Platform
import Synchronization

/// Wakes the clients that follow the changes of the town, and counts them.
///
/// A client is a position in the history and a function to wake it. It takes the commits after its position from the
/// published version when it can send them: nothing is queued for it, and a slow client costs the others nothing.
///
/// The clients are woken on a thread of their own, so that the commit thread does not wait; that thread is started with
/// the first client.
package final class Feed: Sendable {
    package struct Statistics: Sendable {
        package var followers = 0
        /// Because their position could not be continued.
        package var resets = 0
        package var revocations = 0
        package var slow = 0
        package var displaced = 0
        package var lag = 0
    }

    private struct Waiter {
        /// When to wake it even without a commit, in monotonic nanoseconds.
        let deadline: Int
        let wake: @Sendable () -> Void
    }

    private struct Place {
        /// It has taken the commits up to here.
        var position: Int
        let network: ClientNetwork
    }

    private struct State {
        var waiting: [Int: Waiter] = [:]
        var places: [Int: Place] = [:]
        /// In the order in which they came.
        var sites: [ClientNetwork: [Int]] = [:]
        var lastID = 0
        var isStarted = false
        var isStopped = false
        var statistics = Statistics()

        mutating func add(at sequence: Int, from network: ClientNetwork) -> Int {
            lastID += 1
            places[lastID] = Place(position: sequence, network: network)
            sites[network.site, default: []].append(lastID)
            return lastID
        }

        mutating func remove(_ id: Int) -> Waiter? {
            guard let site = places.removeValue(forKey: id)?.network.site else { return nil }
            sites[site]?.removeAll { $0 == id }
            if sites[site]?.isEmpty == true { sites[site] = nil }
            return waiting.removeValue(forKey: id)
        }

        /// Of the site with the most, and there of the network with the most, the last client. Those that were there
        /// before a flood stay. Nil when no other site, and no other network of the same site, has many more than that
        /// one.
        func victim(for network: ClientNetwork) -> Int? {
            let own = sites[network.site] ?? []
            guard let most = sites.values.max(by: { $0.count < $1.count }), most.count > Feed.safePlaces else {
                return nil
            }
            let isOther = most.count > own.count + 1
            let line = isOther ? most : own
            let counts = Dictionary(line.compactMap { places[$0].map { ($0.network, 1) } }, uniquingKeysWith: +)
            guard let largest = counts.values.max(), isOther || largest > (counts[network] ?? 0) + 1 else { return nil }
            return line.last { places[$0].map { counts[$0.network] == largest } ?? false }
        }
    }

    /// A site with so many clients, or fewer, loses none to others.
    static let safePlaces = 8
    /// Nanoseconds between two bookmarks of a stream without changes.
    package static let heartbeat = 15_000_000_000
    /// Milliseconds between two rounds: under many commits a second, each delivers several.
    private static let pause = 3

    private let clock: TimeSource
    private let limit: Int
    private let state = Mutex(State())
    /// Since the last round.
    private let isPublished = Atomic<Bool>(false)
    private let signal = Semaphore()

    package init(clock: TimeSource, limit: Int) {
        (self.clock, self.limit) = (clock, limit)
    }

    package func statistics(at sequence: Int) -> Statistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.followers = state.places.count
            statistics.lag = state.places.values.map(\.position).min().map { max(0, sequence - $0) } ?? 0
            return statistics
        }
    }

    package func count(_ change: (inout Statistics) -> Void) {
        state.withLock { change(&$0.statistics) }
    }

    package var isStopped: Bool { state.withLock(\.isStopped) }

    package func isFollowing(_ id: Int) -> Bool { state.withLock { !$0.isStopped && $0.places[id] != nil } }

    /// Monotonic nanoseconds.
    package func now() -> Int { clock.monotonic() }

    /// When no place is free, it takes one from the site that has most. Throws `overloaded` at the limit, or at a stop.
    package func join(at sequence: Int, from network: ClientNetwork) throws(ServiceError) -> Int {
        var displaced: Waiter?
        let joined = state.withLock { state -> (id: Int, isFirst: Bool)? in
            if state.isStopped { return nil }
            if state.places.count >= limit {
                guard let victim = state.victim(for: network) else { return nil }
                displaced = state.remove(victim)
                state.statistics.displaced += 1
            }
            defer { state.isStarted = true }
            return (state.add(at: sequence, from: network), !state.isStarted)
        }
        displaced?.wake()
        guard let joined else { throw .overloaded }
        if joined.isFirst { try start() }
        return joined.id
    }

    package func leave(_ id: Int) {
        _ = state.withLock { $0.remove(id) }
    }

    /// Wakes a client once: at the next commit, or at a monotonic time in nanoseconds.
    /// Returns false when it need not wait, because it was removed or all streams must end.
    package func wait(
        _ id: Int, at sequence: Int, until deadline: Int, _ wake: @escaping @Sendable () -> Void
    ) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.places[id] != nil else { return false }
            state.places[id]?.position = sequence
            state.waiting[id] = Waiter(deadline: deadline, wake: wake)
            return true
        }
    }

    package func publish() {
        if !isPublished.exchange(true, ordering: .acquiringAndReleasing) { signal.signal() }
    }

    package func stop() {
        state.withLock { $0.isStopped = true }
        wakeAll()
        signal.signal()
    }

    private func start() throws(ServiceError) {
        do throws(SystemError) {
            try Thread.start(name: "feed") { [self] in
                while !isStopped { wakeNext() }
            }
        } catch {
            state.withLock { $0.isStarted = false }
            throw .overloaded
        }
    }

    private func wakeNext() {
        if signal.wait(milliseconds: 1000) {
            isPublished.store(false, ordering: .releasing)
            wakeAll()
            Thread.sleep(.milliseconds(Self.pause))
        } else {
            let now = clock.monotonic()
            wake { $0.deadline <= now }
        }
    }

    private func wakeAll() {
        wake { _ in true }
    }

    private func wake(where isDue: (Waiter) -> Bool) {
        let due = state.withLock { state -> [Waiter] in
            let due = state.waiting.filter { isDue($0.value) }
            for id in due.keys { state.waiting[id] = nil }
            return Array(due.values)
        }
        for waiter in due { waiter.wake() }
    }
}
