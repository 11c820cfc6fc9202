/// Opening hours as people write them in spreadsheets and on signs: `Mon-Fri 9-5, Sat 10-4, closed Sun`.
///
/// ```swift
/// try HoursNotation.hours("Weekdays 9am to noon").text  // Mo-Fr 09:00-12:00
/// try HoursNotation.times("9-12 & 1-5")                 // of one day, 09:00-12:00 and 13:00-17:00
/// ```
///
/// Days come before or after their times, in any order; a day that is not named is closed, but some day must be open.
/// The times of a day that is named twice add up, unless they overlap. `PH open` is what a holiday is without it, and
/// `by appointment` and `Sun open` are not known, with that remark. What can mean two things is refused. A time without
/// `am` or `pm` is understood when
/// - it is written as on a clock with 24 hours, with a leading zero, an hour from 13 or an `h`: `09:00-17:00`, `10-18`;
/// - the end is not after the start, and in the afternoon: `9-5` and `9:00-5:00` are 09:00-17:00;
/// - the start is from 1 to 5: `1-5` is 13:00-17:00, `5-12` ends at midnight;
/// - it ends at noon, or an afternoon follows: `9-12`, `8-11, 1-5`. `7-11` and `6-10pm` are refused.
public enum HoursNotation {
    /// The hours of a week.
    public static func hours(_ text: String) throws(OpeningHoursError) -> OpeningHours {
        do throws(OpeningHoursError) {
            var parser = try HoursNotationParser(text)
            return OpeningHours(rules: try parser.week())
        } catch {
            throw error.advised(about: text)
        }
    }

    /// The times of one day; none when it is closed.
    public static func times(_ text: String) throws(OpeningHoursError) -> [TimeSpan] {
        do throws(OpeningHoursError) {
            var parser = try HoursNotationParser(text)
            return try parser.day()
        } catch {
            throw error.advised(about: text)
        }
    }
}

/// What to do about cells that are no hours, but common.
extension HoursNotation {
    static let seasonAdvice =
        "hours of a season go into opening_hours in the syntax of OpenStreetMap, such as "
        + "May-Sep Mo-Su 09:00-17:00; Oct-Apr Sa-Su 10:00-16:00"
    private static let dateAdvice =
        "a spreadsheet made a date of the hours; format the column as text, and write them again, such as 9-5"
    private static let wholeAdvice = "it has no times; leave the cell empty, and put this into the description"
    private static let partAdvice = "only days and times can be read; put the rest into the description"

    private static let vagueWords: Set<Substring> = [
        "appointment", "appointments", "appt", "season", "seasonal", "seasonally", "call", "phone", "varies", "vary",
        "varied",
        "variable", "various", "website", "facebook", "weather", "chance", "request", "tba", "permanently",
        "temporarily", "notice", "lunch", "dinner", "breakfast", "kitchen", "christmas", "easter", "thanksgiving",
    ]

    /// Whether a text says "by appointment" or "open" and nothing else.
    public static func isAppointment(_ text: String) -> Bool {
        guard text.utf8.count <= 60, let hours = try? hours(text), let rules = hours.rules else { return false }
        return rules.allSatisfy { $0.kind == .unknown && !$0.hasDays && !$0.comment.isEmpty }
    }

    /// What to do about a text that is not hours; nil when the position of the error tells it.
    fileprivate static func advice(about text: String) -> String? {
        guard text.utf8.count <= OpeningHours.longestText else { return nil }
        if isDate(text) { return dateAdvice }
        let words = text.lowercased().split { !$0.isLetter }
        guard words.contains(where: { $0.utf8.count <= 12 && vagueWords.contains($0) }) else { return nil }
        return text.contains(where: \.isNumber) ? partAdvice : wholeAdvice
    }

    /// Whether a text is a date such as `5-Sep`, `Sep-05` or `2026-09-05`.
    private static func isDate(_ text: String) -> Bool {
        guard text.utf8.count <= 30 else { return false }
        let parts = text.lowercased().split { $0 == "-" || $0 == " " }
        func isDay(_ part: Substring) -> Bool { part.count <= 2 && Int(part).map { 1...31 ~= $0 } ?? false }
        func isMonth(_ part: Substring) -> Bool { OpeningHoursParser.months.contains { $0.prefix(3) == part } }
        switch parts.count {
        case 2: return isDay(parts[0]) && isMonth(parts[1]) || isMonth(parts[0]) && isDay(parts[1])
        case 3...: return parts[0].count == 4 && Int(parts[0]) != nil && isDay(parts[1]) && isDay(parts[2])
        default: return false
        }
    }
}

extension OpeningHoursError {
    func advised(about text: String) -> OpeningHoursError {
        var error = self
        if let advice = HoursNotation.advice(about: text) { error.advice = advice }
        return error
    }
}
