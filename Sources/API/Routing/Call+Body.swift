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
        of type: Value.Type = Value.self, allowing allowed: FieldSet<Value>
    ) throws(HTTPError) -> Patch<Value> {
        try read { reader, problems throws(JSONError) in
            let patch = try Patch<Value>(from: &reader, &problems)
            if !patch.fields.isSubset(of: allowed) {
                for field in patch.fields.subtracting(allowed).names.sorted() {
                    problems.add(field, "cannot be given here")
                }
            }
            return patch
        }
    }

    /// Reads the body as an object of a kind whose members are texts and flags.
    ///
    /// - Parameter maximumBytes: how long a text may be; room for every address, name and password.
    /// - Returns: what was given.
    /// - Throws: 400, 415; 422 with every bad field.
    func fields(_ noun: Shape.Noun, maximumBytes: Int = 1024) throws(HTTPError) -> GivenFields {
        let fields = noun.fields.filter(\.isGiven)
        return try read { reader, problems throws(JSONError) in
            var given = GivenFields()
            guard try reader.peek() == .object else {
                problems.add("", "must be an object")
                try reader.skipValue()
                return given
            }
            try reader.beginObject()
            while let name = try reader.nextKey() {
                guard let field = fields.first(where: { $0.name.hasSameBytes(as: name) }) else {
                    problems.add(name, "is not a field here")
                    try reader.skipValue()
                    continue
                }
                switch (try reader.peek(), field.kind) {
                case (.bool, .flag): if try reader.readBool() { given.flags.insert(field.name) }
                case (_, .flag):
                    problems.add(name, "must be true or false")
                    try reader.skipValue()
                case (.string, _):
                    let text = try reader.readString()
                    let length = text.utf8.count
                    problems.require(
                        length <= maximumBytes, name, "is \(length) bytes long, at most \(maximumBytes) are allowed")
                    given.texts[field.name] = text
                case (.null, _) where !field.isRequired: try reader.skipValue()
                default:
                    problems.add(name, "must be a text")
                    try reader.skipValue()
                }
            }
            for field in fields where field.isRequired && given[field.name] == nil {
                problems.add(field.name, "is missing")
            }
            return given
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

    /// Makes sure that the body does not say that it is something else than JSON.
    ///
    /// - Throws: 415.
    func requireJSONType() throws(HTTPError) {
        guard let field = request.headers.first("content-type") else { return }
        let type = field.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let isJSON = Self.jsonTypes.contains { ASCII.equalIgnoringCase(type, $0) }
        guard isJSON else { throw unsupported("the body must be application/json") }
    }

    /// Makes sure that the body is not compressed or coded in another way (RFC 9110, section 8.4).
    ///
    /// - Throws: 415.
    func requireUncodedBody() throws(HTTPError) {
        guard !request.method.isSafe || !request.body.isEmpty, request.headers.first("content-encoding") != nil else {
            return
        }
        throw unsupported("the body must come without a Content-Encoding", ["Accept-Encoding": "identity"])
    }

    /// 415 `unsupported_media_type`; to a `PATCH` it says what patches may be (RFC 5789, section 2.2).
    private func unsupported(_ message: String, _ headers: ResponseHeaders = [:]) -> HTTPError {
        var headers = headers
        if request.method == .patch { headers.add("Accept-Patch", "application/merge-patch+json, application/json") }
        return HTTPError(.unsupportedMediaType, code: "unsupported_media_type", message: message, headers: headers)
    }
}

extension HTTPError {
    /// 400 `invalid_json`, with the place.
    static func invalidJSON(_ error: JSONError) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_json", message: "the body is not valid JSON: \(error)")
    }

    /// 422 `invalid_input` with every bad field.
    init(_ problems: FieldProblems) {
        let whole = problems.all.filter(\.field.isEmpty).map(\.message)
        self.init(
            .unprocessableContent, code: "invalid_input",
            message: whole.first.map { "the body \($0)" } ?? "some fields are invalid",
            fields: problems.all.filter { !$0.field.isEmpty }.map { ($0.field, $0.message) })
    }

    /// What an edit refuses.
    init(_ error: EditError) {
        switch error {
        case .invalid(let problems): self.init(problems)
        case .taken(let slug):
            self.init(
                .conflict, code: "slug_taken",
                message: "the slug \"\(slug.text.excerpt())\" is taken; leave it out to get another",
                fields: [("slug", "is taken")])
        case .nameTaken(let name):
            self.init(
                .conflict, code: "name_taken", message: "the name \"\(name.excerpt())\" is taken",
                fields: [("name", "is taken")])
        case .inUse(let count):
            self.init(
                .conflict, code: "in_use", message: "it is used by \(count) \(count == 1 ? "record" : "records")")
        case .notFound: self = .notFound()
        }
    }
}
