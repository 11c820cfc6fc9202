import Bytes
import SookeModel
import Store

/// The fields of the form of an event, and how people will see it.
struct EventMarkup {
    let view: View
    let form: EventForm
    /// The event before the change; one without a name for a new one.
    let event: Event
    let state: FormState
    /// Whether what others change meanwhile is merged.
    let isMerged: Bool

    private let shown: [String: String]
    /// The event with what is in the form, as far as it can be read.
    private let typed: Event
    private let problems: FieldProblems

    /// The fields that are read together.
    private static let groups = [
        ["name"], ["day", "from", "to", "last"], ["repeat", "until", "dates"], ["place", "location"], ["type"],
    ]

    init(_ view: View, _ form: EventForm, of event: Event, _ state: FormState, isMerged: Bool = false) {
        (self.view, self.form, self.event, self.state, self.isMerged) = (view, form, event, state, isMerged)
        let texts = form.texts(of: event)
        shown = Dictionary(texts.map { ($0.name, $0.text) }) { first, _ in first }
        var (typed, problems) = (event, FieldProblems())
        if let sent = state.sent {
            var changes = isMerged ? FormMerge(sent, into: texts).changes : sent.all(of: form)
            do { _ = try form.patch(changes, of: event) } catch {
                problems = (error as? FormRefusal)?.state.problems ?? problems
                for group in Self.groups where problems.all.contains(where: { group.contains($0.field) }) {
                    for name in group { changes[name] = nil }
                }
            }
            if let patch = try? form.patch(changes, of: event) { typed = patch.applied(to: event) }
        }
        (self.typed, self.problems) = (typed, problems)
    }

    static let labels = [
        "name": "The name", "day": "The day", "from": "The beginning:", "to": "The end:", "last": "The last day",
        "repeat": "How often it is:", "until": "The last day of the series", "dates": "The dates", "place": "The place",
        "location": "The location", "type": "The kind", "about": "The description", "email": "Your e-mail",
        "message": "Your message",
    ]

    var fields: HTML {
        """
        \(field("name", "What is it called?"))\
        <fieldset><legend>When is it?</legend>\(field("day", "Day", control: .line(type: "date")))\
        <div class="line">\(field("from", "From", hint: "8 pm"))\(field("to", "To, if known", hint: "10:30 pm"))</div>\
        \(field("last", "Last day, if it takes several", control: .line(type: "date")))\
        <p id="when" data-said>\(if: when, { "<span class=\"echo\">\($0)</span>" })</p></fieldset>\
        <fieldset><legend>Does it repeat?</legend>\(field("repeat", "How often", control: .choice(choices)))\
        <div class="until">\(field("until", "Until, if it ends", control: .line(type: "date")))</div>\
        <div \
        class="listed">\
        \(field("dates", "Further dates", hint: "A day a line, such as 2026-12-24.", control: .lines(4)))</div>\
        <div id="boxes" data-said>\(dates)</div></fieldset>\
        <fieldset><legend>Where is it?</legend>\(place)\
        \(field("location", "Or somewhere else on the map",
            hint: "Paste a link from a map, and say below where it is."))\
        </fieldset>\(field("type", "Kind", control: .choice(kinds)))\
        \(field("about", "What should people know?", control: .lines(4)))
        """
    }

    private func field(
        _ name: String, _ label: String, hint: String? = nil, control: FormField.Control = .line()
    ) -> HTML {
        FormField(
            name: name, label: label, hint: hint, shown: shown[name] ?? "", control: control, isMerged: isMerged
        ).markup(state)
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
        let field = FormField(
            name: "place", label: "A place of the directory", hint: "Its name.", shown: shown["place"] ?? "",
            control: .line(offersPlaces: true), isMerged: isMerged)
        return """
            \(field.markup(state))<datalist \
            id="places">\(each: form.places.offered, { "<option value=\"\($0)\"></option>" })</datalist>
            """
    }

    // MARK: - What is understood

    /// When it is, as text; nil as long as it has no start.
    private var when: String? {
        guard let start = typed.startsAt, state.sent != nil || event.startsAt != nil else { return nil }
        let sentence = view.words.sentence(of: Occurrence(startsAt: start, endsAt: typed.endsAt))
        guard let rule = typed.rrule.flatMap({ try? RecurrenceRule($0) }) else { return sentence }
        return "\(sentence), \(view.words.recurrence(rule, from: view.words.local(start).date))"
    }

    private var dates: HTML {
        let boxes = form.boxes(of: typed)
        guard boxes.count > 1 else { return "" }
        return """
            <p class="hint">Untick a date that falls out.</p><div class="choice">\(each: boxes, { box in
                """
                <label class="chip"><input type="checkbox" name="\(box.name)" value="yes"\
                \(attribute: "checked", if: isOn(box))>\
                \(view.words.shortDate(view.words.local(box.occurrence.startsAt).date))\
                </label><input type="hidden" name="\(Submission.nameBefore(box.name))" value="\(before(box))">
                """
            })</div>
            """
    }

    /// A date that the form has not had yet is on.
    private func isOn(_ box: (name: String, occurrence: Occurrence, isOn: Bool)) -> Bool {
        guard let sent = state.sent, sent.before(box.name) != nil else { return box.isOn }
        return sent[box.name] == "yes"
    }

    private func before(_ box: (name: String, occurrence: Occurrence, isOn: Bool)) -> String {
        state.sent?.before(box.name) ?? (event.exdates.contains(box.occurrence.original) ? "" : "yes")
    }

    var preview: HTML {
        let isThere = !typed.name.isEmpty || typed.startsAt != nil
        let place = typed.business.flatMap { form.town.businesses[$0]?.name }
        return """
            <aside class="section" id="look" data-key="look" tabindex="-1"\
            \(attribute: "autofocus", if: state.focus == Submission.look)><h2>How people will see it</h2>\
            \(if: !isThere && problems.isEmpty, "<p class=\"soft\">It needs a name, a day, a time and a kind.</p>")\
            \(if: isThere, """
                <ul class="rows"><li><span class="row"><span class="name" dir="auto">\(typed.name)</span>\
                <span class="sub">\(when ?? "")\(place.map { " · \($0)" } ?? "")</span></span></li></ul>
                """)\(each: problems.all, {
                    "<p class=\"soft\">\(Self.labels[$0.field] ?? "") \($0.message)</p>"
                })</aside>
            """
    }
}

extension Submission {
    func all(of form: EventForm) -> [String: String] {
        var all = Dictionary(EventForm.fields.map { ($0, self[$0] ?? "") }) { first, _ in first }
        let before = Self.nameBefore("")
        for (name, _) in fields where name.hasPrefix(before + EventForm.date) {
            // Another name is that of no date, and may be slow to look up.
            let box = String(Substring(name.utf8.dropFirst(before.utf8.count)))
            if Int(box.dropFirst(EventForm.date.count)) != nil { all[box] = self[box] ?? "" }
        }
        return all
    }
}

/// Names the places of the directory as people do, and finds them by what people write.
struct PlaceNames {
    let town: Town

    /// The most names that a page offers: a phone does not load more.
    private static let mostNames = 300

    init(_ town: Town) { self.town = town }

    enum Found {
        case found(BusinessRecord)
        case unclear(String)
    }

    /// The name of a place, if that finds it, else its slug.
    func text(of business: BusinessRecord) -> String {
        if case .found(let found) = find(business.name), found.id == business.id { return business.name }
        return business.slug.text
    }

    /// The listed place that a text names: by its slug, or by its name.
    func find(_ text: String) -> Found {
        if let business = listed(Slug(text)) { return .found(business) }
        let same = self.same(as: text)
        if same.count == 1 { return .found(same[0]) }
        if let business = listed(Slug.make(from: text)), same.isEmpty { return .found(business) }
        if same.isEmpty { return .unclear("is not in the directory; leave it empty, and say below where it is") }
        let names = same.prefix(5).map { "\($0.slug.text) (\($0.streetAddress))" }
        return .unclear("is the name of several places; write one of \(names.joined(separator: ", "))")
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

    /// The names that a browser offers while somebody types, the slugs of those that share a name; none in a large
    /// town.
    var offered: [String] {
        if town.listedCount > Self.mostNames { return [] }
        let places = town.listedBusinesses(in: 0..<Self.mostNames)
        var counts: [[UInt8]: Int] = [:]
        for place in places { counts[CaseFolding.fold(place.name), default: 0] += 1 }
        return places.map { counts[CaseFolding.fold($0.name)] == 1 ? $0.name : $0.slug.text }
    }
}
