import Bytes

/// A session, API token or one-time link, with only the digest of its secret. It is private; see `RecordKind.isShared`.
public struct Credential: StoredRecord {
    public enum Purpose: String, ChoiceValue {
        case session
        case apiToken = "api_token"
        /// A link with which an invited person creates an account.
        case invitation
        case passwordReset = "password_reset"
        /// A link with which somebody without an account confirms the data of a business.
        case confirmation
        /// A link with which the sender of a proposal reads what became of it, corrects it and withdraws it.
        case reference
    }

    public enum Scope: String, ChoiceValue {
        /// Reading all that its person may read.
        case read
        /// Changing all that its person may change.
        case write
        case admin
        /// Reading the metrics of the server, and nothing else.
        case metrics
    }

    public static let kind = RecordKind.credential

    public var id = 0
    public var purpose = Purpose.session
    /// The SHA-256 of the secret, as 64 hexadecimal digits.
    public var digest = ""
    /// The ID of its person; nil for an invitation. A link for a confirmation has its creator.
    public var person: Int?
    public var email: String?
    public var role: Person.Role?
    /// The name of an API token or of an invited person; the browser of a session.
    public var name: String?
    public var scope: Scope?
    public var createdAt = Timestamp.epoch
    /// The ID of the person who made it; nil if the server or its owner did.
    public var createdBy: Int?
    /// The ID of the API token used to make it; nil if none was.
    public var createdByToken: Int?
    public var expiresAt: Timestamp?
    public var seenAt: Timestamp?
    /// Whether the person stays signed in: the session then lasts as long as it is used.
    public var staysSignedIn = false
    /// The ID of the business that a link confirms, or that an invited person owns then.
    public var business: Int?
    public var proposal: Int?

    public init() {}

    public static let fields = FieldTable(of: Credential.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Credential>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .stored, "Unique ID; never reused")
        try visitor.field("purpose", \.purpose, .any, .stored, "What it is for")
        try visitor.field("digest", \.digest, .any, .stored, "The digest of its secret")
        try visitor.field("person", \.person, .reference, .leftOutWhenEmpty, "Whose it is")
        try visitor.field("email", \.email, .any, .leftOutWhenEmpty, "Where an invitation was sent")
        try visitor.field("role", \.role, .any, .leftOutWhenEmpty, "The role of somebody who is invited")
        try visitor.field("name", \.name, .any, .leftOutWhenEmpty, "The name of a token, or the browser of a session")
        try visitor.field("scope", \.scope, .any, .leftOutWhenEmpty, "What an API token may do")
        try visitor.field("created_at", \.createdAt, .any, .stored, "When it was made")
        try visitor.field("created_by", \.createdBy, .reference, .leftOutWhenEmpty, "Who made it")
        try visitor.field(
            "created_by_token", \.createdByToken, .reference, .leftOutWhenEmpty, "The API token that made it")
        try visitor.field("expires_at", \.expiresAt, .any, .leftOutWhenEmpty, "When it ends")
        try visitor.field("seen_at", \.seenAt, .any, .leftOutWhenEmpty, "When it was last used")
        try visitor.field(
            "stays_signed_in", \.staysSignedIn, .any, .leftOutWhenEmpty, "Whether a session lasts while it is used")
        try visitor.field("business", \.business, .reference, .leftOutWhenEmpty, "What a link is about")
        try visitor.field("proposal", \.proposal, .reference, .leftOutWhenEmpty, "What a reference is about")
    }
}

extension RecordKind {
    public static let credential = RecordKind("grant", collection: "grants", reach: .store)
}

/// The hash of a person's password. It is private; see `RecordKind.isShared`.
public struct PasswordRecord: StoredRecord {
    public static let kind = RecordKind.password

    public var id = 0
    /// The yescrypt hash of the password, with cost and salt, in the form of `crypt(5)`.
    public var hash = ""
    public var setAt = Timestamp.epoch
    /// The key of the digests in `networks`, 32 hexadecimal digits; nil while there are none.
    public var networkKey: String?
    /// Digests of the networks from which the person has logged in with this password, the newest first.
    public var networks: [String] = []

    public init() {}

    public init(of person: Int, hash: String, setAt: Timestamp) {
        (id, self.hash, self.setAt) = (person, hash, setAt)
    }

    public static let fields = FieldTable(of: PasswordRecord.self)

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
    public static let password = RecordKind("password", collection: "passwords", reach: .store)
}
