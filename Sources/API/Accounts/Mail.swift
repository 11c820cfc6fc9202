import Credentials

/// An e-mail to one person.
public struct Mail: Sendable {
    /// The address.
    public let to: String
    /// What it is about.
    public let subject: String
    /// What it says; plain text.
    public let text: String

    /// An e-mail.
    public init(to: String, subject: String, text: String) {
        (self.to, self.subject, self.text) = (to, subject, text)
    }
}

extension Town {
    /// The address that a one-time link has. The token stands behind `#`, which browsers send to no server, so that it
    /// comes into no log.
    public func link(for token: Token) -> String {
        let page =
            switch token.kind {
            case .setup: "setup"
            case .invitation: "invitation"
            default: "password-reset"
            }
        return "\(url)/\(page)#\(token.reveal())"
    }
}
