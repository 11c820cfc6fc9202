import Bytes

/// Why a document was refused, and where.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, in words for people; without the place.
    public let message: String
    /// Bytes from the start of the document to the place.
    public let offset: Int
    /// The line of the place; the first line is 1, and a line feed ends a line.
    public let line: Int
    /// The column of the place in Unicode scalars; the first in a line is 1.
    public let column: Int

    /// The place and the message: `line 3, column 14: expected a string, found null`.
    public var description: String { "line \(line), column \(column): \(message)" }

    init(message: String, place: JSONPlace) {
        self.message = message
        (offset, line, column) = (place.offset, place.line, place.column)
    }
}

/// A place in a document, counted only when an error or the caller needs it.
struct JSONPlace {
    private(set) var offset = 0
    private(set) var line = 1
    private(set) var column = 1

    /// Counts on to an offset that does not lie before this place.
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

/// Why a piece of text is not what it was scanned as, and at which offset: what becomes a `JSONError`.
struct JSONFault: Error {
    let message: StaticString
    let offset: Int

    init(_ message: StaticString, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
