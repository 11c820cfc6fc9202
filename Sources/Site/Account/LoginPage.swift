import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel

/// `/login`: opens a session, and goes on to where somebody wanted to go, with everything that they typed there.
enum LoginPage: FormPage {
    static let path = "/login"
    static let access = Access.anyone
    static let audit: AuditEntry.Action? = .login
    static let parameters = ["then", "ended"]

    // Their names are none of another form, whose fields it may carry.
    static let email = "login-email"
    private static let (password, stays, then) = ("login-password", "login-stays", "login-then")
    /// There when somebody had sent a form, which is sent once more.
    private static let again = "login-again"
    private static let own = [email, password, stays, then, again]

    static func address(then request: Request) -> String {
        let hadSession =
            request.headers.first("cookie").map { String(decoding: $0, as: UTF8.self) }?
            .firstRange(ofBytes: "sooke") != nil
        return path + "?then=" + PercentCoding.encode(request.target, except: Array("/".utf8))
            + (hadSession ? "&ended=yes" : "")
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let target = try view.call.parameter("then")
        let hasEnded = try state.sent == nil && view.call.parameter("ended") != nil
        return page(state, hasEnded: hasEnded, then: state.sent?[then] ?? target ?? "", keeping: state.sent)
    }

    /// The page instead of one that somebody sent a form to, with what they typed.
    static func page(keeping sent: Submission?, for request: Request) -> WebPage {
        var state = FormState()
        state.message = "Your session ended. Log in again and we will save what you typed."
        let target = String(decoding: request.target, as: UTF8.self)
        return page(state, then: target, keeping: sent?.setting(again, to: "yes"))
    }

    private static func page(_ state: FormState, hasEnded: Bool = false, then target: String, keeping sent: Submission?)
        -> WebPage
    {
        let kept = sent?.fields.filter { field in !own.contains { $0 == field.name } } ?? []
        let fields = [
            FormField(name: email, label: "E-mail", control: .line(type: "email", autocomplete: "username")),
            FormField(
                name: password, label: "Password", control: .line(type: "password", autocomplete: "current-password")),
        ]
        return WebPage(
            "Log in", .form,
            main: """
                <section class="head"><h1>Log in</h1>\
                \(if: hasEnded, "<p role=\"status\">Your session ended. Log in again to go on.</p>")</section>\
                <form class="form" method="post" novalidate action="/login">\(state.summary([:]))\
                \(each: fields, { $0.markup(state) })\
                <label class="option"><input type="checkbox" name="login-stays" value="true"\
                \(attribute: "checked", if: state.isTicked(stays))><span>Stay logged in on this device</span></label>\
                <input type="hidden" name="login-then" value="\(target)">\
                \(if: sent?.isSet(again) ?? false, "<input type=\"hidden\" name=\"login-again\" value=\"yes\">")\
                \(each: kept, { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })\
                <div class="actions"><button>Log in</button>\
                <a class="button plain" href="/forgotten-password">Forgot your password?</a></div></form>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try call.requireKeptCookie(at: path)
        let stays = sent.isSet(stays)
        let session = try await call.service.logIn(
            sent[email] ?? "", password: sent.exact(password) ?? "", staysSignedIn: stays,
            for: call.context(hasKey: false))
        let target = ownAddress(sent[then] ?? "") ?? AccountPage.path
        var response = Response.loggedIn(session, of: call, stays: stays, to: target)
        // The browser sends what was typed once more, now with the session (RFC 9110, section 15.4.8).
        if sent.isSet(again) { response.status = .temporaryRedirect }
        return response
    }

    /// An address of this site; nil for any other, where nobody wanted to go.
    static func ownAddress(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count < 2000,
            bytes.dropFirst().first.map({ $0 != UInt8(ascii: "/") }) ?? true,
            bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }
}

/// `/forgotten-password`: sends a link for a new password where the server can send mail, else says whom to ask.
enum ForgottenPasswordPage: FormPage {
    static let path = "/forgotten-password"
    static let access = Access.anyone
    static let audit: AuditEntry.Action? = .passwordLink
    static let parameters = ["sent"]

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let isSent = try view.call.parameter("sent") != nil
        return WebPage(
            "A new password", .form,
            main: """
                <section class="head"><h1>A new password</h1></section>\
                \(isSent ? sent : !view.call.service.sendsMail ? contact(view.frame) : form(state))
                """)
    }

    private static let sent: HTML = """
        <p>If there is an account with this address, we have sent it an e-mail. The link in it works for a day.</p>
        <p class="soft">Nothing came? Look in your spam folder, and check the address.</p>
        """

    private static func form(_ state: FormState) -> HTML {
        let field = FormField(
            name: LoginPage.email, label: "Your e-mail", control: .line(type: "email", autocomplete: "username"))
        return """
            <form class="form" method="post" novalidate>\(state.summary([:]))\(field.markup(state))\
            <div class="actions"><button>Send me a link</button></div></form>
            """
    }

    private static func contact(_ frame: Frame) -> HTML {
        guard let contact = frame.settings.contactEmail, let link = Link(email: contact, subject: "A new password")
        else {
            return "<p>Ask an administrator of this site for a link; they make one under People.</p>"
        }
        return """
            <p>Write to <a href="\(link: link)">\(contact)</a> and we will send you a link for a new password.</p>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try call.service.sendPasswordReset(to: sent[LoginPage.email] ?? "", for: call.context(hasKey: false))
        // The same for all addresses: who has an account is nobody's business.
        return .seeOther(path + "?sent=yes")
    }
}

enum PasswordPage: FormPage {
    static let path = "/account/password"
    static let audit: AuditEntry.Action? = .passwordChange

    private static var fields: [FormField] {
        [
            FormField(
                name: "password", label: "Current password",
                control: .line(type: "password", autocomplete: "current-password")),
            OneTimeLink.password("new_password", "New password"),
        ]
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        WebPage(
            "Change the password", .task, tab: .account,
            main: """
                <section class="head"><p class="small crumbs"><a href="/account">Your account</a></p>\
                <h1>Change the password</h1><p>This logs you out everywhere else.</p></section>\
                <form class="form" method="post" \
                novalidate>\(state.summary(fields))\(each: fields, { $0.markup(state) })\
                <div class="actions"><button>Change the password</button></div></form>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.service.changePassword(
            from: sent.exact("password") ?? "", to: sent.exact("new_password") ?? "", for: call.context(hasKey: false))
        return .seeOther(AccountPage.path)
    }
}

extension Call {
    /// Checks that the browser will store the cookie of a session: it does so only over HTTPS when the address of the
    /// site has it, and would lead back to the log-in without a word.
    func requireKeptCookie(at path: String) throws {
        guard service.url.hasPrefix("https://"), let origin = request.headers.first("origin"),
            origin.starts(with: "http://".utf8), !CrossOrigin.isThisMachine(origin)
        else { return }
        throw FormRefusal(
            FormState(
                message: "You opened this page by http://, where your browser does not keep you logged in. Open "
                    + "\(service.url)\(path) and try it there"))
    }
}

extension Response {
    static func loggedIn(_ session: OpenedSession, of call: Call, stays: Bool = false, to address: String) -> Response {
        var response = Response.seeOther(address)
        response.headers.add("Set-Cookie", call.dispatcher.sessionCookie.setting(session.token, stays: stays))
        return response
    }
}
