import Bytes

/// The hash of a person's password. It is private; see `RecordKind.isShared`.
public struct PasswordRecord: StoredRecord {
    /// Passwords are `passwords` in a snapshot.
    public static let kind = RecordKind.password

    /// The ID of the person.
    public var id = 0
    /// The yescrypt hash of the password, with cost and salt, in the form of `crypt(5)`.
    public var hash = ""
    /// The time when it was set.
    public var setAt = Timestamp(seconds: 0)
    /// The key of the digests in `networks`, 32 hexadecimal digits; nil while there are none.
    public var networkKey: String?
    /// Digests of the networks from which the person has logged in with this password, the newest first.
    public var networks: [String] = []

    /// A password without a person.
    public init() {}

    /// The password of a person.
    public init(of person: Int, hash: String, setAt: Timestamp) {
        (id, self.hash, self.setAt) = (person, hash, setAt)
    }

    /// Its fields.
    public static let fields = FieldTable(of: PasswordRecord.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<PasswordRecord>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .stored, "The ID of the person")
        try visitor.field("hash", \.hash, .any, .stored, "The hash of the password")
        try visitor.field("set_at", \.setAt, .any, .stored, "When it was set")
        try visitor.field("network_key", \.networkKey, .any, .leftOutWhenEmpty, "The key of the digests of networks")
        try visitor.field("networks", \.networks, .any, .leftOutWhenEmpty, "Digests of networks of past logins")
    }

    /// Whether it is the same password; the networks may differ.
    public func isSamePassword(as other: PasswordRecord) -> Bool {
        id == other.id && hash == other.hash && setAt == other.setAt
    }
}

extension RecordKind {
    /// The password of a person.
    public static let password = RecordKind("password", collection: "passwords", reach: .store)
}
