import Bytes
import SookeModel

/// The dates of the fictional town near a day: those of its data are of the year 2027.
struct DemoDates {
    let today: CivilDate
    let zone: TimeZone

    /// The clocks of the data, independent of the database of the machine.
    private static let written = TimeZone(
        name: "America/Vancouver", firstOffset: -8 * 3600,
        changes: [
            (Timestamp(clampingSeconds: 1_805_018_400), -7 * 3600),
            (Timestamp(clampingSeconds: 1_825_578_000), -8 * 3600),
        ])

    /// An event of a year, when it comes next or is still on; nil when the clocks are no longer changed.
    func inYear(_ event: Event) -> Event? {
        guard let start = event.startsAt.map({ Self.written.localDate(at: $0).date }) else { return nil }
        return dates(of: event, like: start).lazy.compactMap(\.self)
            .map { move(event, by: $0.daysSinceEpoch - start.daysSinceEpoch) }.first { !isOver($0) }
    }

    /// The dates of last year, which may go on, of this one and of the next one that mean what a date of the data
    /// means.
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
        let distance = today.daysSinceEpoch + 1 - Self.written.localDate(at: cancelled).date.daysSinceEpoch
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
        let end = series?.last?.effectiveEnd ?? event.endsAt ?? event.startsAt
        return end.map { zone.localDate(at: $0).date < today } ?? true
    }

    /// The event some days later, at the same times on the clocks.
    private func move(_ event: Event, by days: Int) -> Event {
        func later(_ moment: Timestamp) -> Timestamp {
            let (date, seconds) = Self.written.localDate(at: moment)
            return zone.moment(of: date.advanced(by: days), secondsOfDay: seconds)
        }
        var moved = event
        moved.startsAt = event.startsAt.map(later)
        moved.endsAt = event.endsAt.map(later)
        moved.exdates = event.exdates.map(later)
        moved.rdates = event.rdates.map(later)
        for index in moved.overrides.indices {
            moved.overrides[index].occurrence = event.overrides[index].occurrence.map(later)
            moved.overrides[index].startsAt = event.overrides[index].startsAt.map(later)
            moved.overrides[index].endsAt = event.overrides[index].endsAt.map(later)
        }
        return moved
    }
}
