import Bytes

/// What opens a door to whoever knows its secret: a session, an API token, an invitation. It is private; see
/// `RecordKind.shared`.
///
/// The secret itself is never kept, only its digest.
public struct Credential: StoredRecord {
    /// Which door it opens.
    public enum Purpose: String, ChoiceValue {
        /// A person has logged in.
        case session
        /// A program acts for a person.
        case apiToken = "api_token"
        /// Somebody may become a person of the town.
        case invitation
        /// A person may choose a new password without the old one.
        case passwordReset = "password_reset"
    }

    /// What a program may do with an API token.
    public enum Scope: String, ChoiceValue {
        /// Look at what its person may see.
        case read
        /// Change what its person may change.
        case write
        /// Look after the server.
        case admin
        /// Read the metrics of the server, and nothing else.
        case metrics
    }

    /// Credentials are `grants` in a snapshot.
    public static let kind = RecordKind.credential

    /// The credential's number; 0 until the store has given it one.
    public var id = 0
    /// Which door it opens.
    public var purpose = Purpose.session
    /// The SHA-256 of the secret, as 64 hexadecimal digits.
    public var digest = ""
    /// The number of the person it lets in; nil where there is none yet.
    public var person: Int?
    /// Where an invitation was sent.
    public var email: String?
    /// What somebody who is invited may do.
    public var role: Person.Role?
    /// What the owner of an API token calls it.
    public var name: String?
    /// What an API token is good for.
    public var scope: Scope?
    /// When it was made.
    public var createdAt = Timestamp(seconds: 0)
    /// The number of the person who made it; nil for one that the server or its owner made.
    public var createdBy: Int?
    /// The ID of the API token that the person used to make it; nil when it was no API token.
    public var createdByToken: Int?
    /// From when on it opens nothing; nil for never.
    public var expiresAt: Timestamp?
    /// When it was last used, of a session.
    public var seenAt: Timestamp?
    /// Whether a session lasts while it is used now and then, because the person asked for it.
    public var staysSignedIn = false

    /// A credential that opens nothing.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: Credential.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Credential>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .stored, "Its number")
        try visitor.field("purpose", \.purpose, .any, .stored, "What it is for")
        try visitor.field("digest", \.digest, .any, .stored, "The digest of its secret")
        try visitor.field("person", \.person, .reference, .leftOutWhenEmpty, "Whose it is")
        try visitor.field("email", \.email, .any, .leftOutWhenEmpty, "Where an invitation was sent")
        try visitor.field("role", \.role, .any, .leftOutWhenEmpty, "The role of somebody who is invited")
        try visitor.field("name", \.name, .any, .leftOutWhenEmpty, "What an API token is called")
        try visitor.field("scope", \.scope, .any, .leftOutWhenEmpty, "What an API token may do")
        try visitor.field("created_at", \.createdAt, .any, .stored, "When it was made")
        try visitor.field("created_by", \.createdBy, .reference, .leftOutWhenEmpty, "Who made it")
        try visitor.field(
            "created_by_token", \.createdByToken, .reference, .leftOutWhenEmpty, "The API token that made it")
        try visitor.field("expires_at", \.expiresAt, .any, .leftOutWhenEmpty, "When it ends")
        try visitor.field("seen_at", \.seenAt, .any, .leftOutWhenEmpty, "When it was last used")
        try visitor.field(
            "stays_signed_in", \.staysSignedIn, .any, .leftOutWhenEmpty, "Whether a session lasts while it is used")
    }
}
