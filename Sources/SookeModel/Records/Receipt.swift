import Bytes

/// The result of a request with an `Idempotency-Key`, stored so that a repetition changes nothing. It is private; see
/// `RecordKind.isShared`.
///
/// A receipt refers to the record that the request created or changed. Earlier versions stored the response instead, in
/// `location`, `tag` and `body`.
public struct Receipt: StoredRecord {
    /// Receipts are `receipts` in a snapshot.
    public static let kind = RecordKind.receipt

    public var id = 0
    /// The ID of the person who sent the request; nil for the owner of the data folder, and without an account.
    public var person: Int?
    /// The digest of the network of a sender without an account; else nil.
    public var network: String?
    /// The key, which is unique for the person or the network.
    public var key = ""
    /// The digest of the request's method, target and body: a different request with the same key is an error.
    public var fingerprint = ""
    /// The status of the outcome: 201 for a record that was created, 200 for another one.
    public var status = 0
    /// The name of the record's kind; nil in the form of earlier versions.
    public var recordKind: String?
    /// The ID of the record; nil in the form of earlier versions.
    public var record: Int?
    /// The digest of the record, as 16 hexadecimal digits; nil for a credential, and in the form of earlier versions.
    public var version: String?
    /// The `Location` of the response, in the form of earlier versions.
    public var location: String?
    /// The entity tag of the response, in the form of earlier versions.
    public var tag: String?
    /// The body of the response, a JSON text, in the form of earlier versions.
    public var body: String?
    /// The time of the request.
    public var at = Timestamp.epoch

    /// An empty receipt.
    public init() {}

    /// The sender of the request.
    public var sender: Sender {
        get {
            if let person { return .person(person) }
            return network.map(Sender.network) ?? .owner
        }
        set {
            (person, network) = (nil, nil)
            switch newValue {
            case .owner: break
            case .person(let id): person = id
            case .network(let digest): network = digest
            }
        }
    }

    /// The sender of a request: two senders may choose the same key.
    public enum Sender: Sendable, Hashable {
        /// The owner of the data folder.
        case owner
        /// The person with an ID.
        case person(Int)
        /// Somebody without an account, by the digest of their network.
        case network(String)
    }

    /// Whether the request created a record.
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
        try visitor.field("kind", \.recordKind, .any, .leftOutWhenEmpty, "The kind of the record")
        try visitor.field("record", \.record, .reference, .leftOutWhenEmpty, "The ID of the record")
        try visitor.field("version", \.version, .any, .leftOutWhenEmpty, "The digest of the record")
        try visitor.field("location", \.location, .any, .leftOutWhenEmpty, "The Location of an earlier form")
        try visitor.field("tag", \.tag, .any, .leftOutWhenEmpty, "The entity tag of an earlier form")
        try visitor.field("body", \.body, .any, .leftOutWhenEmpty, "The body of an earlier form")
        try visitor.field("at", \.at, .any, .stored, "When it was sent")
    }

    /// Adds a problem for a record without its kind.
    public func checkStored(_ problems: inout FieldProblems) {
        problems.require((recordKind == nil) == (record == nil), "record", "must come with a kind")
    }
}

extension RecordKind {
    /// The receipt of a request that may be repeated.
    public static let receipt = RecordKind("receipt", collection: "receipts", reach: .store)
}
