/// How much a `JSONReader` accepts, so that hostile input costs little. Beyond a limit reading fails with a `JSONError`.
public struct JSONLimits: Sendable, Equatable {
    /// How many objects and arrays may be open inside one another.
    public var depth: Int
    /// How many keys one object may have.
    public var keys: Int
    /// How long one string or key may be: bytes between its quotes, as they stand in the document.
    public var stringBytes: Int

    /// Limits for input from strangers: 64 levels, 10,000 keys in one object, 1 MiB in one string.
    public init(depth: Int = 64, keys: Int = 10_000, stringBytes: Int = 1 << 20) {
        self.depth = depth
        self.keys = keys
        self.stringBytes = stringBytes
    }

    /// Limits for files that this program wrote itself: 64 levels, as many keys and as long strings as there are.
    public static let trusted = JSONLimits(keys: .max, stringBytes: .max)
}
