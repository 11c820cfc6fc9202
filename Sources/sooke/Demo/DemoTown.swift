import Bytes
import CFiles
import Exchange
import SookeModel
import Store

/// The fictional town that is included in the binary, as it is written.
struct DemoTown {
    /// The events of a year, and those of a usual week.
    private let events, usual: [Event]
    private let businesses: [Business]

    /// Fills an empty town. Its dates come near the present so that they keep their meaning: see `DemoDates`.
    static func fill(_ transaction: inout WriteTransaction, now: Timestamp, zone: TimeZone) throws {
        try DemoTown(into: &transaction).begin(in: &transaction, now: now, zone: zone)
        var settings = Patch<Settings>()
        settings.values.name = "Sooke"
        settings.values.tagline = "On the harbour, at the end of the road"
        settings.values.runBy = "Volunteers of the Sooke Region Museum"
        settings.values.contactEmail = "hello@sooke.example"
        settings.values.center = Coordinates(latitude: 48.3742, longitude: -123.7276)
        settings.fields = ["name", "tagline", "run_by", "contact_email", "center"]
        try transaction.upsert(settings)
        var report = Proposal()
        (report.about, report.business) = (.business, transaction.town.businesses[Slug("kingfisher-fish-chips")]?.id)
        report.submittedBy = transaction.town.people[email: "tom.whitlock@mail.example"]?.id
        report.text = "The page said open until half past seven, but the door was locked at six on Tuesday."
        report.sentAt = now.advanced(bySeconds: -3 * 3600)
        transaction.put(report, at: now)
    }

    init(into transaction: inout WriteTransaction) throws {
        events = try Self.take("sooke.json", String(cString: sooke_demo_json()), into: &transaction)
        usual = try Self.take("week.json", String(cString: sooke_week_json()), into: &transaction)
        businesses = transaction.town.businesses.inOrderOfID.map(\.value)
    }

    private static func take(
        _ name: String, _ json: String, into transaction: inout WriteTransaction
    ) throws -> [Event] {
        let before = transaction.town.events
        let file = ImportFile(name: name, format: .json, bytes: Array(json.utf8))
        _ = try Import(files: [file]).apply(to: &transaction)
        return transaction.town.events.inOrderOfID.map(\.value).filter { before[$0.slug] == nil }
    }

    func begin(in transaction: inout WriteTransaction, now: Timestamp, zone: TimeZone) throws {
        let dates = DemoDates(today: zone.localDate(at: now).date, zone: zone)
        for event in events { try move(event, to: dates.inYear(event), in: &transaction) }
        for event in usual { try move(event, to: dates.inWeek(event, of: usual), in: &transaction) }
        moveSpecialHours(in: &transaction, to: dates.today)
    }

    /// Moves an event. One that cannot be moved is left out, also where the calendar ends.
    private func move(_ event: Event, to moved: Event?, in transaction: inout WriteTransaction) throws {
        var patch = Patch<Event>()
        patch.fields = ["slug", "starts_local", "ends_local", "all_day", "exdates", "rdates", "overrides"]
        if let moved {
            patch.values = moved
            if (try? transaction.upsert(patch)) != nil { return }
        }
        try transaction.deleteEvent(event.id)
    }

    /// Moves the special hours of all businesses: the first that are those of a single day are those of today, and
    /// longer ones begin on their day of the week.
    private func moveSpecialHours(in transaction: inout WriteTransaction, to today: CivilDate) {
        let single = businesses.flatMap(\.specialHours).filter { $0.from == $0.to }.compactMap(\.from).min()
        guard let single else { return }
        let days = today.daysSinceEpoch - single.daysSinceEpoch
        for business in businesses where !business.specialHours.isEmpty {
            var patch = Patch<Business>()
            patch.values.slug = business.slug
            patch.values.specialHours = business.specialHours.map { row in
                let days = row.from == row.to ? days : days / 7 * 7
                var moved = row
                moved.from = row.from.map { $0.advanced(by: days) }
                moved.to = row.to.map { $0.advanced(by: days) }
                return moved
            }
            patch.fields = ["slug", "special_hours"]
            // They stay where the calendar ends.
            _ = try? transaction.upsert(patch)
        }
    }
}

/// The dates of the fictional town near a day: those of its data are of the year 2027.
struct DemoDates {
    let today: CivilDate
    let zone: TimeZone

    /// An event of a year, when it comes next or is still on; nil when the clocks are no longer changed.
    func inYear(_ event: Event) -> Event? {
        guard let start = event.startsLocal?.date else { return nil }
        return dates(of: event, like: start).lazy.compactMap(\.self)
            .map { move(event, by: $0.daysSinceEpoch - start.daysSinceEpoch) }.first { !isOver($0) }
    }

    /// The dates of last year, which may go on, of this one and of the next one that mean what a date of the data does.
    private func dates(of event: Event, like start: CivilDate) -> [CivilDate?] {
        let years = [today.year - 1, today.year, today.year + 1]
        var before = 0
        switch event.slug.text {
        case "canada-day-pancake-breakfast", "new-years-eve-lantern-walk":
            return years.map { CivilDate(year: $0, month: start.month, day: start.day) }
        case "spring-forward-five": return [change(isForward: true)]
        case "fall-back-chili-cook-off": return [change(isForward: false)]
        // Those of May follow Mother's Day, which is some days after them.
        case "saturday-farmers-market": before = 8
        case "saturday-farmers-market-2": before = 1
        case "saturday-farmers-market-3": before = -6
        default: break
        }
        // The same one of its days of the week in its month, such as the second Sunday.
        let date = start.advanced(by: before)
        return years.map { year in
            guard let first = CivilDate(year: year, month: date.month, day: 1) else { return nil }
            let days = (date.dayOfWeek - first.dayOfWeek + 7) % 7 + (date.day - 1) / 7 * 7
            return first.advanced(by: days - before)
        }
    }

    /// An event of a usual week, of which all move by as many whole weeks: the last date that is cancelled is tomorrow
    /// or within seven days.
    func inWeek(_ event: Event, of all: [Event]) -> Event? {
        guard let cancelled = all.flatMap(\.overrides).compactMap(\.occurrence).max() else { return event }
        let distance = today.daysSinceEpoch + 1 - cancelled.date.daysSinceEpoch
        return move(event, by: distance + (7 - distance % 7) % 7)
    }

    /// The next date on which the clocks are changed.
    private func change(isForward: Bool) -> CivilDate? {
        let start = zone.start(of: today).advanced(bySeconds: -1)
        let changes = zone.observances(from: start, to: start.advanced(bySeconds: 366 * 86_400)).dropFirst()
        return changes.first { $0.isDaylight == isForward }?.start.map { zone.localDate(at: $0).date }
    }

    private func isOver(_ event: Event) -> Bool {
        let series = event.recurrence(in: zone)
        if series != nil, series?.last == nil { return false }
        let end = series?.last?.overAt ?? event.first?.overAt
        return end.map { zone.localDate(at: $0).date < today } ?? true
    }

    private func move(_ event: Event, by days: Int) -> Event {
        func later(_ time: LocalTime) -> LocalTime { time.advanced(byDays: days) }
        var moved = event
        moved.startsLocal = event.startsLocal.map(later)
        moved.endsLocal = event.endsLocal.map(later)
        moved.exdates = event.exdates.map(later)
        moved.rdates = event.rdates.map(later)
        for index in moved.overrides.indices {
            moved.overrides[index].occurrence = event.overrides[index].occurrence.map(later)
            moved.overrides[index].startsLocal = event.overrides[index].startsLocal.map(later)
            moved.overrides[index].endsLocal = event.overrides[index].endsLocal.map(later)
        }
        moved.deriveInstants(in: zone)
        return moved
    }
}
