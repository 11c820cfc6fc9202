import Foundation
import SookeModel

/// Whether a business is open. "Soon" is within an hour.
public enum HoursStatus: Sendable, Hashable {
    /// Open for more than an hour.
    case open(closesAt: String)
    /// Open for an hour at most.
    case closingSoon(closesAt: String)
    /// Closed for an hour at most.
    case opensSoon(opensAt: String)
    /// Closed for more than an hour.
    case closed
    /// The hours of the day are not known.
    case unknown

    /// Whether the business is open now.
    public var isOpen: Bool {
        switch self {
        case .open, .closingSoon: true
        case .opensSoon, .closed, .unknown: false
        }
    }

    /// The status for people.
    public var displayText: String {
        switch self {
        case .open(let time): "Open - Closes at \(time.formattedAsTime)"
        case .closingSoon(let time): "Closing soon - \(time.formattedAsTime)"
        case .opensSoon(let time): "Opens soon - \(time.formattedAsTime)"
        case .closed: "Closed"
        case .unknown: "Hours not available"
        }
    }
}

/// The opening hours of a week as spans in seconds since the start of Sunday, by local time.
struct WeeklyHours {
    /// A time during which a business is open without a break of its row.
    private struct Span {
        var start: Int
        var end: Int
        let row: BusinessHour
    }

    private static let day = 86_400
    private static let week = 7 * day
    private static let soon = 3600

    private let rows: [BusinessHour]
    /// The spans of the week, by their starts. One may end in the next week.
    private let spans: [Span]

    init(_ rows: [BusinessHour]) {
        self.rows = rows
        spans = rows.compactMap(Self.span(of:)).sorted { $0.start < $1.start }
    }

    /// The span of a row; nil for a day on which the business is closed, and for a row that is not valid.
    private static func span(of row: BusinessHour) -> Span? {
        guard !row.isClosed, 0...6 ~= row.dayOfWeek, let opens = row.openTime.secondsOfDay,
            let closes = row.closeTime.secondsOfDay
        else { return nil }
        let start = row.dayOfWeek * day + opens
        return Span(start: start, end: start + closes - opens + (closes <= opens ? day : 0), row: row)
    }

    /// The status on a day of the week, some seconds after its start.
    func status(dayOfWeek: Int, seconds: Int) -> HoursStatus {
        let now = dayOfWeek * Self.day + seconds
        if let span = span(at: now) {
            return span.end - now <= Self.soon
                ? .closingSoon(closesAt: span.row.closeTime) : .open(closesAt: span.row.closeTime)
        }
        let next = spans.filter { 0...Self.soon ~= ($0.start - now + Self.week) % Self.week }
        if let next = next.min(by: {
            ($0.start - now + Self.week) % Self.week < ($1.start - now + Self.week) % Self.week
        }) {
            return .opensSoon(opensAt: next.row.openTime)
        }
        guard let today = rows.first(where: { $0.dayOfWeek == dayOfWeek }) else { return .unknown }
        return today.isClosed || Self.span(of: today) != nil ? .closed : .unknown
    }

    /// The span that contains a time, extended by those that follow without a break. The time of closing is part of it.
    private func span(at now: Int) -> Span? {
        // A span of Saturday contains the first hours of Sunday, too.
        let all = [-Self.week, 0, Self.week].flatMap { shift in
            spans.map { Span(start: $0.start + shift, end: $0.end + shift, row: $0.row) }
        }
        let latest = all.filter { $0.start <= now && now <= $0.end }.max { $0.end < $1.end }
        guard var span = latest else { return nil }
        // In the order of their starts; a business that never closes has at most a week before it.
        for next in all where next.start > span.start && next.start <= span.end && next.end > span.end {
            span = Span(start: span.start, end: next.end, row: next.row)
        }
        return span
    }
}

extension BusinessDetails {
    /// Whether the business is open at a time.
    public func hoursStatus(for date: Date = Date(), in timeZone: Foundation.TimeZone = .current) -> HoursStatus {
        // Rows of a week alone are evaluated as earlier versions of the app did: the time of closing is still open.
        if self.openingHours != nil || !specialHours.isEmpty { return scheduledStatus(at: date, in: timeZone) }
        let local = LocalTime(date, in: timeZone)
        return WeeklyHours(hours).status(dayOfWeek: local.dayOfWeek, seconds: local.seconds)
    }

    /// The hours of the day of a date, for people.
    public func todayHoursString(for date: Date = Date(), in timeZone: Foundation.TimeZone = .current) -> String {
        let local = LocalTime(date, in: timeZone)
        guard let row = hours.first(where: { $0.dayOfWeek == local.dayOfWeek }) else { return "Hours not available" }
        return row.isClosed
            ? "Closed today" : "\(row.openTime.formattedAsTime) - \(row.closeTime.formattedAsTime)"
    }
}

extension Business {
    /// Whether the business is open at a time of the day whose hours are in `todayHours`.
    ///
    /// A list has no hours of the day before. After midnight, `BusinessDetails` knows more.
    public func hoursStatus(for date: Date = Date(), in timeZone: Foundation.TimeZone = .current) -> HoursStatus {
        guard let row = self.todayHours else { return .unknown }
        let local = LocalTime(date, in: timeZone)
        let today = BusinessHour(
            dayOfWeek: local.dayOfWeek, openTime: row.openTime, closeTime: row.closeTime, isClosed: row.isClosed)
        return WeeklyHours([today]).status(dayOfWeek: local.dayOfWeek, seconds: local.seconds)
    }
}

/// A time in the week.
struct LocalTime {
    /// 0 for Sunday to 6 for Saturday.
    let dayOfWeek: Int
    /// The time on the clock, in seconds since midnight.
    let seconds: Int

    init(_ date: Date, in timeZone: Foundation.TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.weekday, .hour, .minute, .second], from: date)
        dayOfWeek = (parts.weekday ?? 1) - 1
        seconds = (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)
    }
}

extension String {
    /// A time of day `HH:MM:SS` for people, as in "9:30 AM"; other text is returned as it is.
    public var formattedAsTime: String {
        guard let seconds = secondsOfDay else { return self }
        let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60)
        return "\(hour % 12 == 0 ? 12 : hour % 12):\(minute < 10 ? "0" : "")\(minute) \(hour < 12 ? "AM" : "PM")"
    }

    /// The seconds since midnight of a time `HH:MM:SS` up to `24:00:00`; nil for other text.
    var secondsOfDay: Int? { utf8.count == 8 ? ClockTime(self)?.seconds : nil }
}
