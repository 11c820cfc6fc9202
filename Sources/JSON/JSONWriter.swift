import Bytes

/// Writes JSON text (RFC 8259) value by value, with commas and colons.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.member("name", "Zed's Diner")
/// writer.key("tags")
/// writer.beginArray()
/// writer.string("food")
/// writer.endArray()
/// writer.endObject()
/// writer.bytes  // {"name":"Zed's Diner","tags":["food"]}
/// ```
///
/// The order of the calls must be correct: a value without its key, a key in an array or an end without its beginning
/// is a programming error and traps.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// Those around the next value, the innermost last: true for an object, false for an array.
    private var containers: [Bool] = []
    private var isAfterKey = false
    private var needsComma = false
    private var needsLineBreak = false

    public init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// A writer inside an object, after a text that ends where a member may begin.
    fileprivate init(membersAfter text: consuming [UInt8]) {
        bytes = text
        containers.append(true)
    }

    public mutating func beginObject() {
        begin(UInt8(ascii: "{"), isObject: true)
    }

    public mutating func endObject() {
        precondition(isInObject && !isAfterKey, "endObject is for an object whose last key has its value")
        end(UInt8(ascii: "}"))
    }

    public mutating func beginArray() {
        begin(UInt8(ascii: "["), isObject: false)
    }

    public mutating func endArray() {
        precondition(isInArray, "endArray is for an array")
        end(UInt8(ascii: "]"))
    }

    /// Begins a key that needs no escapes; its value follows. The writer does not check for duplicates.
    public mutating func key(_ name: StaticString) {
        assert(name.withUTF8Buffer { $0.span.bytes.endOfUnescaped(from: 0) == $0.count }, "a key without escapes")
        beginKey()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(name)
        bytes.append("\":")
    }

    /// Begins a key; its value follows. The writer does not check for duplicates.
    public mutating func key(_ name: String) {
        beginKey()
        bytes.append(json: name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Puts the next value, key or closing bracket on a new line. Outside of all objects and arrays it writes the line
    /// feed at once, which ends a line of NDJSON.
    public mutating func breakLine() {
        if containers.isEmpty { appendLineBreak() } else { needsLineBreak = true }
    }

    public mutating func string(_ value: String) {
        prepareValue()
        bytes.append(json: value)
    }

    /// Writes a string without characters to escape, such as a time: `text` appends it.
    public mutating func string(plain text: (inout [UInt8]) -> Void) {
        prepareValue()
        bytes.append(UInt8(ascii: "\""))
        text(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func int(_ value: Int) {
        prepareValue()
        bytes.append(decimal: value)
    }

    public mutating func double(_ value: Double) {
        prepareValue()
        bytes.append(json: value)
    }

    public mutating func bool(_ value: Bool) {
        prepareValue()
        bytes.append(value ? "true" : "false")
    }

    public mutating func null() {
        prepareValue()
        bytes.append("null")
    }

    /// Writes a value that is JSON text already.
    public mutating func raw(_ value: some Collection<UInt8>) {
        prepareValue()
        bytes.append(contentsOf: value)
    }

    /// Writes members that a function appends as JSON text, without braces and without a comma at either end.
    public mutating func members(_ text: (inout [UInt8]) -> Void) {
        beginKey()
        text(&bytes)
        isAfterKey = false
    }

    /// Takes the text so far; what is written next continues it.
    public mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    private var isInObject: Bool { containers.last == true }
    private var isInArray: Bool { containers.last == false }

    private mutating func begin(_ bracket: UInt8, isObject: Bool) {
        prepareValue()
        containers.append(isObject)
        needsComma = false
        bytes.append(bracket)
    }

    private mutating func end(_ bracket: UInt8) {
        if needsLineBreak { appendLineBreak() }
        containers.removeLast()
        needsComma = !containers.isEmpty
        bytes.append(bracket)
    }

    private mutating func beginKey() {
        precondition(isInObject && !isAfterKey, "a key is for an object, after the value of the last one")
        separate()
        isAfterKey = true
    }

    private mutating func prepareValue() {
        if isAfterKey {
            isAfterKey = false
            if needsLineBreak { appendLineBreak() }
        } else {
            precondition(!isInObject, "a value in an object needs a key")
            separate()
        }
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if needsLineBreak { appendLineBreak() }
        // The caller's line breaks separate the documents of a sequence.
        needsComma = !containers.isEmpty
    }

    private mutating func appendLineBreak() {
        bytes.append(ASCII.lineFeed)
        needsLineBreak = false
    }
}

extension [UInt8] {
    /// Appends members to an object whose beginning is text already: the brace, and other members and a comma if there
    /// are any. The text is extended, not copied; a function writes the members, and may end the object.
    public mutating func append(members: (inout JSONWriter) -> Void) {
        var text: [UInt8] = []
        swap(&text, &self)
        var writer = JSONWriter(membersAfter: consume text)
        members(&writer)
        self = writer.bytes
    }
}

extension JSONWriter {
    public mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    public mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    public mutating func member(_ name: StaticString, _ value: Int) {
        key(name)
        int(value)
    }

    public mutating func member(_ name: StaticString, _ value: Int?) {
        key(name)
        if let value { int(value) } else { null() }
    }

    public mutating func member(_ name: StaticString, _ value: Double) {
        key(name)
        double(value)
    }

    public mutating func member(_ name: StaticString, _ value: Double?) {
        key(name)
        if let value { double(value) } else { null() }
    }

    public mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }
}
