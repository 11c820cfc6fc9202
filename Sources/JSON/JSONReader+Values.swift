import Bytes

extension JSONReader {
    public mutating func readString() throws(JSONError) -> String {
        try nextString().string(in: bytes)
    }

    /// Reads an integer: a number without fraction or exponent that fits `Int`.
    public mutating func readInt() throws(JSONError) -> Int {
        let number = try nextNumber(called: "an integer")
        guard number.isInteger else {
            throw failure("expected an integer, found a fraction or an exponent", at: mark)
        }
        guard let value = Int(String(decoding: bytes[mark..<number.end], as: UTF8.self)) else {
            throw failure("an integer beyond \(Int.min) to \(Int.max)", at: mark)
        }
        return value
    }

    /// Reads a number as the nearest finite `Double`; one that is too small for it becomes zero.
    public mutating func readDouble() throws(JSONError) -> Double {
        let value = try readDoubleOrInfinity()
        guard value.isFinite else { throw failure("a number beyond ±\(Double.greatestFiniteMagnitude)", at: mark) }
        return value
    }

    /// Reads a number as the nearest `Double`; one that is too large becomes infinite.
    public mutating func readDoubleOrInfinity() throws(JSONError) -> Double {
        let number = try nextNumber(called: "a number")
        return Double(String(decoding: bytes[mark..<number.end], as: UTF8.self)) ?? .infinity
    }

    public mutating func readBool() throws(JSONError) -> Bool {
        let first = nextByte()
        mark = position
        if first == UInt8(ascii: "t"), take("true") { return true }
        if first == UInt8(ascii: "f"), take("false") { return false }
        throw expected("true or false")
    }

    /// Reads `null` and returns true if it is the next value; otherwise leaves the value unread and returns false.
    public mutating func readNull() throws(JSONError) -> Bool {
        let first = nextByte()
        mark = position
        guard first == UInt8(ascii: "n") else { return false }
        guard take("null") else { throw expected("null") }
        return true
    }

    /// The bytes of the next value in the document, validated like a value that is read.
    public mutating func readRaw() throws(JSONError) -> [UInt8] {
        try skipValue()
        return Array(bytes[mark..<position])
    }

    /// The same as `readRaw`, without a copy.
    public mutating func readRawSlice() throws(JSONError) -> ArraySlice<UInt8> {
        try skipValue()
        return bytes[mark..<position]
    }

    /// Moves past the next value of any kind, validated like a value that is read.
    public mutating func skipValue() throws(JSONError) {
        _ = nextByte()
        let start = position
        let depth = outer.count
        // A loop and not a recursion, so that depth needs no stack.
        repeat {
            try skipScalarOrEnter()
            while outer.count > depth, try !skipToValue() {}
        } while outer.count > depth
        mark = start
    }

    private mutating func skipScalarOrEnter() throws(JSONError) {
        switch try peek() {
        case .object: try beginObject()
        case .array: try beginArray()
        case .string: _ = try scanString()
        case .number: _ = try nextNumber(called: "a number")
        case .bool: _ = try readBool()
        case .null: _ = try readNull()
        }
    }

    /// Moves to the next value of the container; false when it has ended.
    private mutating func skipToValue() throws(JSONError) -> Bool {
        container.kind == .array ? try nextElement() : try scanNextKey()
    }

    mutating func scanString() throws(JSONError) -> JSONText {
        let text: JSONText
        do { text = try JSONText(scanning: bytes.span.bytes, at: position) } catch { throw failure(error) }
        guard text.count <= limits.stringBytes else {
            throw failure("a string of more than \(limits.stringBytes) bytes", at: position)
        }
        position = text.end + 1
        return text
    }

    @inline(__always)
    private mutating func nextString() throws(JSONError) -> JSONText {
        let first = nextByte()
        mark = position
        guard first == UInt8(ascii: "\"") else { throw expected("a string") }
        return try scanString()
    }

    private mutating func nextNumber(called name: StaticString) throws(JSONError) -> JSONNumber {
        let first = nextByte()
        mark = position
        guard first == UInt8(ascii: "-") || ASCII.isDigit(first) else { throw expected(name) }
        let number: JSONNumber
        do { number = try JSONNumber(scanning: bytes.span.bytes, at: position) } catch { throw failure(error) }
        position = number.end
        return number
    }

    @inline(__always)
    private mutating func take(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        let isThere = word.withUTF8Buffer { letters in
            (0..<length).allSatisfy { bytes[position + $0] == letters[$0] }
        }
        if isThere { position += length }
        return isThere
    }
}
