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
        "day": "The day:", "sign": "The hours:", "message": "What is wrong", "email": "Your e-mail",
    ]

    /// The listed business of the address, also by a slug that it had before.
    private static func find(_ call: Call, in town: Town) throws(HTTPError) -> BusinessRecord {
        let slug = try call.slug()
        guard let business = town.businesses[slug] ?? town.businesses[formerly: slug], business.categoryID != nil else {
            throw .notFound()
        }
        return business
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let business = try find(view.call, in: view.town)
        if try view.call.parameter("done") != nil { return thanks(business) }
        let days = HoursForm.isWeek(business.value) ? zip(HoursForm.days, Words.mondayFirst).map { ($0, $1) } : []
        let fields = [
            FormField(
                name: day, label: "Are hours wrong? On which day?",
                control: .choice([(value: "", label: "Something else")] + days)),
            FormField(name: sign, label: "What does the sign say?", hint: "Such as 11-3 pm, or closed."),
            FormField(name: "message", label: "What is wrong?", hint: "In your own words.", control: .lines(4)),
        ]
        var page = WebPage(
            "Something is wrong", tab: .businesses,
            main: """
                <section class="head"><p class="small crumbs"><a href="/businesses/\(path: business.slug.text)">\
                \(business.name)</a></p><h1>Something is wrong</h1>\
                <p class="soft">The owner or an editor reads it.</p></section>\
                <form class="form" method="post" data-draft="\(view.drafts)">\(state.summary(labels))\
                \(each: days.isEmpty ? [fields[2]] : fields, { $0.markup(state) })\(StrangerFields.markup(state, view))\
                <div class="bar"><button>Send</button></div></form>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    private static func thanks(_ business: BusinessRecord) -> WebPage {
        WebPage(
            "Thank you", tab: .businesses,
            main: """
                <section class="head"><h1>Thank you</h1><p role="status" tabindex="-1" autofocus>Somebody looks at it, and \
                changes the page of <a href="/businesses/\(path: business.slug.text)">\(business.name)</a>.</p></section>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let business = try find(call, in: call.service.store.current.town)
        let done = Response.seeOther(Link.path(business: business.slug) + "/report?done=sent")
        if StrangerFields.isOfProgram(sent) { return done }
        let patch = try patch(sent, of: business, call)
        try StrangerFields.check(sent, call)
        let context = call.context(once: sent.key)
        _ = try await EventForm.translating {
            try await call.service.run(
                call.service.propose(
                    changeTo: business.slug, PatchInput(patch), StrangerFields.message(sent, call), for: context),
                for: context)
        }
        return done
    }

    /// The hours of the day that the sign says.
    private static func patch(_ sent: Submission, of business: BusinessRecord, _ call: Call) throws -> Patch<Business> {
        let (name, text) = (sent[day] ?? "", sent[sign] ?? "")
        if name.isEmpty || text.isEmpty { return Patch() }
        guard HoursForm.days.contains(where: { $0 == name }) else { throw FormRefusal(day, "is not one of these") }
        let today = call.townZone.localDate(at: call.now).date
        let form = HoursForm(from: today, call.service.clocks(of: call.town).holidays)
        do {
            return try form.patch([name: text], of: business, OtherDays(sent))
        } catch let refusal as FormRefusal {
            throw FormRefusal(refusal.state.problems.renamed { _ in sign })
        }
    }
}
