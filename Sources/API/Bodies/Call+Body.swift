import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

extension Call {
    func patch<Value: Record>(
        of type: Value.Type = Value.self, ignoring: [String] = []
    ) throws(HTTPError) -> PatchInput<Value> {
        var problems = FieldProblems()
        let patch = try read { reader throws(JSONError) in
            try Patch<Value>(from: &reader, ignoring: ignoring, &problems)
        }
        return PatchInput(patch, problems)
    }

    func validFields(_ schema: Schema, maximumBytes: Int = 1024) throws(HTTPError) -> GivenFields {
        let given = try fields(schema, maximumBytes: maximumBytes)
        guard given.problems.isEmpty else { throw HTTPError(given.problems) }
        return given
    }

    /// With the problems of the members.
    ///
    /// - Parameter maximumBytes: enough for any address, name or password.
    func fields(_ schema: Schema, maximumBytes: Int = 1024) throws(HTTPError) -> GivenFields {
        let fields = schema.fields.filter(\.isGiven)
        return try read { reader throws(JSONError) in
            var given = GivenFields()
            guard try reader.peek() == .object else {
                given.problems.add("", "must be an object")
                try reader.skipValue()
                return given
            }
            try reader.beginObject()
            while let name = try reader.nextKey() {
                guard let field = fields.first(where: { $0.name.hasSameBytes(as: name) }) else {
                    given.problems.add(name, "is not a field here")
                    try reader.skipValue()
                    continue
                }
                switch (try reader.peek(), field.kind) {
                case (.bool, .flag): given.flags[field.name] = try reader.readBool()
                case (_, .flag):
                    given.problems.add(name, "must be true or false")
                    try reader.skipValue()
                case (.number, .integer): given.texts[field.name] = "\(try reader.readInt())"
                case (.string, _) where field.kind != .integer:
                    let text = try reader.readString()
                    let length = text.utf8.count
                    given.problems.require(
                        length <= maximumBytes, name, "is \(length) bytes long, at most \(maximumBytes) are allowed")
                    given.texts[field.name] = text
                case (.null, _) where !field.isRequired: try reader.skipValue()
                default:
                    given.problems.add(name, field.kind == .integer ? "must be an integer" : "must be a text")
                    try reader.skipValue()
                }
            }
            for field in fields where field.isRequired && given[field.name] == nil && given.flags[field.name] == nil {
                given.problems.add(field.name, "is missing")
            }
            return given
        }
    }

    func read<Value>(_ body: (inout JSONReader) throws(JSONError) -> Value) throws(HTTPError) -> Value {
        try requireMediaType()
        do throws(JSONError) {
            var reader = JSONReader(request.body)
            let value = try body(&reader)
            try reader.finish()
            return value
        } catch {
            throw .invalidJSON(error)
        }
    }

    func requireJSON() throws(HTTPError) {
        try read { reader throws(JSONError) in try reader.skipValue() }
    }
}

extension HTTPError {
    static func invalidJSON(_ error: JSONError) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_json", message: "the body is not valid JSON: \(error)")
    }
}

struct GivenFields: Sendable {
    var texts: [String: String] = [:]
    var flags: [String: Bool] = [:]
    var problems = FieldProblems()

    subscript(name: String) -> String? { texts[name] }

    func isSet(_ name: String) -> Bool { flags[name] ?? false }
}
