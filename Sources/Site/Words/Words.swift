import Bytes
import SookeModel

/// What pages say of times, in the English of Canada, seen from a moment on the clocks of the town.
struct Words: Sendable {
    let now: Timestamp
    let zone: SookeModel.TimeZone
    /// The date on the clocks of the town.
    let today: CivilDate

    init(at now: Timestamp, in zone: SookeModel.TimeZone) {
        (self.now, self.zone) = (now, zone)
        today = zone.localDate(at: now).date
    }

    /// A date and the minutes since its midnight, on the clocks of the town.
    func local(_ moment: Timestamp) -> (date: CivilDate, minute: Int) {
        let (date, seconds) = zone.localDate(at: moment)
        return (date, seconds / 60)
    }
}

// MARK: - Times of day

extension Words {
    /// A time of day, from its minutes since midnight: `9:30 am`, `noon`.
    static func time(_ minute: Int) -> String { HoursNotation.time(minute) }

    /// A span of time: `9:30 am – noon`, `5 – 10 pm`. An end of more than 1440 minutes is on the next day.
    static func span(_ start: Int, _ end: Int) -> String {
        if end - start == 1440 { return "24 hours" }
        let isSameHalf = start % 1440 / 720 == end % 1440 / 720 && end - start < 720
        // Neither noon nor midnight has a half.
        let first = isSameHalf && start % 720 != 0 ? String(time(start).dropLast(3)) : time(start)
        return "\(first) – \(time(end))"
    }

    func time(_ moment: Timestamp) -> String { Self.time(local(moment).minute) }
}

// MARK: - Days

extension Words {
    static let (weekdays, months) = (CivilDate.weekdayNames, CivilDate.monthNames)
    static let mondayFirst = weekdays[1...] + weekdays[..<1]

    /// The name of a day: `Today`, `Tomorrow`, `Saturday`.
    func name(of date: CivilDate) -> String {
        switch date.daysSinceEpoch - today.daysSinceEpoch {
        case 0: "Today"
        case 1: "Tomorrow"
        default: Self.weekdays[date.dayOfWeek]
        }
    }

    /// Whether the name of a day is one that is false on another day, such as on paper.
    func isNear(_ date: CivilDate) -> Bool { 0...1 ~= date.daysSinceEpoch - today.daysSinceEpoch }

    /// A date without its weekday: `28 November`, with the year when that is another than now.
    func date(_ date: CivilDate) -> String {
        "\(date.day) \(Self.months[date.month - 1])" + (date.year == today.year ? "" : " \(date.year)")
    }

    /// A date that needs little room: `Sat 28 Nov`.
    func shortDate(_ date: CivilDate) -> String {
        let year = date.year == today.year ? "" : " \(date.year)"
        return "\(Self.short(date)) \(date.day) \(Self.months[date.month - 1].prefix(3))\(year)"
    }

    /// What is under the heading of a day beside its name: `Saturday 28 November` for today and tomorrow, else the
    /// date.
    func subtitle(of date: CivilDate) -> String {
        (isNear(date) ? Self.weekdays[date.dayOfWeek] + " " : "") + self.date(date)
    }

    /// How long a moment is ago: `3 weeks ago`.
    func ago(_ moment: Timestamp) -> String { ElapsedTime.text(from: moment, to: now, in: zone) }

    /// What is not known of usual hours on holidays: `not confirmed for Christmas Day`.
    static func unconfirmed(for holidays: some Collection<String>) -> String {
        "not confirmed for \(holidays.sorted().joined(separator: " and "))"
    }

    static func short(_ date: CivilDate) -> String { String(weekdays[date.dayOfWeek].prefix(3)) }
}

// MARK: - Distances

extension Words {
    /// A distance in metres as people say it: `350 m`, `1.2 km`, `14 km`.
    static func distance(_ metres: Double) -> String {
        switch metres {
        case ..<950: return "\(Int(clamping: (metres / 50).rounded()) * 50) m"
        case ..<9_950:
            let tenths = Int(clamping: (metres / 100).rounded())
            return "\(tenths / 10).\(tenths % 10) km"
        default: return "\(Int(clamping: (metres / 1000).rounded())) km"
        }
    }
}

// MARK: - Occurrences

extension Words {
    /// What stands in the column of times: the start, or until when something that began before is still on.
    func start(of occurrence: Occurrence, on date: CivilDate) -> String {
        let (startDate, minute) = local(occurrence.startsAt)
        guard startDate < date else { return Self.time(minute) }
        guard let end = occurrence.endsAt.map(local) else { return "all day" }
        return end.date == date ? "until \(Self.time(end.minute))" : "all day"
    }

    /// The end, for the line below the name: `until noon`, `since 2 November, to 6 December`; nil when the column of
    /// times says it, or it is not known.
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
