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

    /// The status as text.
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

extension HoursStatus {
    /// The status by the hours of a business, with the holidays of British Columbia. The time of closing is still open.
    init(of business: SookeModel.Business, at date: Date, in timeZone: Foundation.TimeZone) {
        let clock = HoursClock(date, in: timeZone, .britishColumbia)
        var state = clock.state(of: business)
        if state.isOpen != true {
            let last = HoursClock(date.addingTimeInterval(-1), in: timeZone, .britishColumbia).state(of: business)
            if last.isOpen == true { state = last }
        }
        let until =
            state.until.map { clock.time(of: $0, for: business) }
            ?? business.hours.row(of: clock.dayOfWeek)?.closes.text
        switch state.status {
        case .open: self = .open(closesAt: until ?? "24:00:00")
        case .closingSoon: self = .closingSoon(closesAt: until ?? "")
        case .opensSoon: self = .opensSoon(opensAt: until ?? "")
        case .closed: self = .closed
        case .unknown: self = .unknown
        }
    }
}

extension BusinessDetails {
    /// Whether the business is open at a time.
    public func hoursStatus(for date: Date = Date(), in timeZone: Foundation.TimeZone = .current) -> HoursStatus {
        HoursStatus(of: value, at: date, in: timeZone)
    }

    /// The hours of the day of a date, as text.
    public func todayHoursString(for date: Date = Date(), in timeZone: Foundation.TimeZone = .current) -> String {
        let day = HoursClock(date, in: timeZone, .none).dayOfWeek
        guard let row = hours.first(where: { $0.dayOfWeek == day }) else { return "Hours not available" }
        return row.isClosed
            ? "Closed today" : "\(row.openTime.formattedAsTime) - \(row.closeTime.formattedAsTime)"
    }
}

extension Business {
    /// Whether the business is open at a time of the day whose hours are in `todayHours`.
    ///
    /// A list has no hours of the day before. After midnight, `BusinessDetails` knows more.
    public func hoursStatus(for date: Date = Date(), in timeZone: Foundation.TimeZone = .current) -> HoursStatus {
        let day = HoursClock(date, in: timeZone, .none).dayOfWeek
        var business = SookeModel.Business()
        business.hours = [self.todayHours?.row(on: day)].compactMap(\.self)
        return HoursStatus(of: business, at: date, in: timeZone)
    }
}

extension String {
    /// A time of day `HH:MM:SS` as text, as in "9:30 AM"; other text is returned as it is.
    public var formattedAsTime: String {
        guard utf8.count == 8, let seconds = ClockTime(self)?.seconds else { return self }
        let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60)
        return "\(hour % 12 == 0 ? 12 : hour % 12):\(minute < 10 ? "0" : "")\(minute) \(hour < 12 ? "AM" : "PM")"
    }
}
