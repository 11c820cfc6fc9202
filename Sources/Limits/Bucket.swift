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
    package init(name: String = "", quota: Int, seconds: Double, longestWait: Double = 0, capacity: Int = 65_536) {
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

/// A value for each key, with a lifetime and a maximum size, for keys that clients choose.
///
/// A live value is never removed to make room, so a client cannot evict a value by adding many keys. When the table is
/// full, new keys share one value until others expire. It never searches for expired values: there are two
/// dictionaries, and the older one is dropped as a whole once its values have not been updated for a lifetime.
package struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let lifetime: Int
    private let fresh: Value
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    private var shared: Value
    private var turnedAt: Int?

    /// - Parameters:
    ///   - lifetime: nanoseconds; a value that was not updated for so long is equivalent to `fresh`.
    ///   - fresh: the value of an absent key.
    package init(capacity: Int, lifetime: Int, fresh: Value) {
        (self.capacity, self.lifetime, self.fresh, shared) = (capacity, lifetime, fresh, fresh)
    }

    package var count: Int { recent.count + older.count }

    package subscript(key: Key) -> Value {
        recent[key] ?? older[key] ?? (count < capacity ? fresh : shared)
    }

    /// Updates the value of a key, which extends its lifetime. `now` is nanoseconds and never goes back.
    package mutating func update<Result>(_ key: Key, now: Int, _ change: (inout Value) -> Result) -> Result {
        turn(now)
        if let index = recent.index(forKey: key) { return change(&recent.values[index]) }
        guard var value = older.removeValue(forKey: key) ?? (count < capacity ? fresh : nil)
        else { return change(&shared) }
        defer { recent[key] = value }
        return change(&value)
    }

    /// Removes a key; false when it had no value of its own.
    @discardableResult
    package mutating func remove(_ key: Key) -> Bool {
        recent.removeValue(forKey: key) != nil || older.removeValue(forKey: key) != nil
    }

    private mutating func turn(_ now: Int) {
        guard let began = turnedAt else { return turnedAt = now }
        guard now - began >= lifetime else { return }
        older = now - began < 2 * lifetime ? recent : [:]
        recent = [:]
        turnedAt = now
    }
}
