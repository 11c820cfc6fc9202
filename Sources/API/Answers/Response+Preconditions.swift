import HTTP

/// Evaluates the preconditions of reads.
struct Preconditions: Middleware {
    func respond(to request: Request, next: () throws(HTTPError) -> Answer) throws(HTTPError) -> Answer {
        let answer = try next()
        if case .now(let response) = answer { return .now(try response.applyingPreconditions(of: request)) }
        return try answer.map { response throws(HTTPError) in try response.applyingPreconditions(of: request) }
    }
}

extension Response {
    /// The response after the preconditions of a read (RFC 9110, section 13.2.2): 304 without a body when the client
    /// has these bytes already. A response that is no success, or no answer to a read, is returned as it is.
    ///
    /// - Throws: 412 when `If-Match` lists no tag of what is there.
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

extension Call {
    /// Evaluates the preconditions of a write against the record as it is stored: `If-Match` says that the client has
    /// seen it as it is, `If-None-Match` that it has not (RFC 9110, section 13.1).
    ///
    /// To be called inside the transaction, so that of two writers with one tag the second one is refused.
    ///
    /// - Parameter digest: the digest of the stored record, computed only when the request has a precondition.
    /// - Throws: 412 `precondition_failed`.
    func requireMatch(_ digest: @autoclosure () -> UInt64) throws(HTTPError) {
        let wanted = request.headers.all("if-match")
        let unwanted = request.headers.all("if-none-match")
        if wanted.isEmpty, unwanted.isEmpty { return }
        let digest = digest()
        let lists = { (field: ArraySlice<UInt8>) in field.isAsterisk || EntityTag.isRecord(digest, in: field) }
        if !wanted.isEmpty, !wanted.contains(where: lists) { throw .preconditionFailed }
        if unwanted.contains(where: lists) { throw .existsAlready }
    }
}

extension Call {
    /// Makes sure that the client names the version of the record that it has read: by the first part of its entity tag
    /// in the body, or by `If-Match`, which `requireMatch` has compared.
    ///
    /// - Throws: 412 `precondition_failed`; 428 `precondition_required` when it names none (RFC 6585, section 3).
    func requireVersion(_ version: String?, of digest: UInt64) throws(HTTPError) {
        if let version {
            let quote = UInt8(ascii: "\"")
            let tag = version.utf8.first == quote ? Array(version.utf8) : [quote] + version.utf8
            guard EntityTag.isRecord(digest, in: tag[...]) else { throw .preconditionFailed }
        } else if !request.headers.all("if-match").contains(where: { !$0.isAsterisk }) {
            throw HTTPError(
                .preconditionRequired, code: "precondition_required",
                message: "say which version you have read: its ETag as If-Match, or the part before the dot as version")
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether it stands for whatever is there.
    fileprivate var isAsterisk: Bool { count == 1 && first == UInt8(ascii: "*") }
}

extension HTTPError {
    /// 412 `precondition_failed`: what `If-Match` lists is not what is there.
    static let preconditionFailed = HTTPError(
        .preconditionFailed, code: "precondition_failed",
        message: "it has been changed since you read it; read it again")

    /// 412 `precondition_failed`: what `If-None-Match` excludes is there.
    fileprivate static let existsAlready = HTTPError(
        .preconditionFailed, code: "precondition_failed",
        message: "it exists in a form that If-None-Match excludes")
}
