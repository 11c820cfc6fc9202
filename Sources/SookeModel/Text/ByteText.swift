import Bytes

/// Text that is compared by its UTF-8 bytes, as a key in indexes and dictionaries.
///
/// `String` compares by canonical equivalence, for which `"é"` and `"e\u{301}"` are equal; it is also slower.
public struct ByteText: Sendable {
    public let text: String

    /// A key of a text, which is neither checked nor changed.
    @inlinable
    public init(_ text: String) {
        self.text = text
    }
}

extension ByteText: Hashable, Comparable {
    @inlinable
    public static func == (left: ByteText, right: ByteText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    @inlinable
    public static func < (left: ByteText, right: ByteText) -> Bool {
        left.text.withUTF8Bytes { left in right.text.withUTF8Bytes { left.bytewiseOrder(to: $0) < 0 } }
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        text.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
