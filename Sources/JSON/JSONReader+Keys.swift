import Bytes

extension JSONReader {
    /// The next key of the object; nil at its end, which leaves it. Never a duplicate where `JSONLimits` limit keys.
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
        key = try scanString()
        guard key.count <= limits.keyBytes else {
            throw failure("a key of more than \(limits.keyBytes) bytes", at: mark)
        }
        if let most = limits.keys {
            guard container.keys.insert(key.unescaped(in: bytes)).inserted else {
                throw failure("the key \"\(key.string(in: bytes).excerpt())\" is there twice in one object", at: mark)
            }
            guard container.keys.count <= most else { throw failure("more than \(most) keys in one object", at: mark) }
        }
        guard nextByte() == UInt8(ascii: ":") else { throw expected("a colon after the key") }
        position += 1
        return true
    }
}
