import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum MailPage: FormPage {
    static let path = "/admin/town/mail"
    static let access = Access.superAdmin
    static let parameters = ["test"]

    private static let field = FormField(
        name: "email", label: "Send a test to", hint: "An address of another provider shows best whether it arrives.",
        control: .line(type: "email", autocomplete: "email"))
    /// How often and for how long it is looked whether the test was sent, in milliseconds.
    private static let (looks, pause) = (60, 250)

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let status = view.call.service.mailStatus(in: view.town)
        let test = try view.call.count("test").flatMap { view.town.mails[$0] }
        return WebPage(
            "E-mail", .task, tab: .account,
            main: """
                \(AdminParts.head("E-mail", in: #"<a href="/admin/town">Settings</a>"#, view))\
                \(if: test?.topic == .test ? test : nil, { result(of: $0) })\
                \(section(view, state))\(if: !status.failed.isEmpty, failures(status.failed, view))
                """)
    }

    /// With the form for a test, which the page of settings has too.
    static func section(_ view: View, _ state: FormState = FormState()) -> HTML {
        let status = view.call.service.mailStatus(in: view.town)
        let text = status.text
        return """
            <section class="section"><h2>E-mail</h2><p>\(text.prefix(1).uppercased() + text.dropFirst()).</p>\
            \(if: !status.isSending, """
                <p class="soft">On the server, set <code>--mail</code> in /etc/default/sooke-outside, and start \
                sooke-outside. Until then you pass links on yourself, and nobody gets e-mail.</p>
                """)\
            <form class="form" method="post" action="/admin/town/mail" novalidate>\(state.summary([field]))\
            \(field.markup(state))<div class="actions"><button>Send me a test now</button></div></form></section>
            """
    }

    private static func result(of mail: Mail) -> HTML {
        let (title, advice): (String, HTML) =
            switch mail.state {
            case .sent: ("The mail server took the test", look)
            case .failed: ("The test was not sent", "This is what was said.")
            default: ("The test is on its way", "Reload the page in a minute. This is what was said so far.")
            }
        let lines = (mail.words ?? "").split(separator: "\n").map(String.init)
        return """
            <section class="card" role="status" tabindex="-1" autofocus><h2>\(title)</h2><p>\(advice)</p>\
            \(if: !lines.isEmpty, "<p class=\"small\" dir=\"ltr\">\(each: lines, { "<code>\($0)</code><br>" })</p>")\
            </section>
            """
    }

    private static let look: HTML = """
        Does it arrive, and not as spam? Then look at the source of the message. The line <code>Authentication-Results\
        </code> should say <code>spf=pass</code>, <code>dkim=pass</code> and <code>dmarc=pass</code>. What says \
        <code>fail</code> or <code>none</code>, the mail provider of your domain can mend.
        """

    private static func failures(_ failed: [Mail], _ view: View) -> HTML {
        """
        <section class="section"><h2>Not sent in the last week</h2><ul class="rows">\(each: failed, { mail in
            let person = mail.person.flatMap { view.town.people[$0]?.email } ?? "an address without an account"
            let reason = mail.topic == .test ? "see the test" : mail.words ?? ""
            return """
                <li class="date" data-key="m\(mail.id)"><span>\(mail.topic.title), to \(person), \
                \(view.words.ago(mail.doneAt ?? mail.madeAt)): \(reason)</span></li>
                """
        })</ul></section>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        guard call.service.sendsMail else { throw FormRefusal(field.name, "Nothing sends e-mail yet. See above") }
        let id = try await call.run { $0.sendTestMail(to: sent[field.name] ?? "", for: $1) }
        for _ in stride(from: 0, to: looks, by: 1)
        where call.service.store.current.town.mails[id]?.isUntried == true {
            try? await Task.sleep(for: .milliseconds(pause))
        }
        return .seeOther("\(path)?test=\(id)")
    }
}

/// `/stop-mail/{token}`: ends e-mail of one kind for who got one. Programs that show a button for that send the form
/// without the page (RFC 8058).
enum StopMailPage {
    static let path = "/stop-mail/{token}"

    static func page(_ view: View) throws -> WebPage {
        let (stop, isDone) = (try find(view.call), try view.call.parameter("done") != nil)
        let title = isDone ? "Stopped" : "Stop these e-mails?"
        return WebPage(
            title, .task,
            main: """
                <section class="head"><h1>\(title)</h1><p>“\(stop.topic.title)”: \
                \(isDone ? "we send you no more of them." : "we will send you no more of them.")</p></section>\
                \(if: !isDone, "<form class=\"actions\" method=\"post\"><button>Stop them</button></form>")
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let stop = try find(call)
        try await call.run { $0.stopMail(stop, for: $1) }
        return .seeOther("/stop-mail/\(try call.captures.text("token"))?done=stopped")
    }

    private static func find(_ call: Call) throws -> MailStop {
        guard let stop = call.service.mailStop(try call.captures.text("token")) else {
            throw ServiceError.notFound(.address)
        }
        return stop
    }
}

extension Mail {
    fileprivate var isUntried: Bool { state == .waiting && tries == 0 }
}
