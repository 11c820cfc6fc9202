import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum NoticePage: FormPage {
    static let path = "/admin/notices/{slug}"
    static let access = Access.editor

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let notice = try view.call.service.record(view.call.slug(), of: Notice.self, in: view.town)
        let deletion: HTML = """
            <section class="section"><h2>Was it a mistake?</h2><form class="actions" method="post"><input \
            type="hidden" name="delete" value="yes"><button class="quiet danger">Delete it</button></form></section>
            """
        return page(notice.title, form(of: notice, view, state, button: "Save") + deletion, view)
    }

    static func page(_ title: String, _ content: HTML, _ view: View) -> WebPage {
        let head = AdminParts.head(title, in: #"<a href="/notices">Notices</a>"#, view)
        return WebPage(title, .task, tab: .account, main: head + content)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.change(sent, fields(call), backTo: "/notices")
    }

    /// The slug is made from the title.
    static func field(showing name: String) -> String? { name == "slug" ? nil : name }

    static func form(of notice: Notice, _ view: View, _ state: FormState, button: String) -> HTML {
        let fields = fields(view.call)
        return """
            <form class="form" method="post" novalidate>\(state.keyField)\(state.summary(fields.map(\.field)))\
            \(each: fields, { $0.markup(state, of: notice) })<div class="bar"><button>\(button)</button></div></form>
            """
    }

    static func fields(_ call: Call) -> [RecordField<Notice>] {
        let severities = [
            ("information", "Information"), ("warning", "Warning"), ("danger", "Danger: first, in a box"),
        ]
        let closes = [("", "No"), ("yes", "Yes, close them as long as the notice stands")]
        return [
            RecordField("title", "Title", \.title), RecordField("text", "Text", \.text, .lines(4)),
            RecordField(
                FormField(name: "severity", label: "How much does it matter?", control: .choice(severities)), \.severity
            ),
            time("until", "Until", "Empty: until you take it down.", \.until, call),
            time("from", "From, if not at once", nil, \.from, call), places(call.town),
            RecordField(
                FormField(name: "closes", label: "Are these places closed?", control: .choice(closes)),
                text: { $0.closes ? "yes" : "" }, set: { text, notice, _ in notice.closes = !text.isEmpty }),
            RecordField("area", "Where, in words", \.area),
            RecordField("link", "Link to more", \.link, .line(type: "url")),
        ]
    }

    private static func time(
        _ name: String, _ label: String, _ hint: String?, _ path: any WritableKeyPath<Notice, Timestamp?> & Sendable,
        _ call: Call
    ) -> RecordField<Notice> {
        let zone = call.townZone
        return RecordField(
            FormField(name: name, label: label, hint: hint, control: .line(type: "datetime-local")),
            text: { notice in
                let local = notice[keyPath: path].map(zone.localDate)
                return local.map { LocalTime($0.date, secondsOfDay: $0.secondsOfDay / 60 * 60).text } ?? ""
            },
            set: { text, notice, problems in
                let time = LocalTime(text)
                notice[keyPath: path] = time.map { zone.moment(of: $0.date, secondsOfDay: $0.secondsOfDay) }
                if time?.isDate ?? !text.isEmpty { problems.add(name, "Write it like 2027-06-01T09:00") }
                if name == "until", let end = notice.until, end <= call.now {
                    problems.add(name, "Choose a later time")
                }
            })
    }

    private static func places(_ town: Town) -> RecordField<Notice> {
        let names = PlaceNames(town)
        return RecordField(
            FormField(
                name: "businesses", label: "Which places is it about?", hint: "One on each line.", control: .lines(2)),
            text: { notice in
                notice.businesses.map { town.business(at: $0).map(names.text) ?? $0 }.joined(separator: "\n")
            },
            set: { text, notice, problems in
                notice.businesses = text.split(at: "\n").map { line in
                    switch names.find(line.trimmed) {
                    case .found(let business): return business.slug.text
                    case .unclear(let advice): problems.add("businesses", advice)
                    // One that is not known is a problem of the record.
                    case .words: break
                    }
                    return line
                }
            })
    }
}

/// `/admin/new-notice`: five beginnings, then the form, filled in so that a tap publishes it.
enum NewNoticePage: FormPage {
    static let path = "/admin/new-notice"
    static let access = Access.editor
    static let parameters = ["as"]

    private static let boiling = "Boil it for a minute, also to cook and to brush your teeth, until we say it is safe."
    private static let beginnings: [(label: String, title: String, severity: Notice.Severity, text: String?)] = [
        ("Snow", "Snow", .warning, "Please stay at home if you can."),
        ("Water", "Boil water before you drink it", .danger, boiling), ("Power", "Power outage", .warning, nil),
        ("Road", "Road closed", .warning, nil), ("Office closed", "Office closed", .information, nil),
        ("Something else", "", .information, nil),
    ]

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        var notice = Notice()
        let found = try view.call.count("as").flatMap { number in beginnings.dropFirst(number - 1).first }
        guard found != nil || state.sent != nil else {
            let links: HTML = """
                <ul class="rows">\(each: beginnings.enumerated(), { number, beginning in
                    """
                    <li><a class="row" href="/admin/new-notice?as=\(path: "\(number + 1)")"><span \
                    class="name">\(beginning.label)</span></a></li>
                    """
                })</ul>
                """
            return NoticePage.page("New notice", links, view)
        }
        if let found { (notice.title, notice.severity, notice.text) = (found.title, found.severity, found.text) }
        notice.closes = found?.label == "Office closed"
        if notice.severity != .danger { notice.until = morning(after: view.call.now, in: view.words.zone) }
        return NoticePage.page("New notice", NoticePage.form(of: notice, view, state, button: "Publish"), view)
    }

    static func field(showing name: String) -> String? { NoticePage.field(showing: name) }

    /// The next 9 am that is at least 12 hours away.
    static func morning(after now: Timestamp, in zone: SookeModel.TimeZone) -> Timestamp {
        let (date, seconds) = zone.localDate(at: now.advanced(bySeconds: 12 * 3600))
        return zone.moment(of: date.advanced(by: seconds > 9 * 3600 ? 1 : 0), secondsOfDay: 9 * 3600)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let fields = NoticePage.fields(call)
        let texts = fields.map { ($0.field.name, sent[$0.field.name] ?? "") }
        let patch = try fields.patch(Dictionary(uniqueKeysWithValues: texts))
        try await call.run(once: sent) { $0.createRecord(PatchInput(patch), for: $1) }
        return .seeOther("/notices?done=published")
    }
}
