import Bytes

/// The public holidays of a region, by rules that are compiled in.
public struct Holidays: Sendable {
    /// A holiday in some years.
    struct Holiday: Sendable {
        let name: String
        let rule: HolidayRule
        var years = Int.min...Int.max
    }

    /// The name of the region, as in settings: `CA-BC`.
    public let region: String
    private let holidays: [Holiday]
    /// The holidays of `tableYears` by their dates, so that a question is a binary search.
    private let table: [(day: Int, holiday: Int)]
    private static let tableYears = 1970...2149
    private static let tableDays = 0..<CivilDate.first(in: 2150, from: CivilDate.monthDay(1, 1)).daysSinceEpoch

    init(region: String, holidays: [Holiday]) {
        (self.region, self.holidays) = (region, holidays)
        let all = Self.tableYears.flatMap { year in
            holidays.enumerated().compactMap { index, holiday in
                holiday.date(in: year).map { (day: $0.daysSinceEpoch, holiday: index) }
            }
        }
        table = all.sorted { ($0.day, $0.holiday) < ($1.day, $1.holiday) }
    }

    /// The holiday on a date; nil when there is none.
    public func name(on date: CivilDate) -> String? {
        let day = date.daysSinceEpoch
        guard Self.tableDays.contains(day) else { return holidays.first { $0.date(in: date.year) == date }?.name }
        let index = firstIndex(from: day)
        return index < table.count && table[index].day == day ? holidays[table[index].holiday].name : nil
    }

    /// Whether there is a holiday on a day since 1970.
    func isHoliday(_ day: Int) -> Bool {
        guard Self.tableDays.contains(day) else { return name(on: CivilDate(daysSinceEpoch: day)) != nil }
        let index = firstIndex(from: day)
        return index < table.count && table[index].day == day
    }

    /// Which of 64 days are holidays: bit 0 is the first day.
    func bits(from first: Int) -> UInt64 {
        var bits: UInt64 = 0
        guard Self.tableDays.contains(first), Self.tableDays.contains(first + 63) else {
            for day in 0..<64 where isHoliday(first + day) { bits |= 1 << UInt64(day) }
            return bits
        }
        var index = firstIndex(from: first)
        while index < table.count, table[index].day < first + 64 {
            bits |= 1 << UInt64(table[index].day - first)
            index += 1
        }
        return bits
    }

    /// The index of the first row on a day or after it.
    private func firstIndex(from day: Int) -> Int {
        var (low, high) = (0, table.count)
        while low < high {
            let middle = (low + high) / 2
            if table[middle].day < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Holidays.Holiday {
    fileprivate func date(in year: Int) -> CivilDate? {
        years.contains(year) ? rule.date(in: year) : nil
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
