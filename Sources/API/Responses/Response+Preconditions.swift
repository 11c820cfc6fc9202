import HTTP
import Service

/// Evaluates the preconditions of reads.
struct Preconditions: Middleware {
    func respond(
        to request: Request, next: () throws(HTTPError) -> EventualResponse
    ) throws(HTTPError) -> EventualResponse {
        let answer = try next()
        if case .now(let response) = answer { return .now(try response.applyingPreconditions(of: request)) }
        return try answer.map { response throws(HTTPError) in try response.applyingPreconditions(of: request) }
    }
}

extension Response {
    /// The response after the preconditions of a read (RFC 9110, section 13.2.2): 304 without a body when the client
    /// already has these bytes. Other responses than successful ones to reads are returned unchanged.
    ///
    /// - Throws: 412 when `If-Match` does not list the current tag.
    fileprivate consuming func applyingPreconditions(of request: Request) throws(HTTPError) -> Response {
        guard status == .ok, request.method == .get || request.method == .head else { return self }
        let wanted = request.headers.all("if-match")
        let known = request.headers.all("if-none-match")
        if wanted.isEmpty, known.isEmpty { return self }
        let tag = headers.first("ETag").map(EntityTag.init(_:))
        if !wanted.isEmpty, !wanted.contains(where: { $0.isAsterisk || tag?.isSameRecord(asIn: $0) == true }) {
            var error = HTTPError.preconditionFailed
            error.route = route
            throw error
        }
        guard let tag, known.contains(where: tag.isListed(in:)) else { return self }
        var unchanged = self
        (unchanged.status, unchanged.body) = (.notModified, [])
        return unchanged
    }
}

extension Precondition {
    /// The preconditions of a write: `If-Match` lists the versions that the record must have, `If-None-Match` those
    /// that it must not have.
    init(_ headers: Headers) {
        self.init(
            required: Versions(headers.all("if-match")), excluded: Versions(headers.all("if-none-match")))
    }
}

extension Precondition.Versions {
    /// The versions whose entity tags fields list; nil without a field.
    fileprivate init?(_ fields: [ArraySlice<UInt8>]) {
        if fields.isEmpty { return nil }
        self.init(
            includesAny: fields.contains(where: \.isAsterisk),
            digests: fields.filter { !$0.isAsterisk }.flatMap(EntityTag.recordDigests(in:)),
            namesVersions: fields.contains { !$0.isAsterisk })
    }

    /// The version in a body: the first part of an entity tag, with or without its quotation mark.
    init(named version: String) {
        let quote = UInt8(ascii: "\"")
        let tag = version.utf8.first == quote ? Array(version.utf8) : [quote] + version.utf8
        self.init(digests: EntityTag.recordDigests(in: tag[...]))
    }
}

extension ArraySlice<UInt8> {
    /// Whether it matches any version.
    fileprivate var isAsterisk: Bool { count == 1 && first == UInt8(ascii: "*") }
}

extension HTTPError {
    /// 412 `precondition_failed`: `If-Match` does not list the current version.
    static let preconditionFailed = HTTPError(
        .preconditionFailed, code: "precondition_failed",
        message: "it has been changed since you read it; read it again")
}
