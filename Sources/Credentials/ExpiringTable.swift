/// A value for each key, for keys that strangers choose: it forgets by itself and never holds more than it may.
///
/// What is alive is never dropped to make room, so nobody can rid himself of a value by bringing many other keys. Keys
/// that find no room share one value instead until some has become free. Nothing is ever searched: there are two
/// dictionaries, and the older is dropped whole once its values have not been touched for a lifetime.
struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let lifetime: Int
    private let fresh: Value
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    private var shared: Value
    /// When `recent` was begun.
    private var turnedAt: Int?

    /// A table of at most `capacity` values.
    ///
    /// - Parameters:
    ///   - lifetime: nanoseconds; a value that was not touched for so long says no more than `fresh`.
    ///   - fresh: the value of a key that is not there.
    init(capacity: Int, lifetime: Int, fresh: Value) {
        (self.capacity, self.lifetime, self.fresh, shared) = (capacity, lifetime, fresh, fresh)
    }

    /// The values that are held, those that nobody has asked for since they became too old included.
    var count: Int { recent.count + older.count }

    /// The value of a key, or the shared one when the key would find no room.
    subscript(key: Key) -> Value {
        recent[key] ?? older[key] ?? (count < capacity ? fresh : shared)
    }

    /// Changes the value of a key, which it touches. `now` is nanoseconds and never goes back.
    mutating func update<Result>(_ key: Key, now: Int, _ change: (inout Value) -> Result) -> Result {
        turn(now)
        if let index = recent.index(forKey: key) { return change(&recent.values[index]) }
        guard var value = older.removeValue(forKey: key) ?? (count < capacity ? fresh : nil)
        else { return change(&shared) }
        defer { recent[key] = value }
        return change(&value)
    }

    /// Forgets a key; false when it had no value of its own.
    @discardableResult
    mutating func remove(_ key: Key) -> Bool {
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
