import Bytes

/// The public holidays of a region, by rules that are compiled in.
public struct Holidays: Sendable {
    /// The name of the region, as in settings: `CA-BC`.
    public var region: String { table.region }
    private let table: HolidayTable

    init(region: String, holidays: [Holiday]) {
        table = HolidayTable(region: region, holidays: holidays)
    }

    /// The holiday on a date; nil when there is none.
    public func name(on date: CivilDate) -> String? { table.name(on: date.daysSinceEpoch) }

    /// Whether there is a holiday on a day since 1970.
    func isHoliday(_ day: Int) -> Bool { table.name(on: day) != nil }

    /// Which of 64 days are holidays: bit 0 is the first day.
    func bits(from first: Int) -> UInt64 { table.bits(from: first) }

    /// A holiday in some years.
    struct Holiday: Sendable {
        let name: String
        let rule: HolidayRule
        var years = Int.min...Int.max

        /// The date in a year; nil when it is not one then.
        func date(in year: Int) -> CivilDate? { years.contains(year) ? rule.date(in: year) : nil }
    }
}

// MARK: - Regions

extension Holidays {
    /// The regions that are known.
    public static let regions = [britishColumbia, none]

    /// The holidays of a region; nil when it is not known.
    public static func of(_ region: String) -> Holidays? { regions.first { $0.region == region } }

    /// No holidays.
    public static let none = Holidays(region: "none", holidays: [])

    /// British Columbia: Employment Standards Act, RSBC 1996, c. 113, section 1, and its earlier versions.
    public static let britishColumbia = Holidays(
        region: "CA-BC",
        holidays: [
            Holiday(name: "New Year's Day", rule: .fixed(month: 1, day: 1)),
            Holiday(name: "Family Day", rule: .ordinal(2, dayOfWeek: 1, month: 2), years: 2013...2018),
            Holiday(name: "Family Day", rule: .ordinal(3, dayOfWeek: 1, month: 2), years: 2019...Int.max),
            Holiday(name: "Good Friday", rule: .easter(days: -2)),
            Holiday(name: "Victoria Day", rule: .before(dayOfWeek: 1, month: 5, day: 25)),
            Holiday(name: "Canada Day", rule: .fixed(month: 7, day: 1)),
            Holiday(name: "British Columbia Day", rule: .ordinal(1, dayOfWeek: 1, month: 8)),
            Holiday(name: "Labour Day", rule: .ordinal(1, dayOfWeek: 1, month: 9)),
            Holiday(
                name: "National Day for Truth and Reconciliation", rule: .fixed(month: 9, day: 30),
                years: 2023...Int.max),
            Holiday(name: "Thanksgiving Day", rule: .ordinal(2, dayOfWeek: 1, month: 10)),
            Holiday(name: "Remembrance Day", rule: .fixed(month: 11, day: 11)),
            Holiday(name: "Christmas Day", rule: .fixed(month: 12, day: 25)),
        ])
}
