import Bytes

/// Reads one JSON document (RFC 8259) from its bytes, value by value, in the order of the text.
///
/// ```swift
/// var reader = JSONReader(bytes)
/// try reader.beginObject()
/// while let key = try reader.nextKey() {
///     switch key {
///     case "name": name = try reader.readString()
///     default: try reader.skipValue()
///     }
/// }
/// try reader.finish()
/// ```
///
/// Every key and every element must be read or skipped before the next one is requested. The text must conform to the
/// standard: UTF-8 without a byte order mark, no duplicate key in an object, no lone surrogate. No input makes it trap,
/// recurse or take more than linear time. After an error the reader cannot be used.
public struct JSONReader: Sendable {
    @usableFromInline let bytes: [UInt8]
    let limits: JSONLimits
    public internal(set) var position = 0
    /// The start of the last value or key, which is the location of the caller's errors.
    var mark = 0
    var container = Container(kind: .document, start: 0)
    var outer: [Container] = []
    var key = JSONText(start: 0, end: 0)
    private var counted = JSONPlace()

    struct Container {
        enum Kind { case document, object, array }

        let kind: Kind
        let start: Int
        var isFresh = true
        /// The keys of an object, to detect duplicates. By their bytes: a `String` would also equal other encodings of
        /// the same characters.
        var keys: Set<[UInt8]> = []
    }

    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The line of the next value, from 1, for messages; for use where a value may be read, after `nextKey` or
    /// `nextElement`. Each call continues counting from the one before, and later errors do too.
    public var line: Int {
        mutating get {
            _ = nextByte()
            counted.advance(to: position, in: bytes)
            return counted.line
        }
    }

    /// The kind of the next value, which remains unread and is not validated.
    public mutating func peek() throws(JSONError) -> JSONKind {
        let first = nextByte()
        mark = position
        guard let kind = JSONKind(firstByte: first) else { throw expected("a value") }
        return kind
    }

    /// Enters an object, which is not nested too deep; continue with `nextKey`.
    public mutating func beginObject() throws(JSONError) {
        guard nextByte() == UInt8(ascii: "{") else { throw expected("an object") }
        try open(.object)
    }

    /// Enters an array, which is not nested too deep; continue with `nextElement`.
    public mutating func beginArray() throws(JSONError) {
        guard nextByte() == UInt8(ascii: "[") else { throw expected("an array") }
        try open(.array)
    }

    /// Whether the current array has another element, which must then be read; false leaves the array.
    public mutating func nextElement() throws(JSONError) -> Bool {
        precondition(container.kind == .array, "nextElement is for the inside of an array")
        return try advance(to: UInt8(ascii: "]"))
    }

    /// Checks that only white space follows the value of the document, which has been read.
    public mutating func finish() throws(JSONError) {
        precondition(container.kind == .document, "finish is for when every object and array has been left")
        _ = nextByte()
        mark = position
        guard position == bytes.count else { throw expected("the end of the document") }
    }

    /// An error of the caller at the current location: at the last value or key that was read or peeked; after the end
    /// of an object or array at its opening bracket.
    public func error(_ message: String) -> JSONError {
        failure(message, at: mark)
    }

    private mutating func open(_ kind: Container.Kind) throws(JSONError) {
        mark = position
        guard outer.count < limits.depth else {
            throw failure("more than \(limits.depth) objects and arrays inside one another", at: position)
        }
        outer.append(container)
        container = Container(kind: kind, start: position)
        position += 1
    }

    /// Moves past the comma to the next element or key, or past the closing bracket; returns false at the end.
    mutating func advance(to closingBracket: UInt8) throws(JSONError) -> Bool {
        let byte = nextByte()
        if byte == closingBracket {
            leave()
            return false
        }
        if container.isFresh {
            container.isFresh = false
            return true
        }
        guard byte == UInt8(ascii: ",") else {
            throw expected(closingBracket == UInt8(ascii: "]") ? "a comma or ]" : "a comma or }")
        }
        position += 1
        return true
    }

    private mutating func leave() {
        position += 1
        mark = container.start
        // `open` pushed the container around this one; the document itself is never left.
        container = outer.removeLast()
    }

    /// The first byte that is not white space, left unread; 0, which begins no value, at the end.
    @inline(__always)
    mutating func nextByte() -> UInt8 {
        // The fast path: compact documents have no white space.
        if position < bytes.count, bytes[position] > UInt8(ascii: " ") { return bytes[position] }
        position = bytes.span.bytes.endOfWhiteSpace(from: position)
        return position < bytes.count ? bytes[position] : 0
    }

    @inline(never)
    func failure(_ message: String, at offset: Int) -> JSONError {
        var place = offset < counted.offset ? JSONPlace() : counted
        place.advance(to: offset, in: bytes)
        return JSONError(message: message, place: place)
    }

    @inline(never)
    func failure(_ fault: JSONFault) -> JSONError {
        failure(fault.message.description, at: fault.offset)
    }

    /// The error for an unexpected character instead of the next value, key or separator.
    @inline(never)
    mutating func expected(_ what: StaticString) -> JSONError {
        let first = nextByte()
        let found =
            if position == bytes.count {
                "the end of the document"
            } else if bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) {
                "a byte order mark (U+FEFF)"
            } else if ASCII.isLetter(first) {
                "'\(String(decoding: bytes[position...].prefix(16).prefix(while: ASCII.isLetter), as: UTF8.self))'"
            } else if let kind = JSONKind(firstByte: first) {
                kind.nameInMessages
            } else if 0x21...0x7E ~= first {
                "'\(Unicode.Scalar(first))'"
            } else {
                "the byte 0x\(Hex.encode([first]).uppercased())"
            }
        return failure("expected \(what), found \(found)", at: position)
    }
}

extension JSONReader {
    public static func isObject(_ bytes: [UInt8]) -> Bool {
        var reader = JSONReader(bytes)
        do throws(JSONError) {
            guard try reader.peek() == .object else { return false }
            try reader.skipValue()
            try reader.finish()
            return true
        } catch {
            return false
        }
    }
}
