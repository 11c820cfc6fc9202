import Bytes

/// The holidays of a region by their dates, so that a question is a binary search.
///
/// A class, because each moment of a query has a reference to it.
final class HolidayTable: Sendable {
    let region: String
    private let holidays: [Holidays.Holiday]
    private let rows: [(day: Int, holiday: Int)]

    private static let years = 1970...2149
    private static let days = 0..<CivilDate.first(in: 2150, from: CivilDate.monthDay(1, 1)).daysSinceEpoch

    init(region: String, holidays: [Holidays.Holiday]) {
        (self.region, self.holidays) = (region, holidays)
        let all = Self.years.flatMap { year in
            holidays.enumerated().compactMap { index, holiday in
                holiday.date(in: year).map { (day: $0.daysSinceEpoch, holiday: index) }
            }
        }
        rows = all.sorted { ($0.day, $0.holiday) < ($1.day, $1.holiday) }
    }

    /// The holiday on a day since 1970; nil when there is none.
    func name(on day: Int) -> String? {
        guard Self.days.contains(day) else {
            let date = CivilDate(daysSinceEpoch: day)
            return holidays.first { $0.date(in: date.year) == date }?.name
        }
        let index = firstIndex(from: day)
        return index < rows.count && rows[index].day == day ? holidays[rows[index].holiday].name : nil
    }

    /// Which of 64 days are holidays: bit 0 is the first day.
    func bits(from first: Int) -> UInt64 {
        var bits: UInt64 = 0
        guard Self.days.contains(first), Self.days.contains(first + 63) else {
            for day in 0..<64 where name(on: first + day) != nil { bits |= 1 << UInt64(day) }
            return bits
        }
        var index = firstIndex(from: first)
        while index < rows.count, rows[index].day < first + 64 {
            bits |= 1 << UInt64(rows[index].day - first)
            index += 1
        }
        return bits
    }

    /// The index of the first row on a day or after it.
    private func firstIndex(from day: Int) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].day < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
