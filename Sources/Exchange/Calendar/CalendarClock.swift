import Bytes
import SookeModel

/// Finds the instants that the dates and times of an event mean.
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
    ///   - zoneOfUTC: the zone in which a series in UTC is repeated; nil for UTC.
    init(
        of start: CalendarMoment, in town: TimeZone, zoneOfUTC: TimeZone? = nil, _ zones: CalendarZones,
        find: @escaping (String) -> TimeZone?
    ) {
        (self.town, self.zones, self.find) = (town, zones, find)
        var unknown: String?
        switch start {
        case .utc(let moment):
            zone = zoneOfUTC ?? TimeZone(name: "UTC", fixedOffset: 0)
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
    mutating func timestamp(ofDayNamedBy moment: CalendarMoment, calendar: TimeZone?) -> Timestamp {
        switch moment {
        case .date: return timestamp(of: moment)
        case .local(let local, _): return timestamp(of: .date(local.date))
        case .utc(let moment):
            let dates = [TimeZone(name: "UTC", fixedOffset: 0), calendar, zone].compactMap { $0?.localDate(at: moment) }
            let date = dates.first { $0.secondsOfDay == 0 } ?? dates[dates.count - 1]
            return timestamp(of: .date(date.date))
        }
    }

    /// Nil for a date. The last second of a day in UTC names that day, too.
    mutating func text(ofLastDay moment: CalendarMoment, calendar: TimeZone?) -> String? {
        if case .date = moment { return nil }
        if case .utc(let last) = moment, last.advanced(bySeconds: 1).civil.microseconds == 0 {
            return last.civil.date.text.filter { $0 != "-" }
        }
        return zone.localDate(at: timestamp(ofDayNamedBy: moment, calendar: calendar)).date.text.filter { $0 != "-" }
    }

    /// A date has the time of the start, or another one.
    mutating func timestamp(of moment: CalendarMoment, timeOfDate: Int? = nil) -> Timestamp {
        switch moment {
        case .utc(let moment): moment
        case .local(let local, let name): timestamp(of: local.date, local.secondsOfDay, in: zone(named: name))
        case .date(let date): timestamp(of: date, timeOfDate ?? secondsOfDay, in: zone)
        }
    }

    private func timestamp(of date: CivilDate, _ secondsOfDay: Int, in zone: TimeZone) -> Timestamp {
        // No further than the calendar of the store.
        zone.moment(of: date, secondsOfDay: secondsOfDay).advanced(bySeconds: 0)
    }

    private mutating func zone(named name: String?) -> TimeZone {
        guard let name else { return zone }
        if let found = known[name] { return found }
        let found = zones.zone(named: name, in: town, find)
        if found == nil { unknownZone = unknownZone ?? name }
        known[name] = found ?? zone
        return found ?? zone
    }

    /// The end of whole days is the first day after them (section 3.6.1). So it is the midnight at the end of the last
    /// day, also of an event that has no end, or its start as end, as some programs write.
    mutating func end(of start: CalendarMoment, _ end: CalendarMoment?, _ duration: CalendarDuration?) -> Timestamp? {
        if case .date(let date) = start {
            let next = date.advanced(by: 1)
            if case .date(let end) = end, end > date { return timestamp(of: end, 0, in: zone) }
            let days = duration.map { max($0.days, 1) } ?? 1
            let last = date.advanced(by: days)
            return timestamp(of: end == nil ? last : next, 0, in: zone)
        }
        if let end { return timestamp(of: end, timeOfDate: 0) }
        guard let duration else { return nil }
        let startsAt = timestamp(of: start)
        guard duration.days != 0 else { return startsAt.advanced(bySeconds: duration.seconds) }
        let local = zone.localDate(at: startsAt)
        let date = local.date.advanced(by: duration.days)
        return timestamp(of: date, local.secondsOfDay, in: zone).advanced(bySeconds: duration.seconds)
    }
}
