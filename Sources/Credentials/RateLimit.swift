import Bytes

/// A rate limit: one token bucket per client, which holds the quota and refills evenly.
///
/// A bucket is stored as the time at which it will be full again (the virtual scheduling of ITU-T I.371, annex A). At
/// most `capacity` buckets are stored. A bucket that is not full is never dropped; when the table is full, new clients
/// share one bucket, and known clients have their own.
///
/// It has no lock of its own; time is nanoseconds of a monotonic clock.
package struct RateLimit<Key: Hashable & Sendable>: Sendable {
    package let policy: RateLimitPolicy
    /// When the bucket of a client is full again.
    private var fullAt: ExpiringTable<Key, Int>

    package init(_ policy: RateLimitPolicy, capacity: Int = 65_536) {
        self.policy = policy
        fullAt = ExpiringTable(capacity: capacity, lifetime: policy.window * 1_000_000_000, fresh: .min)
    }

    package var bucketCount: Int { fullAt.count }

    /// Decides about a request, and counts it if it is allowed.
    ///
    /// - Parameter key: the client: its token, or its address (of IPv6 the network).
    package mutating func take(_ key: Key, now: Int) -> RateLimitDecision {
        let (interval, whole) = (policy.interval, policy.interval * policy.quota)
        return fullAt.update(key, now: now) { fullAt in
            let after = max(fullAt, now) + interval
            let isAllowed = after - now <= whole
            if isAllowed { fullAt = after }
            // The missing part of the bucket, as the time to refill it.
            let missing = fullAt - now
            let remaining = (whole - missing) / interval
            let untilNext = missing - interval * (policy.quota - remaining - 1)
            return RateLimitDecision(
                policy: policy, isAllowed: isAllowed, remaining: remaining,
                resetSeconds: (untilNext + 999_999_999) / 1_000_000_000)
        }
    }
}

/// The number of requests that a client may make in a window of time.
package struct RateLimitPolicy: Sendable, Hashable {
    /// The name of the policy in header fields.
    package let name: String
    /// The number of requests at once, and again over a window.
    package let quota: Int
    /// Seconds in which an exhausted quota is restored.
    package let window: Int

    /// A policy; nil unless the quota is 1 to 1,000,000, the window 1 second to a day, and the name 1 to 64 letters,
    /// digits or hyphens of ASCII.
    package init?(name: String, quota: Int, window: Int) {
        guard 1...1_000_000 ~= quota, 1...86_400 ~= window, 1...64 ~= name.utf8.count,
            name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        (self.name, self.quota, self.window) = (name, quota, window)
        fieldValue = "\"\(name)\";q=\(quota);w=\(window)"
    }

    /// The value of the field `RateLimit-Policy`, such as `"default";q=100;w=60`
    /// (draft-ietf-httpapi-ratelimit-headers-10, section 3).
    package let fieldValue: String

    /// Nanoseconds per request; at least 1,000.
    var interval: Int { window * 1_000_000_000 / quota }
}

package struct RateLimitDecision: Sendable, Equatable {
    package let policy: RateLimitPolicy
    /// Whether the request is allowed. If not: 429 with `Retry-After` of `resetSeconds`.
    package let isAllowed: Bool
    /// The number of further requests that are allowed now.
    package let remaining: Int
    /// Seconds, rounded up, until there is one request more than `remaining`.
    package let resetSeconds: Int

    /// The values of the fields `RateLimit` and `RateLimit-Policy`, such as `"default";r=50;t=30` and
    /// `"default";q=100;w=60` (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4).
    package var fieldValues: (rateLimit: [UInt8], policy: String) {
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
