/// A folded word of at most 32 bytes; of a longer one its start.
///
/// A value without a reference: the words of a chunk of a map are copied at once, and compared in four steps.
@frozen public struct Word: Hashable, Sendable {
    /// The bytes, the first one highest, with zeros after the last.
    @usableFromInline var parts: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    @inlinable public static var capacity: Int { 32 }

    @inlinable public init() {}

    /// The word of some bytes, none of them zero.
    @inlinable public init(_ bytes: some Collection<UInt8>) {
        for (index, byte) in bytes.prefix(Self.capacity).enumerated() { self[index] = byte }
    }

    /// A byte; only a zero may be replaced.
    @inlinable public subscript(index: Int) -> UInt8 {
        get { UInt8(truncatingIfNeeded: part(index >> 3) >> Self.shift(index)) }
        set {
            let bits = UInt64(newValue) << Self.shift(index)
            switch index >> 3 {
            case 0: parts.0 |= bits
            case 1: parts.1 |= bits
            case 2: parts.2 |= bits
            default: parts.3 |= bits
            }
        }
    }

    @inlinable func part(_ index: Int) -> UInt64 {
        switch index {
        case 0: parts.0
        case 1: parts.1
        case 2: parts.2
        default: parts.3
        }
    }

    @inlinable static func shift(_ index: Int) -> UInt64 { UInt64(56 - 8 * (index & 7)) }

    @inlinable public var count: Int {
        let last = parts.3 != 0 ? 3 : parts.2 != 0 ? 2 : parts.1 != 0 ? 1 : 0
        return 8 * last + 8 - part(last).trailingZeroBitCount / 8
    }

    @inlinable public var isEmpty: Bool { parts.0 == 0 }

    public var bytes: [UInt8] { (0..<count).map { self[$0] } }

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var scalars: [Unicode.Scalar] { Array(text.unicodeScalars) }

    /// Whether the word begins with another one, or equals it.
    @inlinable public func hasPrefix(_ prefix: Word) -> Bool { self >= prefix && self <= prefix.last }

    /// A word that is above all words that begin with this one, of bytes that do not occur in UTF-8.
    @inlinable public var last: Word {
        var word = self
        for index in count..<Self.capacity { word[index] = 0xFF }
        return word
    }

    @inlinable public static func == (left: Word, right: Word) -> Bool {
        left.parts.0 == right.parts.0 && left.parts.1 == right.parts.1 && left.parts.2 == right.parts.2
            && left.parts.3 == right.parts.3
    }

    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// A hash for tables of this process.
    @inlinable public var hash: UInt64 {
        var hash = parts.0 &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 32 ^ parts.1) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 29 ^ parts.2) &* 0x94D0_49BB_1331_11EB
        hash = (hash ^ hash >> 32 ^ parts.3) &* 0x9E37_79B9_7F4A_7C15
        return hash ^ hash >> 31
    }
}

extension Word: Comparable {
    @inlinable public static func < (left: Word, right: Word) -> Bool {
        if left.parts.0 != right.parts.0 { return left.parts.0 < right.parts.0 }
        if left.parts.1 != right.parts.1 { return left.parts.1 < right.parts.1 }
        if left.parts.2 != right.parts.2 { return left.parts.2 < right.parts.2 }
        return left.parts.3 < right.parts.3
    }
}
