import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/businesses/{slug}/report`: something is wrong: which day, and what the sign on the door says.
enum ReportPage: FormPage {
    static let path = "/businesses/{slug}/report"
    static let access = Access.anyone
    static let parameters = ["done"]

    private static let (day, sign) = ("day", "sign")
    private static let labels = [
        "day": "Day", "sign": "The hours on the sign:", "message": "What is wrong", "email": "Your e-mail",
    ]

    /// The listed business of the address, also by a slug that it had before.
    private static func find(_ call: Call, in town: Town) throws -> BusinessRecord {
        let slug = try call.slug()
        guard let business = town.businesses[slug] ?? town.businesses[formerly: slug], business.categoryID != nil else {
            throw HTTPError.notFound()
        }
        return business
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try find(view.call, in: view.town)
        if try view.call.parameter("done") != nil { return thanks(business) }
        let days = HoursForm.isWeek(business.value) ? zip(HoursForm.days, Words.mondayFirst).map { ($0, $1) } : []
        let fields = [
            FormField(
                name: day, label: "Are opening hours wrong? Choose the day",
                control: .choice([(value: "", label: "No, something else")] + days)),
            FormField(name: sign, label: "What does the sign say?", hint: "Such as 11-3 pm, or closed."),
            FormField(name: "message", label: "What is wrong?", hint: "In your own words.", control: .lines(4)),
        ]
        return WebPage(
            "Report a problem with \(business.name)", .task, tab: .businesses,
            main: """
                <section class="head"><p class="small crumbs"><a href="/businesses/\(path: business.slug.text)">\
                \(business.name)</a></p><h1>Report a problem</h1>\
                <p class="soft">The owner or an editor will read this.</p></section>\
                <form class="form" method="post" novalidate data-draft="\(view.drafts)">\(state.summary(labels))\
                \(each: days.isEmpty ? [fields[2]] : fields, { $0.markup(state) })\(StrangerFields.markup(state, view))\
                <div class="bar"><button>Send</button></div></form>
                """)
    }

    private static func thanks(_ business: BusinessRecord) -> WebPage {
        WebPage(
            "Thank you for your report on \(business.name)", tab: .businesses,
            main: """
                <section class="head"><h1>Thank you</h1><p role="status" tabindex="-1" autofocus>We will look into \
                it.</p><p><a href="/businesses/\(path: business.slug.text)">\(business.name)</a></p></section>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let business = try find(call, in: call.service.store.current.town)
        let done = Response.seeOther(Link.path(business: business.slug) + "/report?done=sent")
        if StrangerFields.isOfProgram(sent) { return done }
        let patch = try patch(sent, of: business, call)
        try StrangerFields.check(sent, call)
        try await call.run(once: sent) {
            $0.propose(changeTo: business.slug, PatchInput(patch), StrangerFields.message(sent, call), for: $1)
        }
        return done
    }

    static func field(showing name: String) -> String? { EventForm.field(showing: name) }

    private static func patch(_ sent: Submission, of business: BusinessRecord, _ call: Call) throws -> Patch<Business> {
        let (name, text) = (sent[day] ?? "", sent[sign] ?? "")
        if name.isEmpty || text.isEmpty { return Patch() }
        guard HoursForm.days.contains(where: { $0 == name }) else { throw FormRefusal(day, "Choose one of these") }
        let form = HoursForm(call, in: call.town)
        do {
            return try form.patch([name: text], of: business, OtherDays(sent))
        } catch let refusal as FormRefusal {
            var problems = FieldProblems()
            for problem in refusal.state.problems.all { problems.add(sign, problem.message) }
            throw FormRefusal(problems)
        }
    }
}

/// What the forms of people without an account have beside their own fields: whom to ask, and what programs give away.
enum StrangerFields {
    /// A field that nobody sees, and programs fill in.
    private static let trap = "homepage"
    private static let stamp = "stamp"

    static func markup(_ state: FormState, _ view: View) -> HTML {
        let email = FormField(
            name: "email", label: "Your e-mail",
            hint: "Only in case we have a question. Never shown; deleted once we have dealt with this.",
            control: .line(type: "email", autocomplete: "email"))
        return """
            \(if: view.frame.person == nil, email.markup(state))\(if: view.frame.person == nil, length)\
            <div class="trap" aria-hidden="true"><label for="homepage">Leave this empty</label>\
            <input id="homepage" name="homepage" tabindex="-1" autocomplete="off"></div>\
            <input type="hidden" name="stamp" value="\(view.call.service.formStamp())">\(state.keyField)
            """
    }

    private static let length: HTML =
        "<p class=\"hint\">Up to \("\(ProposalLimits.strangerText)") characters in all.</p>"

    /// Whether a program has filled in the form: it is told that all is well.
    static func isOfProgram(_ sent: Submission) -> Bool { !(sent[trap] ?? "").isEmpty }

    /// - Throws: `FormRefusal` unless somebody has looked at the form.
    static func check(_ sent: Submission, _ call: Call) throws {
        guard call.caller == .anonymous, !call.service.isFormOfPerson(sent[stamp] ?? "") else { return }
        throw FormRefusal(FormState(message: "Please check it, and press Send again."))
    }

    static func message(_ sent: Submission, _ call: Call) -> ProposalMessage {
        ProposalMessage(text: sent["message"], email: call.caller == .anonymous ? sent["email"] : nil)
    }
}
