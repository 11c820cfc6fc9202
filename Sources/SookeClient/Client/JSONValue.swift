import Foundation
import JSON

/// Any JSON value: a record as it was received, or a merge patch, in which null removes a value.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The JSON value of what can be encoded.
    public init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    }

    /// The value as another type.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }

    /// A member of an object; nil for other values, and for a member that is not there.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most frequent types first, because each attempt that fails is slow.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let members = try? decoder.container(keyedBy: MemberName.self) {
            var object: [String: JSONValue] = [:]
            for key in members.allKeys { object[key.stringValue] = try members.decode(JSONValue.self, forKey: key) }
            self = .object(object)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

/// The text of JSON, by the reader and the writer of the server: faster than an encoder.
extension JSONValue {
    init(json: [UInt8]) throws(DecodingError) {
        var reader = JSONReader(json)
        do {
            try self.init(from: &reader)
            try reader.finish()
        } catch {
            throw .dataCorrupted(.init(codingPath: [], debugDescription: "no JSON", underlyingError: error))
        }
    }

    private init(from reader: inout JSONReader) throws(JSONError) {
        switch try reader.peek() {
        case .null:
            try reader.skipValue()
            self = .null
        case .bool: self = .bool(try reader.readBool())
        case .string: self = .string(try reader.readString())
        case .number:
            let text = String(decoding: try reader.readRaw(), as: UTF8.self)
            self = Int64(text).map(JSONValue.integer) ?? .number(Double(text) ?? .infinity)
        case .array:
            var values: [JSONValue] = []
            try reader.beginArray()
            while try reader.nextElement() { values.append(try JSONValue(from: &reader)) }
            self = .array(values)
        case .object:
            var members: [String: JSONValue] = [:]
            try reader.beginObject()
            while let name = try reader.nextKey() { members[name] = try JSONValue(from: &reader) }
            self = .object(members)
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .integer(let value): writer.int(Int(value))
        case .number(let value): writer.double(value)
        case .string(let value): writer.string(value)
        case .array(let values): writer.array(values) { $0.write(to: &$1) }
        case .object(let members):
            writer.object { writer in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.key(name)
                    value.write(to: &writer)
                }
            }
        }
    }
}
