import Bytes
import JSON

/// The answer to a request that brought an `Idempotency-Key`, kept so that the same request again gets it again. It is
/// private; see `RecordKind.shared`.
public struct Receipt: StoredRecord {
    /// The fields of a receipt in a snapshot.
    public enum Field: String, RecordField {
        case id, person, key, fingerprint, status, location, tag, body, at

        /// The table that finds a field by its name.
        public static let keys = JSONKeys<Field>()
    }

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

    /// Reads one field's value; see `StoredRecord`.
    public mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readNumber(field, &problems)
        case .person: person = try reader.readOptionalNumber(field, &problems)
        case .key: key = try reader.readText(field, &problems)
        case .fingerprint: fingerprint = try reader.readText(field, &problems)
        case .status: status = try reader.readNumber(field, &problems)
        case .location: location = try reader.readOptionalText(field, &problems)
        case .tag: tag = try reader.readOptionalText(field, &problems)
        case .body: body = try reader.readText(field, &problems)
        case .at: at = try reader.readMoment(field, &problems)
        }
    }

    /// Notes what breaks the stored invariants; see `StoredRecord`.
    public func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
        NumberRules.check(reference: person, "person", &problems)
        problems.require(100...599 ~= status, "status", "must be a status code of HTTP")
    }

    /// Writes the receipt as a snapshot holds it.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.memberIfGiven("person", person)
        writer.member("key", key)
        writer.member("fingerprint", fingerprint)
        writer.member("status", status)
        writer.memberIfGiven("location", location)
        writer.memberIfGiven("tag", tag)
        writer.member("body", body)
        writer.member("at", at)
        writer.endObject()
    }
}
