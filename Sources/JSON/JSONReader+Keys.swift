import Bytes

extension JSONReader {
    /// The next key of the current object, never a duplicate; nil at its end, which leaves the object.
    public mutating func nextKey() throws(JSONError) -> String? {
        try scanNextKey() ? key.string(in: bytes) : nil
    }

    /// Moves past the next key and its colon and checks for duplicates; false at the end of the object.
    mutating func scanNextKey() throws(JSONError) -> Bool {
        precondition(container.kind == .object, "nextKey is for the inside of an object")
        guard try advance(to: UInt8(ascii: "}")) else { return false }
        let first = nextByte()
        mark = position
        guard first == UInt8(ascii: "\"") else { throw expected("a key") }
        container.keys += 1
        guard container.keys <= limits.keys else {
            throw failure("more than \(limits.keys) keys in one object", at: mark)
        }
        key = try scanString()
        guard key.count <= limits.keyBytes else {
            throw failure("a key of more than \(limits.keyBytes) bytes", at: mark)
        }
        guard names.insert(key, in: bytes, first: container.firstName, depth: outer.count) else {
            throw failure("the key \"\(key.string(in: bytes).excerpt())\" is there twice in one object", at: mark)
        }
        guard nextByte() == UInt8(ascii: ":") else { throw expected("a colon after the key") }
        position += 1
        return true
    }
}
