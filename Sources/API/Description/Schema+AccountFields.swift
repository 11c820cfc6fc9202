import SookeModel

/// The members of bodies about accounts, links and tokens.
extension Schema {
    var accountFields: [FieldDescription] {
        switch self {
        case .role: [FieldDescription("role", Self.anyRole, use: .given, required: true, "What they may do")]
        case .session:
            [
                FieldDescription(
                    "token", .text, use: .shown, "The token, to be sent as Authorization: Bearer; shown only once"),
                FieldDescription(
                    "expires_at", .moment, use: .shown,
                    "When it expires at the latest; unused, after 30 minutes. With stay_signed_in: unused, then"),
                FieldDescription("user", .one(.user), use: .shown, "Who has logged in"),
            ]
        case .openSession:
            [
                FieldDescription("id", .integer, use: .shown, "The ID by which it can be revoked"),
                FieldDescription("created_at", .moment, use: .shown, "When its person logged in"),
                FieldDescription("last_used_at", .moment, use: .shown, "When it was last used"),
                FieldDescription("expires_at", .moment, use: .shown, "When it expires if it is not used again"),
                FieldDescription("stay_signed_in", .flag, use: .shown, "Whether it lasts 90 days after each use"),
                FieldDescription("is_current", .flag, use: .shown, "Whether it is the session of this request"),
            ]
        case .credentials:
            [
                FieldDescription("email", .text, use: .given, required: true, "The address of the account"),
                FieldDescription("password", .text, use: .given, required: true, "Its password"),
                FieldDescription(
                    "stay_signed_in", .flag, use: .given,
                    "Whether the session lasts 90 days after each use, rather than 30 minutes and 12 hours in all"),
            ]
        case .passwordChange:
            [
                FieldDescription("password", .text, use: .given, required: true, "The old password"),
                Self.newPassword("new_password"),
            ]
        case .newPassword: [Self.newPassword("new_password"), Self.keepTokens]
        case .passwordReset: [Self.linkToken, Self.newPassword("new_password"), Self.keepTokens]
        case .acceptance: [Self.linkToken, Self.newPassword("password"), Self.displayName]
        case .setup:
            [
                FieldDescription(
                    "token", .text, use: .given, required: true, "What the server printed when it started"),
                FieldDescription("email", .text, use: .given, required: true, "The address of the first account"),
                Self.newPassword("password"), Self.displayName,
            ]
        case .setupLink: [FieldDescription("link", .text, use: .shown, "The address to open; shown only once")]
        case .invitation:
            [
                FieldDescription("id", .integer, use: .shown, "The ID by which an administrator can revoke the link"),
                FieldDescription("email", .text, required: true, "Whose account it is about"),
                FieldDescription("role", Self.anyRole, "The role of the new account; general_user by default"),
                FieldDescription("display_name", .text, use: .given, "What others call them"),
                FieldDescription("token", .text, use: .shown, "The secret of the link; shown only once"),
                FieldDescription("link", .text, use: .shown, "The address to open; shown only once"),
                FieldDescription("expires_at", .moment, use: .shown, "When it expires; it can be used once"),
            ]
        case .confirmationLink:
            [
                FieldDescription("id", .integer, use: .shown, "The ID by which an administrator can revoke the link"),
                FieldDescription("token", .text, use: .shown, "The secret of the link; shown only once"),
                FieldDescription("link", .text, use: .shown, "The address to open; shown only once"),
                FieldDescription("expires_at", .moment, use: .shown, "When it expires; it can be used once"),
            ]
        case .confirmation: [Self.linkToken]
        case .token: Self.tokenFields
        default: []
        }
    }

    private static let tokenFields = [
        FieldDescription("id", .integer, use: .shown, "The ID by which it can be revoked"),
        FieldDescription("name", .text, required: true, "What it is for; 1 to 100 characters"),
        FieldDescription(
            "scope", .choice(Credential.Scope.allCases.map(\.rawValue)),
            "Its scope; write by default"),
        FieldDescription("user_id", .integer, use: .shown, "The ID of the user for whom it acts"),
        FieldDescription("email", .text, use: .given, "The address of that user; the caller by default"),
        FieldDescription("created_at", .moment, use: .shown, "When it was made"),
        FieldDescription("created_by", .integer, use: .shown, "Who made it; null for the owner of the server"),
        FieldDescription(
            "created_by_token", .integer, use: .shown,
            "The ID of the token used to make it, with which it is revoked; or null"),
        FieldDescription(
            "expires_at", .moment,
            "When it expires, at the latest with the token used to make it; by default never or with that token"),
        FieldDescription(
            "token", .text, use: .shown, "The token, to be sent as Authorization: Bearer; shown only once"),
    ]

    private static let anyRole = FieldDescription.Kind.choice(Person.Role.allCases.map(\.rawValue))
    private static let linkToken = FieldDescription("token", .text, use: .given, required: true, "What the link holds")
    private static let displayName = FieldDescription("display_name", .text, use: .given, "What others call them")

    private static let keepTokens = FieldDescription(
        "keep_tokens", .flag, use: .given,
        "Whether the API tokens of the account and those that it made stay valid; else only its own for metrics do")

    private static func newPassword(_ name: String) -> FieldDescription {
        FieldDescription(
            name, .text, use: .given, required: true, "The new password; 12 characters or more, not a common one")
    }
}
