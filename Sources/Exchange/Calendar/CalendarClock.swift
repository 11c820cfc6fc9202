import Bytes
import SookeModel

/// Finds the local times that the dates and times of an event mean.
struct CalendarClock {
    let zone: TimeZone
    /// Where a series begins, which a date without a time means as well.
    let secondsOfDay: Int
    private let town: TimeZone
    private let zones: CalendarZones
    private let find: (String) -> TimeZone?
    private var known: [String: TimeZone] = [:]
    private(set) var unknownZone: String?

    var isInTown: Bool { zone.name == town.name }

    /// - Parameters:
    ///   - start: its zone is that of the event; that of a day, or without a zone, is the town's.
    ///   - zoneOfUTC: the zone of an event in UTC.
    init(
        of start: CalendarMoment, in town: TimeZone, zoneOfUTC: TimeZone, _ zones: CalendarZones,
        find: @escaping (String) -> TimeZone?
    ) {
        (self.town, self.zones, self.find) = (town, zones, find)
        var unknown: String?
        switch start {
        case .utc(let moment):
            zone = zoneOfUTC
            secondsOfDay = zone.localDate(at: moment).secondsOfDay
        case .local(let local, let name?):
            let found = zones.zone(named: name, in: town, find)
            if found == nil { unknown = name }
            (zone, secondsOfDay) = (found ?? town, local.secondsOfDay)
        case .local(let local, nil): (zone, secondsOfDay) = (town, local.secondsOfDay)
        case .date: (zone, secondsOfDay) = (town, 0)
        }
        unknownZone = unknown
    }

    /// An exception names a day in any zone, or as midnight in UTC or on the clocks of the calendar or of the town.
    func day(namedBy moment: CalendarMoment, calendar: TimeZone?) -> LocalTime {
        switch moment {
        case .date(let date): return LocalTime(date)
        case .local(let local, _): return local.withoutTime
        case .utc(let moment):
            let dates = [.utc, calendar, zone].compactMap { $0?.localDate(at: moment) }
            let date = dates.first { $0.secondsOfDay == 0 } ?? dates[dates.count - 1]
            return LocalTime(date.date)
        }
    }

    /// Nil for a date. The last second of a day in UTC names that day, too.
    func text(ofLastDay moment: CalendarMoment, calendar: TimeZone?) -> String? {
        if case .date = moment { return nil }
        if case .utc(let last) = moment, last.advanced(bySeconds: 1).civil.microseconds == 0 {
            return last.civil.date.basicText
        }
        return day(namedBy: moment, calendar: calendar).basicText
    }

    /// On the clocks of the event, or an instant. A date has the time of the start, or another one. A time that clocks
    /// skip or show twice is the instant that the standard says.
    mutating func local(_ moment: CalendarMoment, timeOfDate: Int? = nil) -> LocalTime {
        switch moment {
        case .utc(let moment): return LocalTime(instant: moment)
        case .local(let local, let name):
            let other = zone(named: name)
            let instant = other.instant(of: local)
            let isOwn = !zone.name.isEmpty && other.name == zone.name && zone.localTime(at: instant) == local
            return isOwn ? local : LocalTime(instant: instant)
        case .date(let date): return LocalTime(date, secondsOfDay: timeOfDate ?? secondsOfDay)
        }
    }

    private mutating func zone(named name: String?) -> TimeZone {
        guard let name else { return zone }
        if let found = known[name] { return found }
        let found = zones.zone(named: name, in: town, find)
        if found == nil { unknownZone = unknownZone ?? name }
        known[name] = found ?? zone
        return found ?? zone
    }

    /// Nil where no length is known: an end that is the start says none. The end of whole days in a calendar is the
    /// first day after them (section 3.6.1); here it is their last one.
    mutating func end(of start: CalendarMoment, _ end: CalendarMoment?, _ duration: CalendarDuration?) -> LocalTime? {
        if case .date(let date) = start {
            if case .date(let end) = end, end > date { return LocalTime(end.advanced(by: -1)) }
            let days = end == nil ? duration.map { max($0.days, 1) } ?? 1 : 1
            return LocalTime(date.advanced(by: days - 1))
        }
        let starts = local(start)
        if let end {
            let end = local(end, timeOfDate: 0)
            return zone.localTime(end) == zone.localTime(starts) ? nil : end
        }
        guard let duration, duration.days != 0 || duration.seconds != 0 else { return nil }
        let begin = zone.localTime(starts)
        let date = begin.date.advanced(by: duration.days)
        let sameTime = LocalTime(
            date, secondsOfDay: begin.secondsOfDay, offset: duration.days == 0 ? begin.offset : nil)
        if duration.seconds == 0 { return sameTime }
        return LocalTime(instant: zone.instant(of: sameTime).advanced(bySeconds: duration.seconds))
    }
}
