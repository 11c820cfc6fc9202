import Bytes
import HTTP
import JSON
import SookeModel
import Store

extension Call {
    /// Reads the body as the fields of a record.
    ///
    /// - Parameter allowed: the fields that this caller may give; others are refused by name, so that nothing that was
    ///   sent is passed over in silence.
    /// - Throws: 400 when the body is not JSON; 415 when it says that it is something else; 422 with every bad field.
    func patch<Value: Record>(
        of type: Value.Type = Value.self, allowing allowed: FieldSet<Value.Field>
    ) throws(HTTPError) -> Patch<Value> {
        try read { reader, problems throws(JSONError) in
            let patch = try Patch<Value>(from: &reader, &problems)
            if !patch.fields.isSubset(of: allowed) {
                for field in patch.fields.subtracting(allowed).map(\.rawValue).sorted() {
                    problems.add(field, "cannot be given here")
                }
            }
            return patch
        }
    }

    /// Reads the body as an object of a kind whose members are texts.
    ///
    /// - Returns: what was given, by name.
    /// - Throws: 400, 415; 422 with every bad field.
    func texts(_ noun: Shape.Noun) throws(HTTPError) -> [String: String] {
        let fields = noun.fields.filter(\.isGiven)
        let required = fields.filter(\.isRequired).map(\.name)
        let optional = fields.filter { !$0.isRequired }.map(\.name)
        return try read { reader, problems throws(JSONError) in
            var values: [String: String] = [:]
            guard try reader.peek() == .object else {
                problems.add("", "must be an object")
                try reader.skipValue()
                return values
            }
            try reader.beginObject()
            while let name = try reader.nextKey() {
                if !required.contains(name) && !optional.contains(name) {
                    problems.add(name, "is not a field here")
                    try reader.skipValue()
                } else if try reader.peek() == .string {
                    values[name] = try reader.readString()
                } else if try reader.peek() == .null, optional.contains(name) {
                    try reader.skipValue()
                } else {
                    problems.add(name, "must be a text")
                    try reader.skipValue()
                }
            }
            for name in required where values[name] == nil { problems.add(name, "is missing") }
            return values
        }
    }

    private func read<Value>(
        _ body: (inout JSONReader, inout FieldProblems) throws(JSONError) -> Value
    ) throws(HTTPError) -> Value {
        try requireJSONType()
        var problems = FieldProblems()
        let value: Value
        do throws(JSONError) {
            var reader = JSONReader(request.body)
            value = try body(&reader, &problems)
            try reader.finish()
        } catch {
            throw .invalidJSON(error)
        }
        guard problems.isEmpty else { throw HTTPError(problems) }
        return value
    }

    /// Makes sure that the body is JSON, whatever it holds.
    ///
    /// - Throws: 400, 415.
    func requireJSON() throws(HTTPError) {
        try read { reader, _ throws(JSONError) in try reader.skipValue() }
    }

    private static let jsonTypes = ["application/json", "application/merge-patch+json"].map { Array($0.utf8) }

    private func requireJSONType() throws(HTTPError) {
        guard let field = request.headers.first("content-type") else { return }
        let type = field.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let isJSON = Self.jsonTypes.contains { ASCII.equalIgnoringCase(type, $0) }
        guard isJSON else {
            throw HTTPError(
                .unsupportedMediaType, code: "unsupported_media_type", message: "the body must be application/json")
        }
    }
}

extension HTTPError {
    /// 400 `invalid_json`, with the place.
    static func invalidJSON(_ error: JSONError) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_json", message: "the body is no JSON: \(error)")
    }

    /// 422 `invalid_input` with every bad field.
    init(_ problems: FieldProblems) {
        let whole = problems.all.filter(\.field.isEmpty).map(\.message)
        self.init(
            .unprocessableContent, code: "invalid_input",
            message: whole.first.map { "the body \($0)" } ?? "some fields are not right",
            fields: problems.all.filter { !$0.field.isEmpty }.map { ($0.field, $0.message) })
    }

    /// What an edit refuses.
    init(_ error: EditError) {
        switch error {
        case .invalid(let problems): self.init(problems)
        case .taken(let slug):
            self.init(
                .conflict, code: "slug_taken",
                message: "the slug \"\(slug.text)\" is taken; leave it out to get another",
                fields: [("slug", "is taken")])
        case .inUse(let count):
            self.init(
                .conflict, code: "in_use", message: "it is used by \(count) \(count == 1 ? "record" : "records")")
        case .notFound: self = .notFound()
        }
    }
}
