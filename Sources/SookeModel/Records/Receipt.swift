import Bytes

/// The answer to a request that brought an `Idempotency-Key`, kept so that the same request again gets it again. It is
/// private; see `RecordKind.shared`.
public struct Receipt: StoredRecord {
    /// Receipts are `receipts` in a snapshot.
    public static let kind = RecordKind.receipt

    /// The receipt's number; 0 until the store has given it one.
    public var id = 0
    /// The number of the person who asked; nil for the owner of the data folder.
    public var person: Int?
    /// The key, which is good for that person alone.
    public var key = ""
    /// The digest of the request's method, target and body: another request with the same key is a mistake.
    public var fingerprint = ""
    /// The status of the answer.
    public var status = 0
    /// Its `Location`.
    public var location: String?
    /// Its entity tag; nil also in receipts of earlier versions, which had one of another form.
    public var tag: String?
    /// Its body, a JSON text.
    public var body = ""
    /// When it was given.
    public var at = Timestamp(seconds: 0)

    /// A receipt of nothing.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: Receipt.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Receipt>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .stored, "Its number")
        try visitor.field("person", \.person, .reference, .leftOutWhenEmpty, "Who asked")
        try visitor.field("key", \.key, .any, .stored, "The key of the request")
        try visitor.field("fingerprint", \.fingerprint, .any, .stored, "The digest of the request")
        try visitor.field(
            "status", \.status, .range(100...599, "must be a status code of HTTP"), .stored,
            "The status of the response")
        try visitor.field("location", \.location, .any, .leftOutWhenEmpty, "Its Location")
        try visitor.field("tag", \.tag, .any, .leftOutWhenEmpty, "Its entity tag")
        try visitor.field("body", \.body, .any, .stored, "Its body")
        try visitor.field("at", \.at, .any, .stored, "When it was sent")
    }
}
