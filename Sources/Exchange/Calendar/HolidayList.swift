import Bytes
import SookeModel

/// The public holidays in a calendar, such as the one that a government publishes.
package enum HolidayList {
    /// Reads the first `HolidayDate.mostRows` holidays from a year on. A series is read as far as the calendar has
    /// other holidays, since the last of all says how long they are known; else for ten years.
    package static func read(_ file: ImportFile, from year: Int) throws(ImportProblems) -> [HolidayDate] {
        // Every zone is UTC here: a day is a day, wherever the calendar says that it is.
        let rows = file.readRows().rows
        var problems: [Finding] = []
        var days: [Int: String] = [:]
        let single = rows.lazy.compactMap { $0.patch as? Patch<Event> }.filter { !$0.values.hasSeries }
        let lastYear = single.compactMap { $0.values.startsLocal?.date.year }.max() ?? year + 9
        for row in rows {
            do throws(FieldProblems) {
                guard row.problems.isEmpty, let event = row.patch as? Patch<Event> else { throw row.problems }
                if event.values.status == .cancelled { continue }
                for day in try Self.days(of: event.values, in: year...max(year, lastYear)) where days[day] == nil {
                    days[day] = String(event.values.name.unicodeScalars.prefix(100))
                }
            } catch {
                let name = row.patch?.name ?? row.givenLabel
                problems += error.all.map { Finding(file: file.name, row: row.line, record: name, $0) }
            }
        }
        if problems.isEmpty, days.isEmpty {
            problems = [Finding(file: file.name, row: 1, FieldProblem("", "has no holiday from \(year) on"))]
        }
        guard problems.isEmpty else { throw ImportProblems(problems) }
        return days.sorted { $0.key < $1.key }.prefix(HolidayDate.mostRows)
            .map { HolidayDate(CivilDate(daysSinceEpoch: $0.key), $0.value) }
    }

    /// In days: a longer one is a season.
    private static let longest = 14

    private static func days(of event: Event, in years: ClosedRange<Int>) throws(FieldProblems) -> [Int] {
        var problems = FieldProblems()
        guard let start = event.startsLocal, let first = CivilDate(year: years.lowerBound, month: 1, day: 1),
            let last = CivilDate(year: years.upperBound, month: 12, day: 31)
        else { throw problems }
        let end = event.endsLocal ?? start
        let seconds = end.clock.seconds - start.clock.seconds + (start.isDate ? 86_400 : 86_399)
        let length = max(1, seconds / 86_400)
        problems.require(start.secondsOfDay == 0, "DTSTART", "is a time of day; a holiday is a whole day")
        problems.require(length <= longest, "DTEND", "makes it \(length) days long; a holiday has at most \(longest)")
        guard problems.isEmpty else { throw problems }
        let utc = TimeZone(name: "Etc/UTC", fixedOffset: 0)
        var starts = [start.clock]
        if let series = event.recurrence(in: utc) {
            let end = Timestamp(last.advanced(by: 1))
            starts = series.occurrences(in: Timestamp(first)..<end, limit: HolidayDate.mostRows).found
                .filter { !$0.isCancelled }.map(\.startsAt)
        }
        return starts.flatMap { start in (0..<length).map { start.seconds / 86_400 + $0 } }
            .filter { $0 >= first.daysSinceEpoch }
    }
}
