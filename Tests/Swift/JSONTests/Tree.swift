import JSON

/// A whole document in memory, read and written through the public interface alone.
enum Tree: Equatable {
    case object([Member])
    case array([Tree])
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case null

    struct Member: Equatable {
        let key: String
        let value: Tree
    }

    /// Reads a document value by value.
    static func read(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> Tree {
        var reader = JSONReader(bytes, limits: limits)
        let tree = try Tree(&reader)
        try reader.finish()
        return tree
    }

    /// Skips a document.
    static func skip(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var reader = JSONReader(bytes, limits: limits)
        try reader.skipValue()
        try reader.finish()
    }

    init(_ reader: inout JSONReader) throws(JSONError) {
        switch try reader.peek() {
        case .object:
            var members: [Member] = []
            try reader.beginObject()
            while let key = try reader.nextKey() { members.append(Member(key: key, value: try Tree(&reader))) }
            self = .object(members)
        case .array:
            var elements: [Tree] = []
            try reader.beginArray()
            while try reader.nextElement() { elements.append(try Tree(&reader)) }
            self = .array(elements)
        case .string: self = .string(try reader.readString())
        case .number: self = try Self.number(try reader.readRaw())
        case .bool: self = .bool(try reader.readBool())
        case .null:
            _ = try reader.readNull()
            self = .null
        }
    }

    private static func number(_ text: [UInt8]) throws(JSONError) -> Tree {
        var reader = JSONReader(text)
        let isInteger = !text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        return isInteger ? .int(try reader.readInt()) : .double(try reader.readDouble())
    }
}

/// The error that a body throws, or nil.
func failure(_ body: () throws(JSONError) -> Void) -> JSONError? {
    do { try body() } catch { return error }
    return nil
}

extension JSONReader {
    init(_ text: String, limits: JSONLimits = JSONLimits()) {
        self.init(Array(text.utf8), limits: limits)
    }
}
