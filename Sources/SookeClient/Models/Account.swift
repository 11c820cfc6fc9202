/// The account of a person.
public struct Account: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// The e-mail address with which the person logs in.
    public let email: String
    /// The name of the person.
    public let displayName: String?
    /// What the person may do: `general_user`, `business_owner` or `super_admin`.
    public let role: String

    private enum CodingKeys: String, CodingKey {
        case id, email, role
        case displayName = "display_name"
    }

    /// An account.
    public init(id: Int64, email: String, displayName: String? = nil, role: String) {
        (self.id, self.email, self.displayName, self.role) = (id, email, displayName, role)
    }
}

/// The response to a login.
public struct SessionResponse: Codable, Sendable, Hashable {
    /// The token of the session, which the server shows only once.
    public let token: String
    /// When the session expires at the latest, RFC 3339 in UTC.
    public let expiresAt: String?
    /// The account.
    public let user: Account

    private enum CodingKeys: String, CodingKey {
        case token, user
        case expiresAt = "expires_at"
    }

    /// A session.
    public init(token: String, expiresAt: String? = nil, user: Account) {
        (self.token, self.expiresAt, self.user) = (token, expiresAt, user)
    }
}
