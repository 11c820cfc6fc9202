import Bytes

/// The keys of objects. One object must be read with only one of `nextKey` and `nextMember`, and with one table;
/// otherwise duplicates are not detected.
extension JSONReader {
    /// The next key of the current object, never a duplicate; nil at its end, which leaves the object.
    public mutating func nextKey() throws(JSONError) -> String? {
        try scanNextKey() ? key.string(in: bytes) : nil
    }

    /// The next key, found in a table without creating a `String`; nil at the end of the object, which leaves it.
    public mutating func nextMember(_ table: JSONKeys) throws(JSONError) -> JSONMember? {
        precondition(container.kind == .object, "nextMember is for the inside of an object")
        let expected = container.expectedKey
        if let (quote, end) = expectedKey(expected, of: table, in: bytes.span.bytes) {
            mark = quote
            position = end
            container.isFresh = false
            try countKey()
            try recordKnownKey(expected)
            try endKey()
            return .known(expected)
        }
        guard try beginKey() else { return nil }
        key = try scanKey()
        guard let index = find(key, in: table, expected: expected) else {
            try recordUnknownKey()
            return .unknown(key.string(in: bytes))
        }
        try recordKnownKey(index)
        try endKey()
        return .known(index)
    }

    /// The fast path: the range of the expected key, if it is next.
    @inline(__always)
    private func expectedKey(_ index: Int, of table: JSONKeys, in text: RawSpan) -> (quote: Int, end: Int)? {
        var offset = position
        if !container.isFresh {
            guard offset < text.byteCount, text[offset] == UInt8(ascii: ",") else { return nil }
            offset += 1
        }
        if offset < text.byteCount, text[offset] <= UInt8(ascii: " ") { offset = text.endOfWhiteSpace(from: offset) }
        return table.endOfName(index, in: text, at: offset).map { (offset, $0) }
    }

    /// Moves past the next key and its colon and checks for duplicates; false at the end of the object.
    mutating func scanNextKey() throws(JSONError) -> Bool {
        guard try beginKey() else { return false }
        key = try scanKey()
        try recordUnknownKey()
        return true
    }

    private func find(_ key: JSONText, in table: JSONKeys, expected: Int) -> Int? {
        if key.hasEscapes {
            let name = key.unescaped(in: bytes)
            return table.index(of: name.span.bytes, at: 0, length: name.count, expected: expected)
        }
        return table.index(of: bytes.span.bytes, at: key.start, length: key.count, expected: expected)
    }

    /// Moves to the opening quote of the next key, or out of the object; returns false at the end.
    private mutating func beginKey() throws(JSONError) -> Bool {
        precondition(container.kind == .object, "nextKey is for the inside of an object")
        guard try advance(to: UInt8(ascii: "}")) else { return false }
        let first = nextByte()
        mark = position
        guard first == UInt8(ascii: "\"") else { throw expected("a key") }
        try countKey()
        return true
    }

    private mutating func scanKey() throws(JSONError) -> JSONText {
        let key = try scanString()
        guard key.count <= limits.keyBytes else {
            throw failure("a key of more than \(limits.keyBytes) bytes", at: mark)
        }
        return key
    }

    @inline(__always)
    private mutating func countKey() throws(JSONError) {
        container.keys += 1
        guard container.keys <= limits.keys else {
            throw failure("more than \(limits.keys) keys in one object", at: mark)
        }
    }

    @inline(__always)
    private mutating func recordKnownKey(_ index: Int) throws(JSONError) {
        let bit: UInt64 = 1 << UInt64(index)
        guard container.knownKeys & bit == 0 else { throw duplicateKey() }
        container.knownKeys |= bit
        container.expectedKey = index + 1
    }

    private mutating func recordUnknownKey() throws(JSONError) {
        guard names.insert(key, in: bytes, first: container.firstName, depth: outer.count) else {
            throw duplicateKey()
        }
        try endKey()
    }

    @inline(__always)
    private mutating func endKey() throws(JSONError) {
        guard nextByte() == UInt8(ascii: ":") else { throw expected("a colon after the key") }
        position += 1
    }

    @inline(never)
    private func duplicateKey() -> JSONError {
        let key = try? JSONText(scanning: bytes.span.bytes, at: mark)
        let name = key?.string(in: bytes).excerpt() ?? ""
        return failure("the key \"\(name)\" is there twice in one object", at: mark)
    }
}
