import Platform
import Synchronization
import TestSupport
import Testing

@testable import Service

/// Who follows, and who is woken.
@Suite struct FeedTests {
    /// A client that counts its wake-ups.
    private final class Client: Sendable {
        private let count = Mutex(0)
        private let signals = AsyncStream.makeStream(of: Void.self)

        var wakeups: Int { count.withLock { $0 } }

        func wake() {
            count.withLock { $0 += 1 }
            signals.continuation.yield()
        }

        /// Waits for the next wake-up.
        func isWoken() async {
            for await _ in signals.stream { return }
        }
    }

    private let clock = TestClock()
    private let network = ClientNetwork(localUser: 1)

    private func feed(limit: Int = 10) -> Feed { Feed(clock: clock.source, limit: limit) }

    private func add(_ client: Client, to feed: Feed, until deadline: Int = .max) throws -> Int {
        let id = try feed.join(at: 1, from: network)
        #expect(feed.wait(id, at: 1, until: deadline) { client.wake() })
        return id
    }

    @Test(arguments: [1, 2, 5])
    func soManyFollow(limit: Int) throws {
        let feed = feed(limit: limit)
        let ids = try (1...limit).map { try feed.join(at: $0, from: network) }
        #expect(Set(ids).count == limit)
        #expect(feed.statistics(at: 9).followers == limit)
        #expect(feed.statistics(at: 9).lag == 8)
        #expect(throws: ServiceError.self) { try feed.join(at: 1, from: network) }
        for id in ids {
            feed.leave(id)
            feed.leave(id)
            let next = try feed.join(at: 7, from: network)
            #expect(!ids.contains(next))
            #expect(throws: ServiceError.self) { try feed.join(at: 7, from: network) }
        }
        #expect(feed.statistics(at: 9).lag == 2)
        #expect(feed.statistics(at: 3).lag == 0)
        feed.stop()
    }

    /// Who loses a place when all are taken by networks of some sites, each with so many. Sites are the third number of an
    /// address, networks the fourth. Nobody does when the new one's own has nearly as many.
    @Test(
        arguments: [
            // Forty attackers of one site, of two, and of forty: a place is left, of the network with the most.
            ((1...40).map { ([1, $0], 2) }, [9, 1], [1, 40]),
            ((1...40).map { ([$0 % 2, $0], $0 == 7 ? 3 : 2) }, [9, 1], [1, 7]),
            ((1...40).map { ([$0, 1], $0 == 3 ? 52 : 51) }, [41, 1], [3, 1]),
            // In the largest site those lose places that have more than others there.
            ([([1, 1], 30), ([1, 2], 1)], [1, 3], [1, 1]), ([([1, 1], 30), ([1, 2], 29)], [1, 2], nil),
            ((1...40).map { ([1, $0], 1) }, [1, 99], nil), ([([1, 1], 20), ([2, 1], 20)], [2, 2], [2, 1]),
        ] as [([([UInt8], Int)], [UInt8], [UInt8]?)])
    func placesBySite(others: [([UInt8], Int)], new: [UInt8], loser: [UInt8]?) throws {
        func network(_ numbers: [UInt8]) -> ClientNetwork { ClientNetwork(addressBytes: [10, 0] + numbers) }
        let feed = feed(limit: others.reduce(0) { $0 + $1.1 })
        var last: [[UInt8]: Int] = [:]
        for (numbers, count) in others {
            for _ in 0..<count { last[numbers] = try feed.join(at: 1, from: network(numbers)) }
        }
        let joined = try? feed.join(at: 1, from: network(new))
        #expect((joined == nil) == (loser == nil))
        #expect(last.filter { !feed.isFollowing($0.value) }.map(\.key) == (loser.map { [$0] } ?? []))
        feed.stop()
    }

    /// A commit wakes each client that waits, once.
    @Test func aCommitWakesOnce() async throws {
        let feed = feed()
        let (once, left, again) = (Client(), Client(), Client())
        _ = try add(once, to: feed)
        feed.leave(try add(left, to: feed))
        let id = try add(again, to: feed)
        feed.publish()
        await once.isWoken()
        for round in 1...3 {
            await again.isWoken()
            #expect(again.wakeups == round)
            #expect(feed.wait(id, at: 1, until: .max) { again.wake() })
            feed.publish()
        }
        await again.isWoken()
        #expect([once, left].map(\.wakeups) == [1, 0])
        feed.stop()
    }

    /// Only those whose time has come are woken without a commit.
    @Test func aDeadlineWakes() async throws {
        let feed = feed()
        let (due, later) = (Client(), Client())
        let now = feed.now()
        _ = try add(due, to: feed, until: now + 1_000_000_000)
        _ = try add(later, to: feed, until: now + 2_000_000_001)
        clock.advance(bySeconds: 2)
        await due.isWoken()
        #expect(later.wakeups == 0)
        feed.stop()
    }
}
