import Bytes

public struct JSONError: Error, Equatable, CustomStringConvertible {
    public let message: String
    public let offset: Int
    /// The line; the first is 1, and a line feed ends a line.
    public let line: Int
    /// The column in Unicode scalars; the first in a line is 1.
    public let column: Int

    /// The location and the message: `line 3, column 14: expected a string, found null`.
    public var description: String { "line \(line), column \(column): \(message)" }

    init(message: String, place: JSONPlace) {
        self.message = message
        (offset, line, column) = (place.offset, place.line, place.column)
    }
}

/// A location in a document, computed only when an error or the caller needs it.
struct JSONPlace {
    private(set) var offset = 0
    private(set) var line = 1
    private(set) var column = 1

    mutating func advance(to end: Int, in bytes: [UInt8]) {
        let part = bytes[offset..<end]
        if let lineEnd = part.lastIndex(of: ASCII.lineFeed) {
            line += part.count { $0 == ASCII.lineFeed }
            column = 1 + Self.scalars(part[(lineEnd + 1)...])
        } else {
            column += Self.scalars(part)
        }
        offset = end
    }

    /// Scalars are counted by their first bytes: the others are `0b10xxxxxx`.
    private static func scalars(_ text: ArraySlice<UInt8>) -> Int {
        text.count { $0 & 0xC0 != 0x80 }
    }
}

struct JSONFault: Error {
    let message: StaticString
    let offset: Int

    init(_ message: StaticString, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}

/// The limits of a `JSONReader`, which bound the cost of hostile input. Exceeding a limit is a `JSONError`.
public struct JSONLimits: Sendable, Equatable {
    public var depth: Int
    /// The maximum number of keys in one object; nil for any number, also of the same.
    public var keys: Int?
    /// The maximum length of a string: bytes between its quotes in the document.
    public var stringBytes: Int
    /// The maximum length of a key, in the same bytes. Callers compare keys and quote unknown ones, so they are short.
    public var keyBytes: Int

    /// Limits for input from clients: 64 levels, 10,000 keys per object, 1 MiB per string, 256 bytes per key.
    public init(depth: Int = 64, keys: Int? = 10_000, stringBytes: Int = 1 << 20, keyBytes: Int = 256) {
        self.depth = depth
        self.keys = keys
        self.stringBytes = stringBytes
        self.keyBytes = keyBytes
    }

    /// Limits for files that this program wrote itself: 64 levels, any keys and any length of strings.
    public static let trusted = JSONLimits(keys: nil, stringBytes: .max)
}

/// The kinds of JSON values (RFC 8259, section 3).
public enum JSONKind: Sendable {
    case object
    case array
    case string
    case number
    case bool
    case null

    init?(firstByte: UInt8) {
        switch firstByte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
        case UInt8(ascii: "n"): self = .null
        default: return nil
        }
    }

    var nameInMessages: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
