import Credentials

/// An e-mail to one person.
package struct Mail: Sendable {
    package let to: String
    package let subject: String
    /// The text, plain.
    package let text: String

    package init(to: String, subject: String, text: String) {
        (self.to, self.subject, self.text) = (to, subject, text)
    }
}

extension TownService {
    /// The address of a one-time link. The token follows `#`, and browsers do not send that part, so that no log
    /// contains it.
    package func link(for token: Token) -> String {
        let page =
            switch token.kind {
            case .setup: "setup"
            case .invitation: "invitation"
            case .confirmation: "confirmation"
            default: "password-reset"
            }
        return "\(url)/\(page)#\(token.reveal())"
    }
}
