/// Counts the requests of clients against a policy: a token bucket a client, which holds the quota and fills evenly.
///
/// A bucket is kept as the one moment at which it will be full again (the virtual scheduling of ITU-T I.371, annex A).
/// At most `capacity` buckets are held. A bucket that is not full is never dropped; while there is no room, new clients
/// share one bucket, and clients that are known have their own.
///
/// It has no lock of its own; time is nanoseconds of a clock that never goes back.
public struct RateLimit<Key: Hashable & Sendable>: Sendable {
    /// What is allowed.
    public let policy: RateLimitPolicy
    /// When the bucket of a client is full again.
    private var fullAt: RecentTable<Key, Int>

    /// A limit that has seen no request.
    ///
    /// - Parameter capacity: how many clients it tells apart.
    public init(_ policy: RateLimitPolicy, capacity: Int = 65_536) {
        self.policy = policy
        fullAt = RecentTable(capacity: capacity, lifetime: policy.window * 1_000_000_000, fresh: .min)
    }

    /// The buckets held.
    public var bucketCount: Int { fullAt.count }

    /// Decides on a request, and counts it when it is allowed.
    ///
    /// - Parameters:
    ///   - key: the client: its token, or its address (of IPv6 the network).
    ///   - now: nanoseconds.
    public mutating func take(_ key: Key, now: Int) -> RateLimitDecision {
        let (interval, whole) = (policy.interval, policy.interval * policy.quota)
        return fullAt.update(key, now: now) { fullAt in
            let after = max(fullAt, now) + interval
            let isAllowed = after - now <= whole
            if isAllowed { fullAt = after }
            // What is missing from the bucket, as the time it takes to come back.
            let missing = fullAt - now
            let remaining = (whole - missing) / interval
            let untilNext = missing - interval * (policy.quota - remaining - 1)
            return RateLimitDecision(
                policy: policy, isAllowed: isAllowed, remaining: remaining,
                resetSeconds: (untilNext + 999_999_999) / 1_000_000_000)
        }
    }
}
