import SookeModel
import Store

/// What a transaction that changes a record came to.
///
/// It holds the record as the transaction left it, with the names that its representation needs. So a response shows
/// what this transaction did, whatever later transactions of the same batch change.
public enum Outcome: Sendable {
    /// The record is new.
    case created(JoinedRecord)
    /// The record was there before, and is now as it is here.
    case updated(JoinedRecord)
    /// The record, or the credential, does not exist any more.
    case deleted
    /// The response to the first request with the same idempotency key, as earlier versions of the program stored it.
    case stored(Receipt)
}

/// A result of a transaction that can be given again to a request that is repeated with the same idempotency key.
protocol RepeatableResult: Sendable {
    /// What a receipt stores of it; nil when nothing is stored.
    var receiptContent: ReceiptContent? { get }

    /// The result for a request that is repeated.
    ///
    /// - Throws: `gone` when the record does not exist any more; `shownOnce` when the result held a secret.
    static func repeating(
        _ receipt: Receipt, for caller: Caller, in community: Community
    ) throws(ServiceError) -> Self
}

/// What a receipt stores of a result: which record, and its version.
struct ReceiptContent {
    let kind: RecordKind
    let id: Int
    let isCreated: Bool
    /// The digest of the record; nil for what has no versions.
    let version: UInt64?
}

extension Outcome: RepeatableResult {
    var receiptContent: ReceiptContent? {
        switch self {
        case .created(let record):
            ReceiptContent(kind: record.kind, id: record.id, isCreated: true, version: record.digest)
        case .updated(let record):
            ReceiptContent(kind: record.kind, id: record.id, isCreated: false, version: record.digest)
        case .deleted, .stored: nil
        }
    }

    static func repeating(
        _ receipt: Receipt, for caller: Caller, in community: Community
    ) throws(ServiceError) -> Outcome {
        guard let kind = receipt.recordKind, let id = receipt.record else { return .stored(receipt) }
        guard let record = JoinedRecord(kind, id: id, in: community), record.isVisible(to: caller, in: community)
        else { throw .gone }
        return receipt.isOfCreation ? .created(record) : .updated(record)
    }
}
