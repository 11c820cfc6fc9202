import Bytes
import JSON

/// Somebody with an account.
public struct Person: Record {
    /// What a person may do; see the API's table of who may what.
    public enum Role: String, Sendable, CaseIterable {
        /// Submits events and proposes changes.
        case generalUser = "general_user"
        /// Looks after businesses of their own.
        case businessOwner = "business_owner"
        /// Looks after the town.
        case superAdmin = "super_admin"
    }

    /// The fields of a person in a dataset.
    public enum Field: String, RecordField {
        case id, role, email
        case clerkID = "clerk_id"
        case displayName = "display_name"

        /// The table that finds a field by its name.
        public static let keys = JSONKeys<Field>()
    }

    /// People are `users` in a dataset.
    public static let kind = RecordKind.person

    /// The person's number; 0 until the store has given them one.
    public var id = 0
    /// The name the identity provider of the Go service knew them by.
    public var clerkID: String?
    /// What they may do.
    public var role = Role.generalUser
    /// Where they get mail; no two people share one.
    public var email = ""
    /// What others call them.
    public var displayName: String?

    /// No e-mail address of a person has more bytes.
    public static let longestEmail = TextRules.email.upperBound * 4
    /// When it was created and changed.
    public var times = RecordTimes()

    /// A person without a name.
    public init() {}

    /// Reads one field's value; see `Record`.
    public mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readOptionalNumber(field, &problems) ?? 0
        case .clerkID: clerkID = try reader.readOptionalText(field, &problems)
        case .role:
            let names = "one of " + Role.allCases.map(\.rawValue).joined(separator: ", ")
            role = try reader.readRequiredShape(field, names, &problems, Role.init(named:)) ?? .generalUser
        case .email: email = try reader.readText(field, &problems)
        case .displayName: displayName = try reader.readOptionalText(field, &problems)
        }
    }

    /// Takes one field's value over from another person.
    public mutating func take(_ field: Field, from other: Person) {
        switch field {
        case .id: id = other.id
        case .clerkID: clerkID = other.clerkID
        case .role: role = other.role
        case .email: email = other.email
        case .displayName: displayName = other.displayName
        }
    }

    /// Writes the person in the dataset form.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("clerk_id", clerkID)
        writer.member("role", role.rawValue)
        writer.member("email", email)
        writer.member("display_name", displayName)
        writer.endObject()
    }

    /// Notes what breaks the stored invariants; see `StoredRecord`.
    public func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
    }

    /// Notes everything that is wrong with a person who is brought in.
    public func validateInput(_ problems: inout FieldProblems) {
        validateStored(&problems)
        problems.require(!email.isEmpty, "email", "must not be empty")
        TextRules.checkEmail(email, "email", &problems)
        TextRules.check(displayName, "display_name", length: 0...TextRules.name.upperBound, &problems)
        TextRules.check(clerkID, "clerk_id", length: 0...200, &problems)
    }
}
