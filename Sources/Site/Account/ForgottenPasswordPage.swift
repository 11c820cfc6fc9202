import Dispatcher
import HTTP
import Service
import SookeModel

/// `/forgotten-password`: sends a link for a new password where the server can send mail, else says whom to ask.
enum ForgottenPasswordPage: FormPage {
    static let path = "/forgotten-password"
    static let access = Access.anyone
    static let audit: AuditEntry.Action? = .passwordLink
    static let parameters = ["sent"]

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let isSent = try view.call.parameter("sent") != nil
        var page = WebPage(
            "A new password",
            main: """
                <section class="head"><h1>A new password</h1></section>\
                \(isSent ? sent : view.call.service.send == nil ? contact(view.frame) : form(state))
                """)
        page.hasForm = true
        return page
    }

    private static let sent: HTML = """
        <p>If somebody has an account with this address, a mail is on its way to them. Its link works for a day.</p>
        <p class="soft">Nothing came? Look at the folder for spam, and check the address.</p>
        """

    private static func form(_ state: FormState) -> HTML {
        let field = FormField(
            name: LoginPage.email, label: "Your e-mail", control: .line(type: "email", autocomplete: "username"))
        return """
            <form class="form" method="post">\(state.summary([:]))\(field.markup(state))\
            <div class="actions"><button>Send me a link</button></div></form>
            """
    }

    private static func contact(_ frame: Frame) -> HTML {
        guard let contact = frame.contact, let link = Link(email: contact, subject: "A new password") else {
            return "<p>Ask those who run this page for a link: an administrator makes one at People.</p>"
        }
        return """
            <p>Write to <a href="\(link: link)">\(contact)</a>: you get a link for a new password.</p>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try call.service.sendPasswordReset(to: sent[LoginPage.email] ?? "", for: call.context(hasKey: false))
        // The same for all addresses: who has an account is nobody's business.
        return .seeOther(path + "?sent=yes")
    }
}
