import Bytes

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
    private var fullAt: ExpiringTable<Key, Int>

    /// A limit that has seen no request.
    ///
    /// - Parameter capacity: how many clients it tells apart.
    public init(_ policy: RateLimitPolicy, capacity: Int = 65_536) {
        self.policy = policy
        fullAt = ExpiringTable(capacity: capacity, lifetime: policy.window * 1_000_000_000, fresh: .min)
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

/// How many requests a client may make in a window of time.
public struct RateLimitPolicy: Sendable, Hashable {
    /// What the policy is called in fields.
    public let name: String
    /// So many requests at once, and as many again over a window.
    public let quota: Int
    /// Seconds in which a used-up quota is whole again.
    public let window: Int

    /// A policy; nil unless the quota is 1 to 1,000,000, the window 1 second to a day, and the name 1 to 64 letters,
    /// digits or hyphens of ASCII.
    public init?(name: String, quota: Int, window: Int) {
        guard 1...1_000_000 ~= quota, 1...86_400 ~= window, 1...64 ~= name.utf8.count,
            name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        (self.name, self.quota, self.window) = (name, quota, window)
        fieldValue = "\"\(name)\";q=\(quota);w=\(window)"
    }

    /// The value of the field `RateLimit-Policy`, such as `"default";q=100;w=60`
    /// (draft-ietf-httpapi-ratelimit-headers-10, section 3).
    public let fieldValue: String

    /// Nanoseconds in which one request becomes free; at least 1,000.
    var interval: Int { window * 1_000_000_000 / quota }
}

/// What a rate limit says to a request.
public struct RateLimitDecision: Sendable, Equatable {
    /// The policy by which it was decided.
    public let policy: RateLimitPolicy
    /// Whether the request is to be answered. If not: 429 with `Retry-After` of `resetSeconds`.
    public let isAllowed: Bool
    /// The requests that could follow at once.
    public let remaining: Int
    /// Seconds, rounded up, until there is one request more than `remaining`.
    public let resetSeconds: Int

    /// The values of the fields `RateLimit` and `RateLimit-Policy`, such as `"default";r=50;t=30` and
    /// `"default";q=100;w=60` (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4).
    public var fieldValues: (rateLimit: [UInt8], policy: String) {
        var rateLimit: [UInt8] = []
        rateLimit.reserveCapacity(96)
        rateLimit.append("\"")
        rateLimit.append(utf8: policy.name)
        rateLimit.append("\";r=")
        rateLimit.append(decimal: remaining)
        rateLimit.append(";t=")
        rateLimit.append(decimal: resetSeconds)
        return (rateLimit, policy.fieldValue)
    }
}
