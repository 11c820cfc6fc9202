/// How much a `JSONReader` accepts, so that hostile input costs little. Beyond a limit reading fails with a
/// `JSONError`.
public struct JSONLimits: Sendable, Equatable {
    /// How many objects and arrays may be open inside one another.
    public var depth: Int
    /// How many keys one object may have.
    public var keys: Int
    /// How long one string may be: bytes between its quotes, as they stand in the document.
    public var stringBytes: Int
    /// How long one key may be, in the same bytes. Callers compare keys and quote unknown ones, so they are short.
    public var keyBytes: Int

    /// Limits for input from strangers: 64 levels, 10,000 keys in one object, 1 MiB in one string, 256 bytes in one
    /// key.
    public init(depth: Int = 64, keys: Int = 10_000, stringBytes: Int = 1 << 20, keyBytes: Int = 256) {
        self.depth = depth
        self.keys = keys
        self.stringBytes = stringBytes
        self.keyBytes = keyBytes
    }

    /// Limits for files that this program wrote itself: 64 levels, as many keys and as long strings as there are; the
    /// keys are those of records.
    public static let trusted = JSONLimits(keys: .max, stringBytes: .max)
}
