import Bytes
import SookeModel
import Store

/// A transaction of a use case, with the checks that precede it. Only `Town.run` runs one.
public struct Transaction<Result: Sendable>: Sendable {
    /// The author of the change in the log.
    let author: Author
    /// The required permission; nil for the server itself.
    let access: Access?
    let body: @Sendable (inout WriteTransaction) throws -> Result

    private init(
        by author: Author, _ access: Access?, _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) {
        (self.author, self.access, self.body) = (author, access, body)
    }

    /// A change by the server itself.
    static func ofServer(_ body: @escaping @Sendable (inout WriteTransaction) throws -> Result) -> Transaction {
        Transaction(by: .local, nil, body)
    }

    /// A change by a caller, whose permission is checked on the version that is changed.
    ///
    /// - Parameters:
    ///   - author: the author of the change in the log; nil for the caller.
    ///   - access: the required permission.
    ///   - slug: the slug of the record that `access` refers to.
    init(
        for context: RequestContext, by author: Author? = nil, _ access: Access, at slug: Slug? = nil,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) {
        self.init(by: author ?? context.caller.author, access) { transaction in
            try access.check(context.caller, slug: slug, in: transaction.community)
            return try body(&transaction)
        }
    }
}

extension Transaction where Result: RepeatableResult {
    /// A change by a caller that runs once for all requests with the same idempotency key.
    ///
    /// 1. The caller's permission is checked on the version that is changed.
    /// 2. A request with the key of an earlier one gets the earlier result, and changes nothing.
    /// 3. The body runs. When it throws, its changes are rolled back.
    /// 4. A receipt is stored in the same commit.
    ///
    /// - Parameter clock: the time by which receipts expire.
    init(
        once context: RequestContext, _ clock: SteadyClock, _ access: Access, at slug: Slug? = nil,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) {
        guard let key = context.key else {
            self.init(for: context, access, at: slug, body)
            return
        }
        self.init(for: context, access, at: slug) { transaction in
            let now = clock.now()
            transaction.deleteReceipts(before: now.advanced(bySeconds: -Receipt.lifetimeSeconds))
            let person = context.caller.personID
            if let receipt = transaction.community.receipts[person: person, key: key.text] {
                guard receipt.fingerprint == key.fingerprint else { throw ServiceError.keyReused }
                return try Result.repeating(receipt, for: context.caller, in: transaction.community)
            }
            let result = try body(&transaction)
            if let content = result.receiptContent { transaction.put(Receipt(content, key, person: person, at: now)) }
            return result
        }
    }
}

extension WriteTransaction {
    /// Deletes expired receipts.
    fileprivate mutating func deleteReceipts(before moment: Timestamp) {
        for receipt in Array(community.receipts.before(moment)) { deleteReceipt(receipt.id) }
    }
}

extension Receipt {
    /// The time in which a request may be repeated, in seconds.
    static let lifetimeSeconds = 24 * 3600

    /// A receipt for the result of a request.
    fileprivate init(_ content: ReceiptContent, _ key: IdempotencyKey, person: Int?, at now: Timestamp) {
        self.init()
        (self.person, self.key, fingerprint, at) = (person, key.text, key.fingerprint, now)
        (recordKind, record) = (content.kind, content.id)
        isOfCreation = content.isCreated
        version = content.version.map { digest in
            var text: [UInt8] = []
            text.append(hex: digest)
            return String(decoding: text, as: UTF8.self)
        }
    }
}
