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
/// Every key and every element that was announced is read or skipped before the next one is asked for. The text is
/// held to the letter of the standard: UTF-8 without a byte order mark, no duplicate key in an object, no lone
/// surrogate. No input makes it trap, recurse or take more than linear time. After an error the reader is of no use.
public struct JSONReader: Sendable {
    @usableFromInline let bytes: [UInt8]
    let limits: JSONLimits
    /// Where reading goes on.
    var position = 0
    /// Where the value or key begins that was looked at last: what an error of the caller is about.
    var mark = 0
    /// The innermost open object or array.
    var container = Container(kind: .document, start: 0, firstName: 0)
    /// The open containers around it, the outermost first.
    var outer: [Container] = []
    /// The key that was read last, escapes and all.
    var key = JSONText(start: 0, end: 0)
    var names = JSONNames()
    /// Up to where lines have been counted.
    private var counted = JSONPlace()

    /// What is known about an open object or array.
    struct Container {
        enum Kind { case document, object, array }

        let kind: Kind
        /// The offset of its bracket.
        let start: Int
        /// Where its names begin among those of all open objects.
        let firstName: Int
        /// Nothing was read inside yet.
        var isFresh = true
        var keys = 0
        /// A bit for each key of a `JSONKeys` that was there.
        var knownKeys: UInt64 = 0
        /// The known key that is tried first, since records mostly have their keys in one order.
        var expectedKey = 0
    }

    /// A reader at the start of a whole document.
    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The line of the next value, for messages; the first is 1. To be asked where a value may be read, so after
    /// `nextKey` or `nextElement`.
    ///
    /// Each call counts on from the one before, and later errors count from there too.
    public var line: Int {
        mutating get {
            _ = nextByte()
            counted.advance(to: position, in: bytes)
            return counted.line
        }
    }

    /// The kind of the next value, which stays unread.
    ///
    /// - Throws: where no value begins. That the value is well-formed is not looked at.
    public mutating func peek() throws(JSONError) -> JSONKind {
        let first = nextByte()
        mark = position
        guard let kind = JSONKind(firstByte: first) else { throw expected("a value") }
        return kind
    }

    // MARK: Objects and arrays

    /// Enters an object; go on with `nextMember` or `nextKey`.
    ///
    /// - Throws: when the next value is none, or too many objects and arrays are open.
    public mutating func beginObject() throws(JSONError) {
        guard nextByte() == UInt8(ascii: "{") else { throw expected("an object") }
        try open(.object)
    }

    /// Enters an array; go on with `nextElement`.
    ///
    /// - Throws: when the next value is none, or too many objects and arrays are open.
    public mutating func beginArray() throws(JSONError) {
        guard nextByte() == UInt8(ascii: "[") else { throw expected("an array") }
        try open(.array)
    }

    /// Whether the array that is being read has another element, which is then to be read; false leaves the array.
    ///
    /// - Throws: when neither a comma nor the end follows.
    public mutating func nextElement() throws(JSONError) -> Bool {
        precondition(container.kind == .array, "nextElement is for the inside of an array")
        return try advance(to: UInt8(ascii: "]"))
    }

    /// Checks that nothing but white space follows the value of the document, which has been read.
    ///
    /// - Throws: where something does.
    public mutating func finish() throws(JSONError) {
        precondition(container.kind == .document, "finish is for when every object and array has been left")
        _ = nextByte()
        mark = position
        guard position == bytes.count else { throw expected("the end of the document") }
    }

    /// An error at the current place, for what only the caller can judge: at the value or key that was read or peeked
    /// at last; after the end of an object or array at its opening bracket.
    public func error(_ message: String) -> JSONError {
        failure(message, at: mark)
    }

    private mutating func open(_ kind: Container.Kind) throws(JSONError) {
        mark = position
        guard outer.count < limits.depth else {
            throw failure("more than \(limits.depth) objects and arrays inside one another", at: position)
        }
        outer.append(container)
        container = Container(kind: kind, start: position, firstName: names.count)
        position += 1
    }

    /// Moves past the comma to the next element or key, or past the closing bracket and out; says which.
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
        if container.kind == .object { names.leaveObject(first: container.firstName, depth: outer.count) }
        // `open` put the container around this one there; the document itself is never left.
        container = outer.removeLast()
    }

    // MARK: The place

    /// The first byte that is no white space, left unread; 0, which begins nothing, at the end.
    @inline(__always)
    mutating func nextByte() -> UInt8 {
        // Compact documents have no white space at all.
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

    /// The error that something else stands where the next value, key or sign should.
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
