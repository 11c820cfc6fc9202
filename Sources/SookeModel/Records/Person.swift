/// Somebody with an account.
public struct Person: Record {
    /// What a person may do; see the API's table of who may what.
    public enum Role: String, ChoiceValue {
        /// Submits events and proposes changes.
        case generalUser = "general_user"
        /// Looks after businesses of their own.
        case businessOwner = "business_owner"
        /// Looks after the town.
        case superAdmin = "super_admin"
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

    /// Its fields.
    public static let fields = FieldTable(of: Person.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Person>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Its number, which is never given again")
        try visitor.field(
            "clerk_id", \.clerkID, .length(0...200), .stored, "The name that the Go service knew them by")
        try visitor.field(
            "role", \.role, .any, [.shown, .setByAdministrator], "What they may do; general_user when it is left out")
        try visitor.field(
            "email", \.email, .email, [.shown, .setByAdministrator, .required], "Their address, which nobody else has")
        try visitor.field(
            "display_name", \.displayName, .length(0...TextRules.name.upperBound), [.shown, .setByOwner],
            "What others call them")
    }

    /// Notes a person without an address.
    public func checkInput(_ problems: inout FieldProblems) {
        problems.require(!email.isEmpty, "email", "must not be empty")
    }
}
