import Bytes

/// The result of a request with an `Idempotency-Key`, stored so that a repetition changes nothing. It refers to the
/// record that the request created or changed. It is private; see `RecordKind.isShared`.
public struct Receipt: StoredRecord {
    public static let kind = RecordKind.receipt

    public var id = 0
    /// The ID of the person who sent the request; nil for the owner of the data folder.
    public var person: Int?
    /// Of a sender without an account, as earlier versions stored it for a day.
    public var network: String?
    /// The key, which is unique for the person.
    public var key = ""
    /// The digest of the request's method, target and body: a different request with the same key is an error.
    public var fingerprint = ""
    /// The status of the outcome: 201 for a record that was created, 200 for another one.
    public var status = 0
    public var recordKind = ""
    public var record = 0
    /// The digest of the record, as 16 hexadecimal digits; nil for a credential.
    public var version: String?
    public var at = Timestamp.epoch

    public init() {}

    public var isOfCreation: Bool {
        get { status == 201 }
        set { status = newValue ? 201 : 200 }
    }

    public static let fields = FieldTable(of: Receipt.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Receipt>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .stored, "Unique ID; never reused")
        try visitor.field("person", \.person, .reference, .leftOutWhenEmpty, "Who asked")
        try visitor.field("network", \.network, .any, .leftOutWhenEmpty, "The network of somebody without an account")
        try visitor.field("key", \.key, .any, .stored, "The key of the request")
        try visitor.field("fingerprint", \.fingerprint, .any, .stored, "The digest of the request")
        try visitor.field(
            "status", \.status, .range(100...599, "must be a status code of HTTP"), .stored,
            "The status of the response")
        try visitor.field("kind", \.recordKind, .any, .stored, "The kind of the record")
        try visitor.field("record", \.record, .reference, .stored, "The ID of the record")
        try visitor.field("version", \.version, .any, .leftOutWhenEmpty, "The digest of the record")
        try visitor.field("at", \.at, .any, .stored, "When it was sent")
    }
}

extension RecordKind {
    public static let receipt = RecordKind("receipt", collection: "receipts", reach: .store)
}
