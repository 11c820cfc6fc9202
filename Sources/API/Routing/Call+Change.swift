import Bytes
import Credentials
import HTTP
import SookeModel
import Store

/// What is run on the store: for a request with a check of its access first, or by the server itself.
struct Transaction<Result: Sendable>: Sendable {
    /// Who the log says it was.
    let author: Author
    let body: @Sendable (inout Edit) throws -> Result

    fileprivate init(by author: Author, _ body: @escaping @Sendable (inout Edit) throws -> Result) {
        (self.author, self.body) = (author, body)
    }

    /// What the server writes down for itself, asked by nobody.
    static func ofServer(_ body: @escaping @Sendable (inout Edit) throws -> Result) -> Transaction {
        Transaction(by: .local, body)
    }
}

extension Call {
    /// Makes a change and answers with what its body makes, once that is on stable storage; see `transaction`.
    ///
    /// - Parameter author: who the log says it was; nil for the caller.
    /// - Throws: what the body throws; `StoreError`.
    func change(
        by author: Author? = nil, keeping: PlannedChange.Keeping = .answer,
        _ body: @escaping @Sendable (inout Edit) throws -> Response
    ) async throws -> Response {
        let change = PlannedChange(keeping: keeping, body)
        return try await town.store.write(try transaction(change, by: author, isWanted: isWanted))
    }

    /// The transaction of a change.
    ///
    /// 1. When its turn has come and nobody waits for it any more, or it has waited too long, it is dropped.
    /// 2. The caller's right is checked again, on the version that is changed.
    /// 3. A request with an `Idempotency-Key` that was answered before gets that answer, and changes nothing.
    /// 4. The body runs. What it throws, nothing has happened of.
    /// 5. The answer is kept with the change, in the same commit, when the request has a key.
    ///
    /// - Throws: 400 for a bad key.
    func transaction(
        _ change: PlannedChange, by author: Author? = nil, isWanted: @escaping @Sendable () -> Bool
    ) throws(HTTPError) -> Transaction<Response> {
        let (keeping, body) = (change.keeping, change.body)
        let key = keeping == .nothing ? nil : try idempotencyKey()
        return Transaction(by: author ?? caller.author) { [self] edit in
            if !isWanted() { throw HTTPError.overloaded }
            try requireAccess(in: edit.community)
            guard let key else { return try body(&edit) }
            let now = steadyNow
            edit.deleteReceipts(before: now.advanced(bySeconds: -Self.receiptSeconds))
            let person = caller.personID
            if let receipt = edit.community.receipts[person: person, key: key.text] {
                guard receipt.fingerprint == key.fingerprint else { throw HTTPError.keyReused }
                if keeping == .thatItWasDone { throw HTTPError.shownOnce }
                return Response(repeating: receipt)
            }
            let response = try body(&edit)
            var receipt = Receipt(response, person: person, key: key.text, fingerprint: key.fingerprint, at: now)
            if keeping == .thatItWasDone { receipt.body = "" }
            edit.put(receipt)
            return response
        }
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

extension Edit {
    /// Deletes the receipts of requests that are too old to be repeated.
    fileprivate mutating func deleteReceipts(before moment: Timestamp) {
        for receipt in Array(community.receipts.before(moment)) { deleteReceipt(receipt.id) }
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
    fileprivate init(_ response: Response, person: Int?, key: String, fingerprint: String, at now: Timestamp) {
        self.init()
        (self.person, self.key, self.fingerprint, self.at) = (person, key, fingerprint, now)
        status = response.status.code
        location = response.headers.first("Location")
        tag = response.headers.first("ETag")
        body = String(decoding: response.body, as: UTF8.self)
    }
}

extension Response {
    /// The same answer again.
    fileprivate init(repeating receipt: Receipt) {
        let body = Array(receipt.body.utf8)
        var headers = Self.plainHeaders
        if let tag = receipt.tag { headers.add("ETag", tag) }
        if let location = receipt.location { headers.add("Location", location) }
        self.init(receipt.status == Status.created.code ? .created : .ok, headers: headers, body: body)
    }
}
