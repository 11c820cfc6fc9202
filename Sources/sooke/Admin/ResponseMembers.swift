import JSON

/// The texts, numbers and truth values in a JSON response, by their paths: `feed.subscribers` is in an object, and
/// there is an `items.name` for each element of an array.
struct ResponseMembers {
    private var members: [(path: String, text: String)] = []

    init(_ body: [UInt8]) throws(CommandError) {
        do throws(JSONError) {
            var reader = JSONReader(body, limits: .trusted)
            try read(&reader, "")
            try reader.finish()
        } catch {
            throw CommandError(invalidResponse: error)
        }
    }

    private mutating func read(_ reader: inout JSONReader, _ path: String) throws(JSONError) {
        switch try reader.peek() {
        case .object:
            try reader.beginObject()
            while let key = try reader.nextKey() { try read(&reader, path.isEmpty ? key : "\(path).\(key)") }
        case .array:
            try reader.beginArray()
            while try reader.nextElement() { try read(&reader, path) }
        case .string: members.append((path, try reader.readString()))
        case .bool, .number: members.append((path, String(decoding: try reader.readRaw(), as: UTF8.self)))
        case .null: try reader.skipValue()
        }
    }

    /// The first value of a path; nil when there is none, or it is null.
    subscript(path: String) -> String? { members.first { $0.path == path }?.text }

    func all(_ path: String) -> [String] { members.filter { $0.path == path }.map(\.text) }

    func number(_ path: String) -> Int? { self[path].flatMap { Int($0) } }

    func all(in object: String) -> [(name: String, text: String)] {
        members.compactMap { path, text in
            path.hasPrefix("\(object).") ? (String(path.dropFirst(object.count + 1)), text) : nil
        }
    }

    func required(_ path: String) throws(CommandError) -> String {
        guard let text = self[path] else {
            throw CommandError(.unavailable, "the server's response is invalid: it has no \(path)")
        }
        return text
    }
}
