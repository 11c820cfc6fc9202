import Bytes
import SookeModel
import Store

struct EventMarkup {
    let view: View
    let form: EventForm
    /// The event before the change; one without a name for a new one.
    let event: Event
    let state: FormState
    let isMerged: Bool

    private let shown: [String: String]
    /// The event with what is in the form, as far as it can be read.
    private let typed: Event
    private let problems: FieldProblems

    private static let groups = [
        ["name"], ["day", "from", "to", "last", "allday"], ["repeat", "until", "dates"], ["place", "room", "location"],
        ["host"], ["type"], ["url"], ["price"],
    ]

    init(_ view: View, _ form: EventForm, of event: Event, _ state: FormState, isMerged: Bool = false) {
        (self.view, self.form, self.event, self.state, self.isMerged) = (view, form, event, state, isMerged)
        let texts = form.texts(of: event)
        shown = Dictionary(texts.map { ($0.name, $0.text) }) { first, _ in first }
        var (typed, problems) = (event, FieldProblems())
        if let sent = state.sent {
            var changes = isMerged ? FormMerge(sent, into: texts).changes : sent.event
            do { _ = try form.patch(changes, of: event) } catch {
                problems = (error as? FormRefusal)?.state.problems ?? problems
                for group in Self.groups where problems.all.contains(where: { group.contains($0.field) }) {
                    for name in group { changes[name] = nil }
                }
            }
            if let patch = try? form.patch(changes, of: event) {
                typed = patch.applied(to: event)
                typed.settle(after: event, in: form.zone, &problems)
            }
        }
        (self.typed, self.problems) = (typed, problems)
    }

    static let labels = [
        "name": "Name", "day": "Day", "from": "Start time", "to": "End time", "last": "Last day",
        "repeat": "How often", "until": "Last day of the series", "dates": "Dates", "place": "Venue", "room": "Room",
        "location": "Location", "host": "Organiser", "url": "Web page", "price": "Price", "type": "Kind",
        "about": "Description", "email": "Your e-mail", "message": "Note",
    ]

    var fields: HTML {
        """
        \(field("name", "What is it called?"))\
        <fieldset><legend>When is it?</legend>\(field("day", "Day", control: .line(type: "date")))\(allDay)\
        <div class="line">\(field("from", "From", hint: view.words.time(1200)))\
        \(field("to", "To, if known", hint: view.words.time(1350)))</div>\
        \(field("last", "Last day, if it runs for several days", control: .line(type: "date")))\
        <p id="when" data-said>\(if: when, { "<span class=\"echo\">\($0)</span>" })</p></fieldset>\
        <fieldset><legend>Does it repeat?</legend>\(field("repeat", "How often", control: .choice(choices)))\
        <div class="until">\(field("until", "Until, if it ends", control: .line(type: "date")))</div>\
        <div \
        class="listed">\
        \(field("dates", "Further dates", hint: "One date per line, such as 2026-12-24.", control: .lines(4)))</div>\
        </fieldset>\
        <fieldset><legend>Where is it?</legend>\(place)\
        \(field("room", "Room or directions, if that helps", hint: "Room 2, behind the church"))\
        \(field("location", "Location, if the venue is not in the directory", hint: "Paste a link from a map.",
            control: .line(help: .location)))\
        </fieldset>\(organizer)\(field("type", "Kind", control: .choice(kinds)))\
        \(field("about", "What should people know?", control: .lines(4)))\
        \(field("price", "Price, if you want to say it", hint: "free, or 5 at the door"))\
        \(field("url", "Web page about it", control: .line(type: "url")))
        """
    }

    private func field(
        _ name: String, _ label: String, hint: String? = nil, control: FormField.Control = .line()
    ) -> HTML {
        FormField(
            name: name, label: label, noun: Self.labels[name], hint: hint, shown: shown[name] ?? "", control: control,
            isMerged: isMerged
        ).markup(state)
    }

    /// It is not sent when it is not ticked.
    private var allDay: HTML {
        let field = FormField(name: "allday", label: "All day", shown: shown["allday"] ?? "", isMerged: isMerged)
        if state.conflict(about: field.name) != nil { return field.markup(state) }
        return """
            <label class="option"><input type="checkbox" name="allday" value="yes"\
            \(attribute: "checked", if: state.text("allday", field.shown) == "yes")>All day</label>\
            \(field.before(state))
            """
    }

    private var choices: [(value: String, label: String)] {
        let day = CivilDate(state.text("day", shown["day"] ?? ""))
        let rule = event.rrule.flatMap { try? RecurrenceRule($0) }
        let isKept = shown["repeat"] == EventRepetition.kept
        let words = rule.map { view.words.recurrence($0, from: day ?? view.words.today) } ?? "on several dates"
        let choices = EventRepetition.choices(on: day, keeping: isKept ? words : nil)
        // The day may have been another one when it was chosen.
        let chosen = state.text("repeat", shown["repeat"] ?? "")
        let isMissing = (chosen == "nth" || chosen == "last") && !choices.contains { $0.value == chosen }
        return isMissing ? choices + [(chosen, "Every month on the same day of the week")] : choices
    }

    private var kinds: [(value: String, label: String)] {
        [("", "Choose one")]
            + form.town.eventTypes.inOrderOfName().prefix(200).map { ($0.value.slug.text, $0.value.name) }
    }

    private var place: HTML {
        """
        \(field("place", "Venue", hint: "Start typing its name.", control: .line(help: .names)))\
        \(became(typed.business, typed.location))
        """
    }

    private var organizer: HTML {
        """
        \(field("host", "Organised by", hint: "Start typing a name.",
            control: .line(help: .names)))\(became(typed.host, typed.organizer))
        """
    }

    /// Which of the two a text was understood as, once it was sent.
    private func became(_ business: Slug?, _ words: String?) -> HTML {
        guard state.sent != nil else { return "" }
        if let name = business.flatMap({ form.town.businesses[$0]?.name }) {
            return "<p class=\"hint\">In the directory: \(name)</p>"
        }
        return "\(if: words.shown, { "<p class=\"hint\">Not in the directory: shown as “\($0)”</p>" })"
    }

    private var when: String? {
        guard let first = typed.first, state.sent != nil || event.startsAt != nil else { return nil }
        let sentence = view.words.sentence(of: first)
        guard let rule = typed.rrule.flatMap({ try? RecurrenceRule($0) }) else { return sentence }
        return "\(sentence), \(view.words.recurrence(rule, from: view.words.firstDay(of: first)))"
    }

    var preview: HTML {
        let isThere = !typed.name.isEmpty || typed.startsAt != nil
        let place = [typed.location, typed.business.flatMap { form.town.businesses[$0]?.name }].compactMap(\.self)
            .joined(separator: ", ").shown
        let has24Hours = view.frame.settings.has24Hours
        let dates = OwnDates(of: typed, in: form.zone, at: view.call.now, has24Hours: has24Hours)
        return """
            <aside class="section" id="look" data-key="look" tabindex="-1"\
            \(attribute: "autofocus", if: state.focus == Submission.look)><h2>How people will see it</h2>\
            \(if: !isThere && problems.isEmpty, "<p class=\"soft\">Enter a name, a day, a time and a kind first.</p>")\
            \(if: isThere, """
                <ul class="rows"><li><span class="row"><span class="name" dir="auto">\(typed.name)</span>\
                <span class="sub">\(when ?? "")\(place.map { " · \($0)" } ?? "")</span></span></li>\
                \(each: dates?.changes ?? [], { date, state in
                    "<li class=\"date\"><span>\(date)</span><span class=\"soft\">\(state)</span></li>"
                })</ul>
                """)\(each: problems.all, {
                    "<p class=\"soft\">\(Words.problem($0.message, of: Self.labels[$0.field]))</p>"
                })</aside>
            """
    }
}

extension Submission {
    var event: [String: String] {
        Dictionary(EventForm.fields.map { ($0, self[$0] ?? "") }) { first, _ in first }
    }
}

/// Names the places of the directory as people do, and finds them by what people write.
struct PlaceNames {
    let town: Town

    init(_ town: Town) { self.town = town }

    enum Found {
        case found(BusinessRecord)
        case unclear(String)
        /// It names none.
        case words
    }

    /// The name of a place, if that finds it, else its slug.
    func text(of business: BusinessRecord) -> String {
        if case .found(let found) = find(business.name), found.id == business.id { return business.name }
        return business.slug.text
    }

    func find(_ text: String) -> Found {
        if text.isEmpty { return .words }
        if let business = listed(Slug(text)) { return .found(business) }
        let same = self.same(as: text)
        if same.count == 1 { return .found(same[0]) }
        if let business = listed(Slug.make(from: text)), same.isEmpty { return .found(business) }
        if same.isEmpty { return .words }
        let names = same.prefix(5).map { "\($0.slug.text) (\($0.addressOrArea))" }
        return .unclear("Several places have this name. Write one of \(names.joined(separator: ", "))")
    }

    private func listed(_ slug: Slug) -> BusinessRecord? {
        town.businesses[slug].flatMap { $0.categoryID == nil ? nil : $0 }
    }

    /// The listed places with a name, regardless of its case. Few have it.
    private func same(as name: String) -> [BusinessRecord] {
        let folded = CaseFolding.fold(name)
        let page = town.page(PageRequest(number: 1, size: 50), of: BusinessQuery(search: name))
        return page.records.filter { CaseFolding.fold($0.name) == folded }
    }
}
