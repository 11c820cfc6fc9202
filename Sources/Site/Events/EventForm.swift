import Bytes
import Dispatcher
import SookeModel
import Store

/// An event as a form shows it, and what its texts make of one.
///
/// What the form cannot show stays as it is: a rule that has no words here, and the times of single dates.
struct EventForm {
    let town: Town
    let zone: SookeModel.TimeZone
    /// Businesses are in the directory; the form names the place as people do.
    let places: PlaceNames
    /// From when on single dates are shown.
    let now: Timestamp

    static let fields = [
        "name", "day", "from", "to", "last", "repeat", "until", "dates", "place", "location", "type", "about",
    ]
    /// The start of the names of the boxes of single dates.
    static let date = "on."
    private static let mostDates = 20

    init(_ view: View, at zone: SookeModel.TimeZone? = nil) {
        self.init(view.town, zone ?? view.words.zone, at: view.call.now)
    }

    /// The form in the newest version, as somebody sends it.
    init(_ call: Call, of event: EventRecord? = nil) {
        let town = call.service.store.current.town
        let clock = call.service.eventClock(of: town, at: call.now)
        self.init(town, event.map { clock.zone(of: $0.value, at: town.business(of: $0)) } ?? clock.zone, at: call.now)
    }

    private init(_ town: Town, _ zone: SookeModel.TimeZone, at now: Timestamp) {
        (self.town, self.zone, places, self.now) = (town, zone, PlaceNames(town), now)
    }

    // MARK: - As the form shows it

    /// The fields of an event with their texts; empty ones of one without a start.
    func texts(of event: Event) -> [(name: String, text: String)] {
        let start = event.startsAt.map(local)
        let end = event.endsAt.flatMap { end in start.flatMap { $0 == local(end) ? nil : local(end) } }
        let days = end.flatMap { end in start.map { end.date.daysSinceEpoch - $0.date.daysSinceEpoch } } ?? 0
        let isLong = days > 1 || days == 1 && (end?.minute ?? 0) > (start?.minute ?? 0)
        let (rule, until) = EventRepetition.texts(of: event, from: start?.date)
        let dates = rule == EventRepetition.listed ? event.rdates.map { local($0).date.text } : []
        let texts = [
            "name": event.name, "day": start?.date.text ?? "", "from": start.map { Words.time($0.minute) } ?? "",
            "to": end.map { Words.time($0.minute) } ?? "", "last": isLong ? end?.date.text ?? "" : "", "repeat": rule,
            "until": until, "dates": dates.joined(separator: "\n"),
            "place": event.business.flatMap { town.businesses[$0] }.map(places.text) ?? event.business?.text ?? "",
            "location": Coordinates(latitude: event.latitude, longitude: event.longitude)?.shapedText ?? "",
            "type": event.eventType.text, "about": event.description ?? "",
        ]
        return Self.fields.map { ($0, texts[$0] ?? "") } + boxes(of: event).map { ($0.name, $0.isOn ? "yes" : "") }
    }

    /// The next dates of a series, each with the box that leaves it out.
    func boxes(of event: Event) -> [(name: String, occurrence: Occurrence, isOn: Bool)] {
        guard let series = event.recurrence(in: zone, hasExceptions: false) else { return [] }
        // Those of a new event are all to come, as far as somebody has said it.
        let first = event.id == 0 ? event.startsAt ?? now : now
        return series.occurrences(in: first..<Timestamp.endOfCalendar, limit: Self.mostDates).found
            .map { (Self.date + "\($0.original.seconds)", $0, !event.exdates.contains($0.original)) }
    }

    private func local(_ moment: Timestamp) -> LocalTime {
        let (date, seconds) = zone.localDate(at: moment)
        return LocalTime(date: date, minute: seconds / 60)
    }

    private struct LocalTime: Equatable {
        let date: CivilDate
        let minute: Int
    }

    // MARK: - What the texts make of it

    /// The fields that some changed texts make, for a new event or a change of one.
    func patch(_ changes: [String: String], of event: Event) throws -> Patch<Event> {
        var (patch, problems) = (Patch<Event>(), FieldProblems())
        let shown = Dictionary(texts(of: event).map { ($0.name, $0.text) }) { first, _ in first }
        let all = shown.merging(changes) { $1 }
        func isChanged(_ names: String...) -> Bool { names.contains { changes[$0] != nil } }
        if let name = changes["name"] {
            if name.isEmpty { problems.add("name", "is missing: what is it called?") }
            patch.values.name = name
            patch.fields.insert("name")
        }
        if isChanged("day", "from", "to", "last") { setTimes(all, &patch, &problems) }
        let start = patch.fields.contains("starts_at") ? patch.values.startsAt : event.startsAt
        if isChanged("repeat", "until", "dates", "day", "from"), let start, problems.isEmpty {
            let repetition = EventRepetition(
                rule: all["repeat"] ?? "", until: all["until"] ?? "", dates: all["dates"] ?? "")
            repetition.set(in: &patch, of: event, from: start, zone, &problems)
        }
        if isChanged("place", "location") { setPlace(all, &patch, &problems) }
        if let type = changes["type"] {
            if type.isEmpty { problems.add("type", "is missing: choose one") }
            patch.values.eventType = Slug(type)
            patch.fields.insert("event_type")
        }
        if let about = changes["about"] {
            patch.values.description = about.shown
            patch.fields.insert("description")
        }
        setDates(changes, of: patch.applied(to: event), &patch)
        if !problems.isEmpty { throw FormRefusal(problems) }
        return patch
    }

    private func setPlace(_ texts: [String: String], _ patch: inout Patch<Event>, _ problems: inout FieldProblems) {
        let (place, location) = (texts["place"] ?? "", texts["location"] ?? "")
        patch.fields.formUnion(["business", "latitude", "longitude"])
        if !place.isEmpty {
            switch places.find(place) {
            case .found(let business): patch.values.business = business.slug
            case .unclear(let advice): problems.add("place", advice)
            }
            if !location.isEmpty { problems.add("location", "is that of the place; leave one of the two empty") }
        } else {
            let found = PlaceText.coordinates(location, "location", &problems)
            (patch.values.latitude, patch.values.longitude) = (found?.latitude, found?.longitude)
        }
    }

    /// Start and end from a day, two times as people write them, and the last day of something that takes several.
    private func setTimes(_ texts: [String: String], _ patch: inout Patch<Event>, _ problems: inout FieldProblems) {
        let (from, to) = (texts["from"] ?? "", texts["to"] ?? "")
        guard let day = CivilDate(texts["day"] ?? "") else {
            return problems.add("day", "is missing, or is no day such as 2026-12-24")
        }
        if from.isEmpty { return problems.add("from", "is missing: when does it begin?") }
        let text = texts["last"].shown
        let last = text.flatMap { CivilDate($0) }
        guard let times = times(on: day, to: last, from, to, "from", &problems) else { return }
        (patch.values.startsAt, patch.values.endsAt) = (times.start, times.end)
        patch.fields.formUnion(["starts_at", "ends_at"])
        guard text != nil else { return }
        if times.end == nil { return problems.add("to", "is missing: until when on the last day?") }
        if last.map({ $0 < day }) ?? true { problems.add("last", "must not be before the first day") }
    }

    /// The start on a day and the end, from two times as people write them; without an end for an empty second one.
    ///
    /// - Parameter last: the day of the end; nil for the first one, or the night after it.
    func times(
        on day: CivilDate, to last: CivilDate? = nil, _ from: String, _ to: String, _ field: String,
        _ problems: inout FieldProblems
    ) -> (start: Timestamp, end: Timestamp?)? {
        guard let span = HoursForm.times("\(from) - \(to.shown ?? "late")", field, &problems).first else { return nil }
        let start = zone.moment(of: day, secondsOfDay: span.start * 60)
        if span.isOpenEnded { return (start, nil) }
        let isNextDay = span.end > 1440
        let end = last ?? day.advanced(by: isNextDay ? 1 : 0)
        return (start, zone.moment(of: end, secondsOfDay: (isNextDay ? span.end - 1440 : span.end) * 60))
    }

    private func setDates(_ changes: [String: String], of event: Event, _ patch: inout Patch<Event>) {
        let given = changes.compactMap { name, text in
            name.hasPrefix(Self.date)
                ? Int(name.dropFirst(Self.date.count)).flatMap(Timestamp.init(seconds:)).map { ($0, text) } : nil
        }
        guard !given.isEmpty, let series = event.recurrence(in: zone, hasExceptions: false) else { return }
        var left = event.exdates
        for (start, text) in given where series.has(start: start) {
            left.removeAll { $0 == start }
            if text.isEmpty { left.append(start) }
        }
        left.sort()
        guard left != event.exdates else { return }
        patch.values.exdates = left
        patch.fields.insert("exdates")
    }

    private static let fieldsByRecord = [
        "starts_at": "day", "ends_at": "to", "series_starts_at": "day", "series_ends_at": "to", "rrule": "repeat",
        "rdates": "dates", "exdates": "repeat", "business": "place", "latitude": "location", "longitude": "location",
        "event_type": "type", "description": "about", "message.email": "email", "message.text": "message",
    ]

    /// The field that shows a problem of a field of an event; nil for the slug, which is made from the name.
    static func field(showing name: String) -> String? {
        name == "slug" ? nil : fieldsByRecord[String(name.prefix { $0 != "[" })] ?? name
    }
}

/// How often an event takes place, as a choice of a few and a last day.
struct EventRepetition {
    let rule, until, dates: String

    /// The choice of a list of dates, and that of any other rule.
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
        choices.append((listed, "On some dates that I list"))
        if let words { choices.append((kept, "As it is: \(words)")) }
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
        case .count, .moment: return (kept, "")
        }
        rule.end = .never
        // What the day says anyway.
        if rule.frequency == .weekly, rule.weekdays == [.init(day.dayOfWeek)] { rule.weekdays = [] }
        rule.weekStart = 1
        let choice = ["daily", "weekly", "second", "nth", "last", "yearly"].first { Self.rule(of: $0, on: day) == rule }
        return choice.map { ($0, until) } ?? (kept, "")
    }

    func set(
        in patch: inout Patch<Event>, of event: Event, from start: Timestamp, _ zone: SookeModel.TimeZone,
        _ problems: inout FieldProblems
    ) {
        let (day, seconds) = zone.localDate(at: start)
        switch rule {
        case Self.kept: return
        case _ where !Self.choices.contains { $0 == rule }: return problems.add("repeat", "is not one of these")
        case Self.listed:
            let days = dates.split(at: "\n", ",", " ").map { CivilDate($0) }
            guard !days.isEmpty, days.count <= Self.mostListed, !days.contains(nil) else {
                return problems.add("dates", "need a day a line, such as 2026-12-24, at most \(Self.mostListed)")
            }
            patch.values.rrule = nil
            patch.values.rdates = days.compactMap { $0.map { zone.moment(of: $0, secondsOfDay: seconds) } }.filter {
                $0 != start
            }
        default:
            var rule = Self.rule(of: rule, on: day)
            if !until.isEmpty, rule != nil {
                guard let last = CivilDate(until), last >= day else {
                    return problems.add("until", "must not be before the first day")
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
