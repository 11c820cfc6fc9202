import TestSupport
import Testing

@testable import Limits

/// Requests against a quota, what is paid for afterwards, and the header fields.
@Suite struct BucketTests {
    private static let second = 1_000_000_000

    private static func limit(_ quota: Int, _ window: Int, capacity: Int = 100) -> Bucket<String> {
        Bucket(name: "default", quota: quota, seconds: Double(window), capacity: capacity)
    }

    /// Ten requests in 60 seconds: one is refilled every 6 seconds.
    @Test func theQuotaAtOnceThenEvenly() throws {
        var limit = Self.limit(10, 60)
        let steps: [(at: Double, times: Int, isAllowed: Bool, remaining: Int, reset: Int)] = [
            (0, 1, true, 9, 6), (0, 4, true, 5, 6), (0, 5, true, 0, 6), (0, 3, false, 0, 6),
            (0.5, 1, false, 0, 6), (5, 1, false, 0, 1), (5.999, 1, false, 0, 1), (6, 1, true, 0, 6),
            (6, 1, false, 0, 6), (24, 1, true, 2, 6), (25.5, 1, true, 1, 5), (1_000, 1, true, 9, 6),
        ]
        for (number, step) in steps.enumerated() {
            var decision: BucketDecision?
            for _ in 0..<step.times { decision = limit.take("a", now: Int(step.at * Double(Self.second))) }
            let last = try #require(decision)
            #expect(last.isAllowed == step.isAllowed, "step \(number)")
            #expect(last.remaining == step.remaining, "step \(number)")
            #expect(last.resetSeconds == step.reset, "step \(number)")
        }
    }

    /// A client that retries after `Retry-After` is admitted.
    @Test(arguments: [(1, 1), (1, 86_400), (7, 60), (100, 60), (1_000, 1), (3, 2)])
    func theResetIsTrue(quota: Int, window: Int) throws {
        var limit = Self.limit(quota, window)
        var now = 12_345
        while limit.take("a", now: now).isAllowed {}
        for _ in 0..<20 {
            let refused = limit.take("a", now: now)
            #expect(!refused.isAllowed && refused.remaining == 0 && refused.resetSeconds >= 1)
            now += refused.resetSeconds * Self.second
            var count = 0
            while limit.take("a", now: now).isAllowed { count += 1 }
            #expect(count >= 1)
        }
    }

    /// No window admits more than the initial quota and the refilled one.
    @Test func noMoreThanAllowedHoweverRequestsCome() throws {
        var random = SplitMix64(seed: 30)
        for quota in [1, 3, 50] {
            var limit = Self.limit(quota, 10)
            var (now, allowed) = (0, [Int]())
            for _ in 0..<2_000 {
                now += random.below(Self.second)
                if limit.take("a", now: now).isAllowed { allowed.append(now) }
            }
            let counts = allowed.indices.map { first in
                allowed[first...].prefix { $0 < allowed[first] + 10 * Self.second }.count
            }
            #expect(counts.max() ?? 0 <= 2 * quota)
            #expect(allowed.count <= quota + now / (10 * Self.second / quota))
        }
    }

    @Test func aFloodOfClientsNeitherGrowsItNorResetsAnybody() throws {
        var limit = Self.limit(2, 60, capacity: 10)
        while limit.take("a", now: 0).isAllowed {}
        for number in 0..<1_000 {
            _ = limit.take("client \(number)", now: number)
            #expect(limit.count <= 10)
        }
        let soon = ["a", "new"].map { limit.take($0, now: 10_000).isAllowed }
        #expect(soon == [false, false], "those without room share a bucket")
        let later = limit.take("new", now: 30 * Self.second + 10_000)
        #expect(later.isAllowed)
    }

    @Test func fields() {
        var limit = Self.limit(100, 60)
        for _ in 1..<50 { _ = limit.take("a", now: 0) }
        let decision: BucketDecision? = limit.take("a", now: 0)
        #expect(decision?.rateLimit == Array("\"default\";r=50;t=1".utf8))
        #expect(decision?.policy == "\"default\";q=100;w=60")
    }

    /// What is paid for afterwards may be more than there was; then it is waited for, up to the longest wait.
    @Test(arguments: [(99, 1, 0), (100, 0, 0), (100, 1, 1), (150, 0, 50), (150, 1, 51), (1_000, 0, 500), (-5, 1, 0)])
    func whatIsPaidForAfterwards(cost: Int, next: Int, seconds: Int) {
        var bucket = Bucket<String>(quota: 100, seconds: 100, longestWait: 500)
        bucket.charge(cost, to: "a", now: 0)
        #expect(bucket.wait("a", for: next, now: 0) == min(seconds, 500 + next) * Self.second)
        #expect(bucket.wait("a", for: next, now: 10 * Self.second) == max(0, min(seconds, 500) - 10) * Self.second)
        #expect(bucket.wait("b", for: 100, now: 0) == 0)
        bucket.charge(-cost, to: "a", now: 0)
        if 0...600 ~= cost { #expect(bucket.wait("a", for: 100, now: 0) == 0) }
    }

    /// A key with another quota, and one whose bucket is filled.
    @Test func quotasDiffer() {
        var bucket = Bucket<String>(quota: 100, seconds: 100, longestWait: 500)
        for key in ["a", "b"] { bucket.charge(15, of: 10, to: key, now: 0) }
        #expect(bucket.wait("a", of: 10, now: 0) == 50 * Self.second)
        #expect(bucket.wait("a", for: 1, of: 10, now: 0) == 60 * Self.second)
        bucket.fill("a")
        #expect(bucket.wait("a", for: 10, of: 10, now: 0) == 0 && bucket.wait("b", now: 0) > 0)
    }
}
