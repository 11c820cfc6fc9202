import Bytes
import Platform
import SookeModel
import Store
import Synchronization

/// A transaction of a use case, with the checks that precede it. Only `TownService.run` runs one.
package struct Transaction<Result: Sendable>: Sendable {
    let author: Author
    /// Nil for the server itself.
    let access: Access?
    let payers: [TownLimits.Payer]
    var act: CommitAct?
    let body: @Sendable (inout WriteTransaction) throws -> Result

    private init(
        by author: Author, _ access: Access?, _ payers: [TownLimits.Payer],
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) {
        (self.author, self.access, self.payers, self.body) = (author, access, payers, body)
    }

    static func ofServer(
        payers: [TownLimits.Payer] = [], _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) -> Transaction {
        Transaction(by: .local, nil, payers, body)
    }

    /// By a caller, whose permission for the record at `slug` is checked on the version that is changed.
    init(
        for context: RequestContext, by author: Author? = nil, _ access: Access, at slug: Slug? = nil,
        payers: [TownLimits.Payer]? = nil, _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) {
        let author = author ?? context.caller.author
        let payers = payers ?? context.payers(for: author)
        self.init(by: author, access, payers) { transaction in
            try access.check(context.caller, slug: slug, in: transaction.town)
            return try body(&transaction)
        }
    }
}

extension Transaction {
    /// Of the caller's own sessions or password.
    init(ofLogin context: RequestContext, _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result) {
        self.init(
            for: context, .member, payers: context.payers(for: context.caller.author, isLogin: true), body)
    }
}

extension Transaction where Result: RepeatableResult {
    /// A change by a caller that runs once for all requests with the same idempotency key.
    ///
    /// 1. The caller's permission is checked on the version that is changed.
    /// 2. A request with the key of an earlier one gets the earlier result, and changes nothing.
    /// 3. The body runs. When it throws, its changes are rolled back.
    /// 4. A receipt is stored in the same commit.
    init(
        once context: RequestContext, _ clock: ExpiryClock, _ access: Access, at slug: Slug? = nil,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) {
        guard let key = context.key, context.caller.isKnown else {
            self.init(for: context, access, at: slug, body)
            return
        }
        self.init(for: context, access, at: slug) { transaction in
            let now = clock.now()
            transaction.deleteReceipts(
                before: now.advanced(bySeconds: -Receipt.lifetimeSeconds),
                after: now.advanced(bySeconds: TownService.clockTolerance))
            let person = context.caller.personID
            if let receipt = transaction.town.receipts[person: person, key: key.text] {
                guard receipt.fingerprint == key.fingerprint else { throw ServiceError.keyReused }
                return try Result.repeating(receipt, for: context.caller, in: transaction.town)
            }
            let result = try body(&transaction)
            if let content = result.receiptContent { transaction.put(Receipt(content, key, of: person, at: now)) }
            return result
        }
    }
}

extension WriteTransaction {
    /// Expired ones, and those of a clock that was ahead.
    fileprivate mutating func deleteReceipts(before start: Timestamp, after end: Timestamp) {
        let wrong = Array(town.receipts.before(start)) + Array(town.receipts.after(end))
        for receipt in wrong { deleteReceipt(receipt.id) }
    }
}

extension Receipt {
    static let lifetimeSeconds = 24 * 3600

    fileprivate init(_ content: ReceiptContent, _ key: IdempotencyKey, of person: Int?, at now: Timestamp) {
        self.init()
        (self.person, self.key, fingerprint, at) = (person, key.text, key.fingerprint, now)
        (recordKind, record) = (content.kind.name, content.id)
        isOfCreation = content.isCreated
        version = content.version.map(Hex.text)
    }
}

extension TownService {
    /// Calls back on the commit thread when its changes are on stable storage. Dropped if the client no longer waits
    /// when it gets its turn.
    package func run<Result: Sendable>(
        _ transaction: Transaction<Result>, isWanted: @escaping @Sendable () -> Bool = { true },
        then done: @escaping @Sendable (Swift.Result<Result, ServiceError>) -> Void
    ) {
        let body = transaction.body
        let (limits, payers) = (limits, transaction.payers)
        let logged = Atomic<Int>(0)
        let request = CrashReport.request
        store.write(by: transaction.author, act: transaction.act) { transaction in
            CrashReport.request = request
            if !isWanted() { throw ServiceError.overloaded }
            try limits.requireBytes(of: payers)
            return try body(&transaction)
        } appended: { bytes in
            logged.add(bytes, ordering: .relaxed)
            limits.addBytes(bytes, to: payers)
        } then: { result in
            CrashReport.request = []
            // They did not get onto the disk.
            if case .failure = result { limits.addBytes(-logged.load(ordering: .relaxed), to: payers) }
            done(result.mapError(ServiceError.init(_:)))
        }
    }

    package func run<Result: Sendable>(
        _ transaction: Transaction<Result>, for context: RequestContext? = nil
    ) async throws(ServiceError) -> Result {
        let result = await withCheckedContinuation { continuation in
            run(transaction, isWanted: { context?.isWanted() ?? true }) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    func once<Result: RepeatableResult>(
        for context: RequestContext, _ access: Access, at slug: Slug? = nil,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) -> Transaction<Result> {
        Transaction(once: context, expiryClock, access, at: slug, body)
    }
}

extension ServiceError {
    package init(_ error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as WriteError: self.init(error)
        case let error as FieldProblems: self = .invalid(error)
        case StoreError.diskFull: self = .diskFull
        case StoreError.noRoomForSnapshot: self = .noRoomForSnapshot
        case StoreError.snapshotNotTaken: self = .snapshotFailed
        case StoreError.readOnly(let state): self = .readOnly(reason: state.reason)
        case StoreError.unreadable: self = .internalError
        case is StoreError, is PasswordHashError, is CancellationError: self = .overloaded
        default: self = .internalError
        }
    }

    private init(_ error: WriteError) {
        switch error {
        case .invalid(let problems): self = .invalid(problems)
        case .taken(let slug): self = .slugTaken(slug)
        case .nameTaken(let name): self = .nameTaken(name)
        case .inUse(let count): self = .inUse(count: count)
        case .notFound: self = .notFound(.address)
        }
    }
}

/// The record after a transaction, with the names that its representation needs: the response shows the result of this
/// transaction, even if later ones of the same batch change it.
package enum Outcome: Sendable {
    case created(Joined)
    /// The record existed and has changed, or is unchanged.
    case updated(Joined)
    case deleted
}

/// A result that can be returned again when the request is repeated with the same idempotency key.
protocol RepeatableResult: Sendable {
    var receiptContent: ReceiptContent? { get }

    /// - Throws: `gone` when the record was deleted; `shownOnce` when the result contained a secret.
    static func repeating(_ receipt: Receipt, for caller: Caller, in town: Town) throws(ServiceError) -> Self
}

struct ReceiptContent {
    let kind: RecordKind
    let id: Int
    let isCreated: Bool
    /// Nil for kinds without versions.
    let version: UInt64?
}

extension Outcome: RepeatableResult {
    var receiptContent: ReceiptContent? {
        switch self {
        case .created(let joined): ReceiptContent(joined.record, isCreated: true)
        case .updated(let joined): ReceiptContent(joined.record, isCreated: false)
        case .deleted: nil
        }
    }

    static func repeating(_ receipt: Receipt, for caller: Caller, in town: Town) throws(ServiceError) -> Outcome {
        let record = Town.kind(named: receipt.recordKind).flatMap { town.record(of: $0, receipt.record) }
        let isVisible =
            if let proposal = record as? Proposal {
                caller.mayRepeat(proposal, in: town)
            } else {
                record.map { $0.kind.isShared && caller.sees($0.value.audience, in: town) } ?? false
            }
        guard isVisible, let joined = record?.joined(in: town) else { throw .gone }
        return receipt.isOfCreation ? .created(joined) : .updated(joined)
    }
}

extension ReceiptContent {
    fileprivate init(_ record: any TableRecord, isCreated: Bool) {
        self.init(kind: record.kind, id: record.id, isCreated: isCreated, version: record.digest)
    }
}
