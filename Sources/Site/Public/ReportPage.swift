import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum ReportPage: FormPage {
    static let path = "/businesses/{slug}/report"
    static let access = Access.anyone

    private static let (day, sign) = ("day", "sign")
    private static let (phone, moved) = ("phone", Proposal.Concern.moved.rawValue)
    private static let labels = [
        "day": "What is wrong", "sign": "What is right:", "message": "Your words", "email": "Your e-mail",
    ]

    static func words(for concern: Proposal.Concern) -> String {
        switch concern {
        case .closed: "Closed for good"
        case .moved: "It has moved"
        case .removal: "Please take this off"
        }
    }

    private static func find(_ call: Call, in town: Town) throws -> BusinessRecord {
        let slug = try call.slug()
        guard let business = town.businesses[slug] ?? town.businesses[formerly: slug], business.categoryID != nil else {
            throw HTTPError.notFound()
        }
        return business
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        page(about: try find(view.call, in: view.town), view, state)
    }

    static func page(
        about business: BusinessRecord, correcting sent: ProposalCard? = nil, _ view: View, _ state: FormState
    ) -> WebPage {
        let days = HoursForm.isWeek(business.value) ? zip(HoursForm.days, Words.mondayFirst).map { ($0, $1) } : []
        let concerns = Proposal.Concern.allCases.map { (value: $0.rawValue, label: words(for: $0)) }
        let (change, proposal) = (sent?.changes.first, sent?.joined.record)
        let fields = [
            FormField(
                name: day, label: "What is wrong?", shown: proposal?.concern?.rawValue ?? change?.name ?? "",
                control: .choice(
                    [("", "Something else")] + days.map { ($0, "The hours on \($1)") }
                        + [(phone, "It has another phone number")] + concerns)),
            FormField(
                name: sign, label: "What is right?",
                hint: "The hours on the sign, such as 11-3 pm or closed; the new number or address.",
                shown: change?.after ?? ""),
            FormField(
                name: "message", label: "In your own words", shown: proposal?.text ?? "", control: .lines(4)),
        ]
        return WebPage(
            "Report a problem with \(business.name)", .task, tab: .businesses,
            main: """
                <section class="head"><p class="small crumbs"><a href="/businesses/\(path: business.slug.text)">\
                \(business.name)</a></p><h1>Report a problem</h1>\
                <p class="soft">The owner or an editor will read this.</p></section>\
                <form class="form" method="post" novalidate data-draft="\(view.drafts)">\(state.summary(labels))\
                \(each: fields, { $0.markup(state) })\
                \(StrangerFields.markup(state, view, isCorrection: sent != nil))\
                <div class="bar"><button>Send</button></div></form>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let business = try find(call, in: call.service.store.current.town)
        if StrangerFields.isOfProgram(sent) { return .seeOther(Link.path(business: business.slug)) }
        return try await submit(call, sent, about: business)
    }

    static func submit(
        _ call: Call, _ sent: Submission, about business: BusinessRecord, correcting reference: Token? = nil
    ) async throws -> Response {
        let patch = PatchInput(try patch(sent, of: business, call))
        let concern = Proposal.Concern(named: sent[day] ?? "")
        return try await StrangerFields.send(sent, call, concern, correcting: reference) {
            $0.propose(changeTo: business.slug, patch, $1, for: $2)
        }
    }

    static func field(showing name: String) -> String? { EventForm.field(showing: name) }

    private static func patch(_ sent: Submission, of business: BusinessRecord, _ call: Call) throws -> Patch<Business> {
        let (name, text) = (sent[day] ?? "", sent[sign] ?? "")
        var patch = Patch<Business>()
        if name.isEmpty || text.isEmpty && Proposal.Concern(named: name) != nil { return patch }
        if text.isEmpty { throw FormRefusal(sign, "Write what is right, such as 11-3 pm") }
        switch name {
        case phone: (patch.values.phone, patch.fields) = (text, ["phone"])
        case moved: (patch.values.address, patch.fields) = (text, ["address"])
        default: break
        }
        if !patch.fields.isEmpty || Proposal.Concern(named: name) != nil { return patch }
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
    /// The secret of the link that the sender gets, so that a form that is sent twice makes one proposal.
    static let reference = "reference"

    static func markup(_ state: FormState, _ view: View, isCorrection: Bool = false) -> HTML {
        let reference = state.sent?[reference] ?? (try? Token(.reference))?.reveal() ?? ""
        let email = FormField(
            name: "email", label: "Your e-mail",
            hint: "Only in case we have a question. Never shown; deleted once we have dealt with this.",
            control: .line(type: "email", autocomplete: "email"))
        return """
            \(if: view.frame.person == nil && !isCorrection, email.markup(state))\
            \(if: view.frame.person == nil, length)\
            <div class="trap" aria-hidden="true"><label for="homepage">Leave this empty</label>\
            <input id="homepage" name="homepage" tabindex="-1" autocomplete="off"></div>\
            <input type="hidden" name="stamp" value="\(view.call.service.formStamp())">\
            \(if: !isCorrection, "<input type=\"hidden\" name=\"reference\" value=\"\(reference)\">")
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

    static func send(
        _ sent: Submission, _ call: Call, _ concern: Proposal.Concern? = nil, correcting corrected: Token? = nil,
        _ useCase: (TownService, ProposalMessage, RequestContext) -> Transaction<Outcome>
    ) async throws -> Response {
        try check(sent, call)
        let token = try corrected ?? sent[reference].flatMap(Token.init(reference:)) ?? Token(.reference)
        let message = ProposalMessage(
            text: sent["message"], email: call.caller == .anonymous ? sent["email"] : nil, concern: concern,
            reference: token, isCorrection: corrected != nil)
        try await call.run { useCase($0, message, $1) }
        return .seeOther(token.referencePath + "?done=sent")
    }
}

extension Token {
    init?(reference text: String) {
        self.init(text: text.utf8)
        if kind != .reference { return nil }
    }
}
