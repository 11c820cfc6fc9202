import Bytes

/// What each key may use in a time: a bucket that holds a quota and refills evenly.
///
/// A bucket is stored as the time at which it will be full again (the virtual scheduling of ITU-T I.371, annex A). At
/// most `capacity` buckets are stored. A bucket that is not full is never dropped; when the table is full, new keys
/// share one bucket, and known keys have their own.
///
/// It has no lock of its own; time is nanoseconds of a monotonic clock.
package struct Bucket<Key: Hashable & Sendable>: Sendable {
    private let name: String
    private let quota: Int
    /// The time in which an empty bucket refills.
    private let window: Int
    private let policy: String
    private let longestWait: Int
    private var fullAt: ExpiringTable<Key, Int>
    package private(set) var lastFullAt = Int.min / 2

    /// - Parameter longestWait: for `charge`, the longest time in seconds after which a key may use something again.
    package init(
        name: String = "", quota: Int, seconds: Double, longestWait: Double = 0, capacity: Int = 65_536
    ) {
        (self.name, self.quota) = (name, max(1, quota))
        (window, self.longestWait) = (Int(seconds * 1e9), Int(longestWait * 1e9))
        policy = "\"\(name)\";q=\(quota);w=\(Int(seconds))"
        fullAt = ExpiringTable(capacity: capacity, lifetime: window + self.longestWait, fresh: .min / 2)
    }

    package var count: Int { fullAt.count }

    package mutating func take(_ key: Key, now: Int) -> BucketDecision {
        let interval = window / quota
        return fullAt.update(key, now: now) { fullAt in
            let after = max(fullAt, now) + interval
            let isAllowed = after - now <= interval * quota
            if isAllowed { fullAt = after }
            // The missing part of the bucket, as the time to refill it.
            let missing = fullAt - now
            let remaining = (interval * quota - missing) / interval
            let untilNext = missing - interval * (quota - remaining - 1)
            return BucketDecision(
                isAllowed: isAllowed, remaining: remaining, resetSeconds: (untilNext + 999_999_999) / 1_000_000_000,
                name: name, policy: policy)
        }
    }

    /// Takes what was used already, even if it is more than there was; a negative cost is given back. `quota` is that
    /// of the key, if it has another one.
    package mutating func charge(_ cost: Int, of quota: Int? = nil, to key: Key, now: Int) {
        let time = refill(cost, of: quota)
        let latest = now + window + longestWait
        let full = fullAt.update(key, now: now) { fullAt in
            fullAt = min(max(fullAt, now) + time, latest)
            return fullAt
        }
        lastFullAt = max(lastFullAt, full)
    }

    /// The time until a key may use something, 0 when it may: `cost` must be there; with 0, all may be used up, but not
    /// more.
    package func wait(_ key: Key, for cost: Int = 0, of quota: Int? = nil, now: Int) -> Int {
        max(0, readyAt(key, for: cost, of: quota) - now)
    }

    package func readyAt(_ key: Key, for cost: Int = 0, of quota: Int? = nil) -> Int {
        fullAt[key] + refill(cost, of: quota) - window
    }

    package mutating func fill(_ key: Key) { fullAt.remove(key) }

    private func refill(_ cost: Int, of quota: Int?) -> Int {
        let time = Double(cost) * Double(window) / Double(max(1, quota ?? self.quota))
        let most = Double(window + longestWait)
        return Int(exactly: max(-most, min(time, most)).rounded()) ?? 0
    }
}

package struct BucketDecision: Sendable, Equatable {
    /// If not: 429 with `Retry-After` of `resetSeconds`.
    package let isAllowed: Bool
    package let remaining: Int
    /// Seconds, rounded up, until there is one request more than `remaining`.
    package let resetSeconds: Int
    fileprivate let name: String
    /// The value of the field `RateLimit-Policy`, such as `"writes";q=100;w=60`
    /// (draft-ietf-httpapi-ratelimit-headers-10, section 3).
    package let policy: String

    /// The value of the field `RateLimit`, such as `"writes";r=50;t=30` (section 4).
    package var rateLimit: [UInt8] {
        var field: [UInt8] = []
        field.reserveCapacity(96)
        field.append("\"")
        field.append(utf8: name)
        field.append("\";r=")
        field.append(decimal: remaining)
        field.append(";t=")
        field.append(decimal: resetSeconds)
        return field
    }
}
