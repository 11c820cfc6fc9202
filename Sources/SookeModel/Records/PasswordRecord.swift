import Bytes
import JSON

/// What proves who a person is: the hash of their password. It is private; see `RecordKind.shared`.
public struct PasswordRecord: StoredRecord {
    /// The fields of a password in a snapshot.
    public enum Field: String, RecordField {
        case id, hash
        case setAt = "set_at"
        case networkKey = "network_key"
        case networks

        /// The table that finds a field by its name.
        public static let keys = JSONKeys<Field>()
    }

    /// Passwords are `passwords` in a snapshot.
    public static let kind = RecordKind.password

    /// The number of the person whose password it is.
    public var id = 0
    /// The password as yescrypt hashed it, with the cost and the salt, in the form of `crypt(5)`.
    public var hash = ""
    /// When it became theirs.
    public var setAt = Timestamp(seconds: 0)
    /// The key of the digests in `networks`, 32 hexadecimal digits; nil while there are none.
    public var networkKey: String?
    /// Digests of the networks from which the person has logged in with this password, the newest first.
    public var networks: [String] = []

    /// A password of nobody.
    public init() {}

    /// The password of a person.
    public init(of person: Int, hash: String, setAt: Timestamp) {
        (id, self.hash, self.setAt) = (person, hash, setAt)
    }

    /// Reads one field's value; see `StoredRecord`.
    public mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readNumber(field, &problems)
        case .hash: hash = try reader.readText(field, &problems)
        case .setAt: setAt = try reader.readMoment(field, &problems)
        case .networkKey: networkKey = try reader.readOptionalText(field, &problems)
        case .networks: networks = try reader.readTexts(field, &problems)
        }
    }

    /// Notes what breaks the stored invariants; see `StoredRecord`.
    public func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
    }

    /// Writes the password as a snapshot holds it.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("hash", hash)
        writer.member("set_at", setAt)
        writer.memberIfGiven("network_key", networkKey)
        if !networks.isEmpty {
            writer.key("networks")
            writer.beginArray()
            for network in networks { writer.string(network) }
            writer.endArray()
        }
        writer.endObject()
    }

    /// Whether it is the same password, wherever its person has logged in with it since.
    public func isSamePassword(as other: PasswordRecord) -> Bool {
        id == other.id && hash == other.hash && setAt == other.setAt
    }
}
