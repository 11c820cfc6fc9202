/// The limits of a `JSONReader`, which bound the cost of hostile input. Exceeding a limit is a `JSONError`.
public struct JSONLimits: Sendable, Equatable {
    /// The maximum nesting depth of objects and arrays.
    public var depth: Int
    /// The maximum number of keys in one object.
    public var keys: Int
    /// The maximum length of a string: bytes between its quotes in the document.
    public var stringBytes: Int
    /// The maximum length of a key, in the same bytes. Callers compare keys and quote unknown ones, so they are short.
    public var keyBytes: Int

    /// Limits for input from clients: 64 levels, 10,000 keys per object, 1 MiB per string, 256 bytes per key.
    public init(depth: Int = 64, keys: Int = 10_000, stringBytes: Int = 1 << 20, keyBytes: Int = 256) {
        self.depth = depth
        self.keys = keys
        self.stringBytes = stringBytes
        self.keyBytes = keyBytes
    }

    /// Limits for files that this program wrote itself: 64 levels, any number of keys and any length of strings; the
    /// keys are those of records.
    public static let trusted = JSONLimits(keys: .max, stringBytes: .max)
}
