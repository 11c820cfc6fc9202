import Bytes
import JSON

/// What opens a door to whoever knows its secret: a session, an API token, an invitation. It is private; see
/// `RecordKind.shared`.
///
/// The secret itself is never kept, only its digest.
public struct Grant: StoredRecord {
    /// Which door it opens.
    public enum Purpose: String, Sendable, CaseIterable {
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
    public enum Scope: String, Sendable, CaseIterable {
        /// Look at what its person may see.
        case read
        /// Change what its person may change.
        case write
        /// Look after the server.
        case admin
        /// Read the metrics of the server, and nothing else.
        case metrics
    }

    /// The fields of a grant in a snapshot.
    public enum Field: String, RecordField {
        case id, purpose, digest, person, email, role, name, scope
        case createdAt = "created_at"
        case createdBy = "created_by"
        case createdByToken = "created_by_token"
        case expiresAt = "expires_at"
        case seenAt = "seen_at"
        case staysSignedIn = "stays_signed_in"

        /// The table that finds a field by its name.
        public static let keys = JSONKeys<Field>()
    }

    /// Grants are `grants` in a snapshot.
    public static let kind = RecordKind.grant

    /// The grant's number; 0 until the store has given it one.
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

    /// A grant that opens nothing.
    public init() {}

    /// Reads one field's value; see `StoredRecord`.
    public mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readNumber(field, &problems)
        case .purpose:
            purpose = try reader.readRequiredShape(field, "a purpose", &problems, Purpose.init(named:)) ?? .session
        case .digest: digest = try reader.readText(field, &problems)
        case .person: person = try reader.readOptionalNumber(field, &problems)
        case .email: email = try reader.readOptionalText(field, &problems)
        case .role: role = try reader.readShape(field, "a role", &problems, Person.Role.init(named:))
        case .name: name = try reader.readOptionalText(field, &problems)
        case .scope: scope = try reader.readShape(field, "a scope", &problems, Scope.init(named:))
        case .createdAt: createdAt = try reader.readMoment(field, &problems)
        case .createdBy: createdBy = try reader.readOptionalNumber(field, &problems)
        case .createdByToken: createdByToken = try reader.readOptionalNumber(field, &problems)
        case .expiresAt: expiresAt = try reader.readOptionalMoment(field, &problems)
        case .seenAt: seenAt = try reader.readOptionalMoment(field, &problems)
        case .staysSignedIn: staysSignedIn = try reader.readFlag(field, &problems)
        }
    }

    /// Notes what breaks the stored invariants; see `StoredRecord`.
    public func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
        NumberRules.check(reference: person, "person", &problems)
        NumberRules.check(reference: createdBy, "created_by", &problems)
    }

    /// Writes the grant as a snapshot holds it.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("purpose", purpose.rawValue)
        writer.member("digest", digest)
        writer.memberIfGiven("person", person)
        writer.memberIfGiven("email", email)
        writer.memberIfGiven("role", role?.rawValue)
        writer.memberIfGiven("name", name)
        writer.memberIfGiven("scope", scope?.rawValue)
        writer.member("created_at", createdAt)
        writer.memberIfGiven("created_by", createdBy)
        writer.memberIfGiven("created_by_token", createdByToken)
        writer.memberIfGiven("expires_at", expiresAt)
        writer.memberIfGiven("seen_at", seenAt)
        if staysSignedIn { writer.member("stays_signed_in", true) }
        writer.endObject()
    }
}
