import Bytes
import Credentials
import HTTP
import SookeModel
import Store

extension Call {
    /// Runs a transaction and answers with what its body makes, once that is on stable storage.
    ///
    /// 1. The caller's right is checked again, on the version that is changed.
    /// 2. A request with an `Idempotency-Key` that was answered before gets that answer, and changes nothing.
    /// 3. The body runs. What it throws, nothing has happened of.
    /// 4. The answer is kept with the change, in the same commit, when the request has a key.
    ///
    /// - Parameter showsSecret: the answer holds a secret, so it is not kept: who asks twice learns that it was done.
    /// - Throws: what the body throws; `StoreError`.
    func change(
        showsSecret: Bool = false, _ body: @escaping @Sendable (inout Edit) throws -> Response
    ) async throws -> Response {
        let key = try idempotencyKey()
        return try await town.store.write(by: caller.author) { edit in
            try access.check(caller, slug: captures.optionalSlug, in: edit.community)
            guard let key, let person = caller.personID else { return try body(&edit) }
            if let receipt = edit.community.receipts[person: person, key: key.text] {
                guard receipt.fingerprint == key.fingerprint else { throw HTTPError.keyReused }
                if showsSecret { throw HTTPError.shownOnce }
                return Response(repeating: receipt)
            }
            edit.dropReceipts(before: now.advanced(bySeconds: -Self.receiptSeconds))
            let response = try body(&edit)
            var receipt = Receipt(response, person: person, key: key.text, fingerprint: key.fingerprint, at: now)
            if showsSecret { receipt.body = "" }
            edit.put(receipt)
            return response
        }.result
    }

    /// How long the answer to a request with a key is kept, in seconds.
    private static let receiptSeconds = 24 * 3600

    /// The key by which a client may send the same request twice, and what tells it from another request.
    private func idempotencyKey() throws(HTTPError) -> (text: String, fingerprint: String)? {
        guard request.method == .post, let field = request.headers.first("idempotency-key") else { return nil }
        guard let text = String(validUTF8: field), 1...200 ~= text.utf8.count else {
            throw .invalidParameter("an Idempotency-Key has 1 to 200 characters")
        }
        let fingerprint = SHA256.digest([UInt8](request.method.name) + request.target + [0] + request.body)
        return (text, Hex.encode(fingerprint))
    }
}

extension HTTPError {
    /// 409 `shown_once`: the request was done before, and its answer held a secret.
    fileprivate static let shownOnce = HTTPError(
        .conflict, code: "shown_once",
        message: "this was done before with the same Idempotency-Key, and its answer is not kept; make a new one")

    /// 422 `key_reused`: the key was used for another request.
    fileprivate static let keyReused = HTTPError(
        .unprocessableContent, code: "key_reused",
        message: "this Idempotency-Key was used for another request; take a new one")
}

extension Receipt {
    /// What is kept of an answer.
    fileprivate init(_ response: Response, person: Int, key: String, fingerprint: String, at now: Timestamp) {
        self.init()
        (self.person, self.key, self.fingerprint, self.at) = (person, key, fingerprint, now)
        status = response.status.code
        location = response.headers.first("Location")
        body = String(decoding: response.body, as: UTF8.self)
    }
}

extension Response {
    /// The same answer again.
    fileprivate init(repeating receipt: Receipt) {
        var headers: ResponseHeaders = ["Content-Type": "application/json", "Cache-Control": "no-store"]
        if let location = receipt.location { headers.add("Location", location) }
        let status = receipt.status == 201 ? Status.created : .ok
        self.init(status, headers: headers, body: Array(receipt.body.utf8))
    }
}
