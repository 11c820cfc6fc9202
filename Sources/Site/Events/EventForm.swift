import Bytes
import Dispatcher
import SookeModel
import Store

/// An event as a form shows it, and what its texts make of one.
///
/// What the form cannot show stays as it is: a rule that has no words here, and what single dates have of their own.
struct EventForm {
    let town: Town
    let zone: SookeModel.TimeZone
    /// Businesses are in the directory; the form names the place as people do.
    let places: PlaceNames

    static let fields = [
        "name", "day", "from", "to", "last", "allday", "repeat", "until", "dates", "place", "room", "location", "host",
        "type", "about", "url", "price",
    ]

    init(_ view: View, at zone: SookeModel.TimeZone? = nil) {
        self.init(view.town, zone ?? view.words.zone)
    }

    init(_ call: Call, of event: EventRecord? = nil) {
        let town = call.service.store.current.town
        let clock = call.service.eventClock(of: town, at: call.now)
        self.init(town, event.map { clock.zone(of: $0.value, at: town.business(of: $0)) } ?? clock.zone)
    }

    private var has24Hours: Bool { town.settings.has24Hours }

    private init(_ town: Town, _ zone: SookeModel.TimeZone) {
        (self.town, self.zone, places) = (town, zone, PlaceNames(town))
    }

    // MARK: - As the form shows it

    func texts(of event: Event) -> [(name: String, text: String)] {
        let (start, end) = (event.startsLocal, event.endsLocal)
        let days = end.flatMap { end in start.map { end.date.daysSinceEpoch - $0.date.daysSinceEpoch } } ?? 0
        let isLong = days > 1 || days == 1 && (event.allDay || (end?.secondsOfDay ?? 0) > (start?.secondsOfDay ?? 0))
        let (rule, until) = EventRepetition.texts(of: event, from: start?.date)
        let dates = rule == EventRepetition.listed ? event.rdates.map(\.date.text) : []
        func clock(_ time: LocalTime?) -> String {
            time.map { $0.isDate ? "" : HoursNotation.time($0.secondsOfDay / 60, has24Hours: has24Hours) } ?? ""
        }
        let texts = [
            "name": event.name, "day": start?.date.text ?? "", "from": clock(start), "to": clock(end),
            "last": isLong ? end?.date.text ?? "" : "", "allday": event.allDay ? "yes" : "", "repeat": rule,
            "until": until, "dates": dates.joined(separator: "\n"),
            "place": name(of: event.business) ?? event.location ?? "",
            "room": event.business == nil ? "" : event.location ?? "",
            "location": Coordinates(latitude: event.latitude, longitude: event.longitude)?.shapedText ?? "",
            "host": name(of: event.host) ?? event.organizer ?? "", "type": event.eventType.text,
            "about": event.description ?? "", "url": event.url ?? "", "price": event.price ?? "",
        ]
        return Self.fields.map { ($0, texts[$0] ?? "") }
    }

    private func name(of business: Slug?) -> String? {
        business.map { slug in town.businesses[slug].map(places.text) ?? slug.text }
    }

    // MARK: - What the texts make of it

    func patch(_ changes: [String: String], of event: Event) throws -> Patch<Event> {
        var (patch, problems) = (Patch<Event>(), FieldProblems())
        let shown = Dictionary(texts(of: event).map { ($0.name, $0.text) }) { first, _ in first }
        let all = shown.merging(changes) { $1 }
        func isChanged(_ names: String...) -> Bool { names.contains { changes[$0] != nil } }
        if let name = changes["name"] {
            if name.isEmpty { problems.add("name", "Enter the name of the event") }
            patch.values.name = name
            patch.fields.insert("name")
        }
        if isChanged("day", "from", "to", "last", "allday") { setTimes(all, &patch, &problems) }
        let start = patch.fields.contains("starts_local") ? patch.values.startsLocal : event.startsLocal
        if isChanged("repeat", "until", "dates", "day", "from", "allday"), let start, problems.isEmpty {
            let repetition = EventRepetition(
                rule: all["repeat"] ?? "", until: all["until"] ?? "", dates: all["dates"] ?? "")
            repetition.set(in: &patch, of: event, from: start, &problems)
        }
        if isChanged("place", "room", "location") { setPlace(all, &patch, &problems) }
        if isChanged("host") { setHost(all["host"] ?? "", &patch, &problems) }
        if let type = changes["type"] {
            if type.isEmpty { problems.add("type", "Choose a kind") }
            patch.values.eventType = Slug(type)
            patch.fields.insert("event_type")
        }
        if let about = changes["about"] {
            patch.values.description = about.shown
            patch.fields.insert("description")
        }
        for (field, text, path) in [
            ("url", changes["url"], \Event.url), ("price", changes["price"], \.price),
        ] where text != nil {
            patch.values[keyPath: path] = text?.shown
            patch.fields.insert(field)
        }
        if !problems.isEmpty { throw FormRefusal(problems) }
        return patch
    }

    /// A name of the directory is a business; anything else stays in words.
    private func setPlace(_ texts: [String: String], _ patch: inout Patch<Event>, _ problems: inout FieldProblems) {
        let (place, location) = (texts["place"] ?? "", texts["location"] ?? "")
        patch.fields.formUnion(["business", "location", "latitude", "longitude"])
        let words = [place, texts["room"] ?? ""].filter { !$0.isEmpty }
        switch places.find(place) {
        case .found(let business):
            (patch.values.business, patch.values.location) = (business.slug, words.last(where: { $0 != place }))
        case .unclear(let advice): problems.add("place", advice)
        case .words: patch.values.location = words.joined(separator: ", ").shown
        }
        guard !location.isEmpty else { return }
        if patch.values.business != nil {
            return problems.add("location", "The venue has its own location. Leave this empty")
        }
        let found = PlaceText.coordinates(location, "location", &problems)
        (patch.values.latitude, patch.values.longitude) = (found?.latitude, found?.longitude)
    }

    private func setHost(_ text: String, _ patch: inout Patch<Event>, _ problems: inout FieldProblems) {
        patch.fields.formUnion(["host", "organizer"])
        switch places.find(text) {
        case .found(let business): patch.values.host = business.slug
        case .unclear(let advice): problems.add("host", advice)
        case .words: patch.values.organizer = text.shown
        }
    }

    private func setTimes(_ texts: [String: String], _ patch: inout Patch<Event>, _ problems: inout FieldProblems) {
        let (from, to) = (texts["from"] ?? "", texts["to"] ?? "")
        guard let day = CivilDate(texts["day"] ?? "") else { return problems.add("day", "Choose the day") }
        let text = texts["last"].shown
        let last = text.flatMap { CivilDate($0) }
        if text != nil, last.map({ $0 < day }) ?? true { problems.add("last", Self.lastBeforeFirst) }
        patch.fields.formUnion(["starts_local", "ends_local", "all_day"])
        if texts["allday"]?.isEmpty == false {
            patch.values.allDay = true
            (patch.values.startsLocal, patch.values.endsLocal) = (LocalTime(day), LocalTime(last ?? day))
            return
        }
        if from.isEmpty { return problems.add("from", Self.startMissing) }
        guard let times = times(on: day, to: last, from, to, "from", &problems) else { return }
        (patch.values.startsLocal, patch.values.endsLocal) = (times.start, times.end)
        if text != nil, times.end == nil { problems.add("to", "Enter an end time, for example 5 pm") }
    }

    /// No end for an empty second time. `last` is the day of the end; nil for the first one, or the night after it.
    func times(
        on day: CivilDate, to last: CivilDate? = nil, _ from: String, _ to: String, _ field: String,
        _ problems: inout FieldProblems
    ) -> (start: LocalTime, end: LocalTime?)? {
        let text = "\(from) - \(to.shown ?? "late")"
        guard let span = (try? HoursNotation.times(text, has24Hours: has24Hours))?.first else {
            problems.add(field, Self.advice(about: from, to))
            return nil
        }
        let start = LocalTime(day, secondsOfDay: span.start * 60)
        if span.isOpenEnded { return (start, nil) }
        let isNextDay = span.end > 1440
        let end = last ?? day.advanced(by: isNextDay ? 1 : 0)
        return (start, LocalTime(end, secondsOfDay: (isNextDay ? span.end - 1440 : span.end) * 60))
    }

    static let startMissing = "Enter a start time, for example 8 pm"
    static let lastBeforeFirst = "Choose a last day that is not before the first day"

    private static func advice(about from: String, _ to: String) -> String {
        let texts = [from, to].filter { !$0.isEmpty }
        let bare = texts.first { $0.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ":") } }
        if let bare { return "“\(bare)” could be the morning or the evening. Write it like 8 am or 8 pm" }
        let quoted = texts.map { "“\($0.excerpt())”" }.joined(separator: " to ")
        return "We could not read \(quoted). Write each time like 8 pm, 8:30 pm or 20:30"
    }

    private static let fieldsByRecord = [
        "starts_at": "day", "ends_at": "to", "series_starts_at": "day", "series_ends_at": "to", "rrule": "repeat",
        "rdates": "dates", "exdates": "repeat", "business": "place", "latitude": "location", "longitude": "location",
        "event_type": "type", "description": "about", "organizer": "host", "all_day": "allday",
        "starts_local": "day", "ends_local": "to", "message.email": "email", "message.text": "message",
    ]

    /// The field that shows a problem of a field of an event; nil for the slug, which is made from the name.
    static func field(showing name: String) -> String? {
        name == "slug" ? nil : fieldsByRecord[String(name.prefix { $0 != "[" })] ?? name
    }
}

struct EventRepetition {
    let rule, until, dates: String

    static let (listed, kept) = ("listed", "kept")
    private static let mostListed = 200
    private static let choices = ["", "once", "daily", "weekly", "second", "nth", "last", "yearly", listed]

    static func choices(on day: CivilDate?, keeping words: String?) -> [(value: String, label: String)] {
        let name = day.map { Words.weekdays[$0.dayOfWeek] } ?? "week on that day"
        var choices = [
            (value: "once", label: "Once"), (value: "daily", label: "Every day"),
            (value: "weekly", label: "Every \(name)"),
            (value: "second", label: "Every second \(day == nil ? "week on that day" : name)"),
        ]
        if let day {
            let ordinals = ["first", "second", "third", "fourth"]
            let week = (day.day - 1) / 7
            if week < 4 { choices.append(("nth", "Every month on the \(ordinals[week]) \(name)")) }
            if isInLastWeek(day) { choices.append(("last", "Every month on the last \(name)")) }
        } else {
            choices.append(("nth", "Every month on the same day of the week"))
        }
        choices.append(("yearly", "Every year"))
        choices.append((listed, "On dates that I list"))
        if let words { choices.append((kept, "No change (\(words))")) }
        return choices
    }

    private static func isInLastWeek(_ day: CivilDate) -> Bool { day.advanced(by: 7).month != day.month }

    private static func rule(of choice: String, on day: CivilDate) -> RecurrenceRule? {
        switch choice {
        case "daily": return RecurrenceRule(.daily)
        case "weekly": return RecurrenceRule(.weekly)
        case "second":
            var rule = RecurrenceRule(.weekly)
            rule.interval = 2
            return rule
        case "nth", "last":
            var rule = RecurrenceRule(.monthly)
            let week = (day.day - 1) / 7 + 1
            rule.weekdays = [.init(day.dayOfWeek, ordinal: choice == "last" || week > 4 ? -1 : week)]
            return rule
        case "yearly": return RecurrenceRule(.yearly)
        default: return nil
        }
    }

    static func texts(of event: Event, from day: CivilDate?) -> (rule: String, until: String) {
        guard let text = event.rrule else { return (event.rdates.isEmpty ? "once" : listed, "") }
        guard var rule = try? RecurrenceRule(text), event.rdates.isEmpty, let day else { return (kept, "") }
        var until = ""
        switch rule.end {
        case .never: break
        case .date(let date): until = date.text
        case .count, .time: return (kept, "")
        }
        rule.end = .never
        // What the day says anyway.
        if rule.frequency == .weekly, rule.weekdays == [.init(day.dayOfWeek)] { rule.weekdays = [] }
        rule.weekStart = 1
        let choice = ["daily", "weekly", "second", "nth", "last", "yearly"].first { Self.rule(of: $0, on: day) == rule }
        return choice.map { ($0, until) } ?? (kept, "")
    }

    func set(in patch: inout Patch<Event>, of event: Event, from start: LocalTime, _ problems: inout FieldProblems) {
        let day = start.date
        switch rule {
        case Self.kept: return
        case _ where !Self.choices.contains { $0 == rule }: return problems.add("repeat", "Choose one of these")
        case Self.listed:
            let days = dates.split(at: "\n", ",", " ").map { CivilDate($0) }
            guard !days.isEmpty, days.count <= Self.mostListed, !days.contains(nil) else {
                return problems.add(
                    "dates", "Write one date per line, such as 2026-12-24, at most \(Self.mostListed) dates")
            }
            patch.values.rrule = nil
            patch.values.rdates = days.compactMap { date in
                date.map { start.isDate ? LocalTime($0) : LocalTime($0, secondsOfDay: start.secondsOfDay) }
            }.filter { $0 != start.withoutOffset }
        default:
            var rule = Self.rule(of: rule, on: day)
            if !until.isEmpty, rule != nil {
                guard let last = CivilDate(until), last >= day else {
                    return problems.add("until", EventForm.lastBeforeFirst)
                }
                rule?.end = .date(last)
            }
            (patch.values.rrule, patch.values.rdates) = (rule?.text, [])
        }
        patch.fields.formUnion(["rrule", "rdates"])
        if patch.values.rrule == nil, patch.values.rdates.isEmpty, event.hasSeries {
            (patch.values.exdates, patch.values.overrides) = ([], [])
            patch.fields.formUnion(["exdates", "overrides"])
        }
    }
}
