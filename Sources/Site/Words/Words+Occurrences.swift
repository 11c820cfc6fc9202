import Bytes
import SookeModel

/// The times of an occurrence in a row of its day.
extension Words {
    /// What stands in the column of times: the start, or until when something that began before is still on.
    func start(of occurrence: Occurrence, on date: CivilDate) -> String {
        let (startDate, minute) = local(occurrence.startsAt)
        guard startDate < date else { return Self.time(minute) }
        guard let end = occurrence.endsAt.map(local) else { return "all day" }
        return end.date == date ? "until \(Self.time(end.minute))" : "all day"
    }

    /// The end, for the line below the name: `until noon`, `since 2 November, to 6 December`; nil when the column of times
    /// says it, or it is not known.
    func end(of occurrence: Occurrence, startingOn date: CivilDate) -> String? {
        guard let endsAt = occurrence.endsAt else { return nil }
        let (start, end) = (local(occurrence.startsAt), local(endsAt))
        // The night belongs to the day before it.
        let isShort =
            end.date == start.date || end.date.daysSinceEpoch == start.date.daysSinceEpoch + 1 && end.minute <= 360
        if start.date < date { return isShort ? nil : "since \(self.date(start.date)), to \(self.date(end.date))" }
        if isShort { return "until \(Self.time(end.minute))" }
        return "to \(Self.weekdays[end.date.dayOfWeek]) \(self.date(end.date))"
    }

    /// When an occurrence is, as a sentence: `Saturday 28 November, 10 am – 2 pm`.
    func sentence(of occurrence: Occurrence) -> String {
        let (date, minute) = local(occurrence.startsAt)
        let day = "\(Self.weekdays[date.dayOfWeek]) \(self.date(date))"
        guard let endsAt = occurrence.endsAt else { return "\(day), \(Self.time(minute))" }
        let end = local(endsAt)
        let days = end.date.daysSinceEpoch - date.daysSinceEpoch
        if days == 0 || days == 1 && end.minute <= 360 {
            return "\(day), \(Self.span(minute, end.minute + 1440 * days))"
        }
        return "\(day), \(Self.time(minute)) to \(Self.weekdays[end.date.dayOfWeek]) \(self.date(end.date)), "
            + Self.time(end.minute)
    }
}
