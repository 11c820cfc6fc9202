import Dispatcher
import HTTP
import Service
import SookeModel

/// The field with the code of a one-time link. The code follows `#` in the address, which browsers do not send; the
/// script of the page moves it into the field, and without scripts people paste it.
enum OneTimeLink {
    static let code = "code"

    static func field(_ state: FormState) -> HTML {
        let field = FormField(
            name: code, label: "Code", hint: "The part of the link after #. It begins with sooke_.")
        return "<div data-code>\(field.markup(state))</div>"
    }

    /// The code that was sent: people may have pasted the whole link.
    static func code(_ sent: Submission) -> String {
        let text = sent[code] ?? ""
        return text.split(at: "#").last ?? text
    }

    static let name = FormField(
        name: "display_name", label: "Your name", hint: "As others see it. You may leave it empty.",
        control: .line(autocomplete: "name"))

    static func password(_ name: String, _ label: String = "Password") -> FormField {
        FormField(
            name: name, label: label, hint: "At least 12 characters. Several words are easy to remember.",
            control: .line(type: "password", autocomplete: "new-password"))
    }
}

protocol OneTimePage: FormPage {
    static var title: String { get }
    static var introduction: String { get }
    static var fields: [FormField] { get }
    static var button: String { get }
}

extension OneTimePage {
    static var access: Access { .anyone }

    static func page(_ view: View, _ state: FormState) throws -> WebPage { form(state) }

    fileprivate static func form(_ state: FormState) -> WebPage {
        WebPage(
            title, .task,
            main: """
                <section class="head"><h1>\(title)</h1><p>\(introduction)</p></section>\
                <form class="form" method="post" novalidate>\(state.summary(fields))\(OneTimeLink.field(state))\
                \(each: fields, { $0.markup(state) })\
                <div class="actions"><button>\(button)</button></div></form>
                """)
    }
}

extension [FormField] {
    var labels: [String: String] { Dictionary(map { ($0.name, $0.label) }) { first, _ in first } }
}

enum InvitationPage: OneTimePage {
    static let path = "/invitation"
    static let audit: AuditEntry.Action? = .invitationAccepted
    static let title = "Your account"
    static let introduction = "You have been invited. Choose a password to log in with."
    static let button = "Create my account"
    static var fields: [FormField] { [OneTimeLink.name, OneTimeLink.password("password")] }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try call.requireKeptCookie(at: path)
        let session = try await call.service.acceptInvitation(
            OneTimeLink.code(sent), password: sent.exact("password") ?? "", displayName: sent["display_name"].shown,
            for: call.context(hasKey: false))
        // Who was invited to own a place confirms its hours first.
        let town = call.service.store.current.town
        let place = town.businesses.owned(by: session.person.id).first.flatMap { town.businesses[$0] }
        return .loggedIn(session, of: call, to: place.map { OwnBusiness.path(of: $0) + "/hours" } ?? AccountPage.path)
    }
}

enum PasswordResetPage: OneTimePage {
    static let path = "/password-reset"
    static let audit: AuditEntry.Action? = .passwordReset
    static let title = "A new password"
    static let introduction = "This logs you out everywhere else."
    static let button = "Set the password"
    static var fields: [FormField] { [OneTimeLink.password("new_password", "New password")] }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try call.requireKeptCookie(at: path)
        let session = try await call.service.resetPassword(
            OneTimeLink.code(sent), to: sent.exact("new_password") ?? "", keepingTokens: false,
            for: call.context(hasKey: false))
        return .loggedIn(session, of: call, to: AccountPage.path)
    }
}

/// Without an account. Opening the link alone confirms nothing: programs that look at mail open links too.
enum ConfirmationPage: OneTimePage {
    static let path = "/confirmation"
    static let audit: AuditEntry.Action? = .confirmed
    static let title = "Are these details still correct?"
    static let introduction = "Then residents can rely on them. You will see the page of the place next."
    static let button = "Yes, all correct"
    static var fields: [FormField] { [] }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let context = try call.context(hasKey: false)
        let outcome = try await call.service.run(
            call.service.confirmBusiness(byLink: OneTimeLink.code(sent), for: context), for: context)
        guard let business = outcome.business else { return .seeOther("/businesses") }
        return .seeOther(Link.path(business: business.slug))
    }
}

/// `/confirm/{token}`: the same from a message to the owner, with what is to be confirmed.
enum MailedConfirmationPage: FormPage {
    static let path = "/confirm/{token}"
    static let access = Access.anyone
    static let audit: AuditEntry.Action? = .confirmed

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try view.call.service.business(toConfirm: view.call.captures.text("token"), in: view.town)
        return WebPage(
            ConfirmationPage.title, .task,
            main: """
                <section class="head"><h1>\(ConfirmationPage.title)</h1>\(state.summary([:]))<p class="large" \
                dir="auto">\(business.name)</p></section><form class="actions" method="post"><button>All \
                correct</button><a class="button quiet" href="/account/businesses/\(path: business.slug.text)">Change\
                 something</a></form>\(BusinessPage.ways(to: business, view))\(HoursTable.of(business, view))
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let token = try call.captures.text("token")
        let outcome = try await call.run { $0.confirmBusiness(byLink: token, for: $1) }
        return .seeOther(outcome.business.map { Link.path(business: $0.slug) } ?? "/businesses")
    }
}

/// `/setup`: makes the first account, of an administrator.
enum SetupPage: OneTimePage {
    static let path = "/setup"
    static let audit: AuditEntry.Action? = .setup
    static let title = "Welcome"
    static let introduction = "This server has no account yet. Create yours: you will be its administrator."

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        if view.town.count(of: .person) == 0 { return form(state) }
        return WebPage(
            title,
            main: """
                <section class="head"><h1>\(view.frame.town) is set up already</h1><p>It has accounts. If one is \
                yours, log in; else ask an administrator to invite you.</p><div class="actions"><a class="button" \
                href="/login">Log in</a></div></section>
                """)
    }

    static let button = "Create my account"
    static var fields: [FormField] {
        [
            FormField(name: "email", label: "Your e-mail", control: .line(type: "email", autocomplete: "username")),
            OneTimeLink.name, OneTimeLink.password("password"),
        ]
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try call.requireKeptCookie(at: path)
        let session = try await call.service.setUp(
            OneTimeLink.code(sent), email: sent["email"] ?? "", password: sent.exact("password") ?? "",
            displayName: sent["display_name"].shown, for: call.context(hasKey: false))
        return .loggedIn(session, of: call, to: StartPage.path)
    }
}
