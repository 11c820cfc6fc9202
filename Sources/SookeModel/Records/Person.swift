public struct Person: Record {
    /// The role of a person; see the API's table of permissions.
    public enum Role: String, ChoiceValue {
        /// May submit events.
        case generalUser = "general_user"
        /// May also manage the businesses that they own.
        case businessOwner = "business_owner"
        /// May change all public data of the town, but neither the owners of businesses nor what is private.
        case editor
        case superAdmin = "super_admin"
    }

    public static let kind = RecordKind.person

    public var id = 0
    /// Their name at the identity provider of the Go service.
    public var clerkID: String?
    public var role = Role.generalUser
    public var email = ""
    public var displayName: String?
    /// The topics of `Mail` that they do not want.
    public var mailOff: [String] = []

    public static let longestEmail = TextRules.email.upperBound * 4
    public var times = RecordTimes()

    public init() {}

    public static let fields = FieldTable(of: Person.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Person>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Unique ID; never reused")
        try visitor.field(
            "clerk_id", \.clerkID, .length(0...200), .stored, "The name that the Go service knew them by")
        try visitor.field(
            "role", \.role, .any, [.shown, .setByAdministrator], "What they may do; general_user when it is left out")
        try visitor.field(
            "email", \.email, .email, [.shown, .setByAdministrator, .required], "Their address, which nobody else has")
        try visitor.field(
            "display_name", \.displayName, .length(0...TextRules.name.upperBound), [.shown, .setByOwner],
            "What others call them")
        try visitor.field("mail_off", \.mailOff, .any, .leftOutWhenEmpty, "The kinds of e-mail that they do not want")
    }

    public var label: String { email }

    public var audience: Audience { .only(person: id, business: nil) }

    public static var hasRights: Bool { true }

    public var rights: Rights? { Rights(person: id, role: role) }

    public func checkInput(_ problems: inout FieldProblems) {
        problems.require(!email.isEmpty, "email", "must not be empty")
    }
}

extension RecordKind {
    public static let person = RecordKind("user", collection: "users", reach: .datasets)
}
