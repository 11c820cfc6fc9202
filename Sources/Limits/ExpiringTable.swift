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
    /// When `recent` was begun.
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
