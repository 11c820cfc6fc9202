import SookeModel
import Store

/// The result of a transaction that changes a record.
///
/// It contains the record after the transaction, with the names that its representation needs. So the response shows
/// the result of this transaction, whatever later transactions of the same batch change.
public enum Outcome: Sendable {
    /// The record is new.
    case created(JoinedRecord)
    /// The record existed and has changed, or is unchanged.
    case updated(JoinedRecord)
    /// The record or credential was deleted.
    case deleted
    /// The stored response to the first request with the same idempotency key, from earlier versions of the program.
    case stored(Receipt)
}

/// A result of a transaction that can be returned again when the request is repeated with the same idempotency key.
protocol RepeatableResult: Sendable {
    /// What the receipt stores; nil for no receipt.
    var receiptContent: ReceiptContent? { get }

    /// The result for a repeated request.
    ///
    /// - Throws: `gone` when the record was deleted; `shownOnce` when the result contained a secret.
    static func repeating(
        _ receipt: Receipt, for caller: Caller, in community: Community
    ) throws(ServiceError) -> Self
}

/// The part of a receipt that describes a result: the record and its version.
struct ReceiptContent {
    let kind: RecordKind
    let id: Int
    let isCreated: Bool
    /// The digest of the record; nil for kinds without versions.
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
