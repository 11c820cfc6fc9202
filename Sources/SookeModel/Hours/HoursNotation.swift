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
    public static func hours(_ text: String) throws(OpeningHoursError) -> OpeningHours {
        do throws(OpeningHoursError) {
            var parser = try HoursNotationParser(text)
            return OpeningHours(rules: try parser.week())
        } catch {
            throw error.advised(about: text)
        }
    }

    /// The times of one day; none when closed. `has24Hours`: people there write times with minutes on a 24-hour clock.
    public static func times(_ text: String, has24Hours: Bool = false) throws(OpeningHoursError) -> [TimeSpan] {
        do throws(OpeningHoursError) {
            var parser = try HoursNotationParser(text, has24Hours: has24Hours)
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
        "this is a date; write the hours again, such as 9-5, in a spreadsheet as text"
    private static let wholeAdvice = "leave this empty and say “by appointment” in the description"
    private static let partAdvice = "write days and times only; say the rest in the description"

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

/// The times of one day as people write them on a door.
extension HoursNotation {
    /// The text of some times, which `times` reads as the same ones; `closed` for none.
    public static func text(of times: [TimeSpan], has24Hours: Bool = false) -> String {
        times.isEmpty ? "closed" : times.map { text(of: $0, has24Hours) }.joined(separator: ", ")
    }

    private static func text(of span: TimeSpan, _ has24Hours: Bool) -> String {
        if span == TimeSpan(0, 1440) { return "24 hours" }
        let end = span.isOpenEnded ? "late" : time(span.end, has24Hours: has24Hours)
        return "\(time(span.start, has24Hours: has24Hours)) - \(end)"
    }

    /// A time of day, from its minutes since midnight: `9:30 am`, `noon`; `09:30` on a clock with 24 hours.
    public static func time(_ minutes: Int, has24Hours: Bool = false) -> String {
        let minute = minutes % 1440
        if has24Hours { return String(ClockTime(seconds: minute * 60)?.text.prefix(5) ?? "") }
        if minute == 0 { return "midnight" }
        if minute == 720 { return "noon" }
        let (hour, rest) = ((minute / 60 + 11) % 12 + 1, minute % 60)
        let figures = rest == 0 ? "\(hour)" : "\(hour):\(rest < 10 ? "0" : "")\(rest)"
        return figures + (minute < 720 ? " am" : " pm")
    }
}

extension OpeningHours {
    /// The times of the days of a week from Monday on: none for closed, nil for unknown. Nil for hours that a week
    /// cannot show: with holidays, dates or remarks.
    public var days: [[TimeSpan]?]? {
        guard let rules,
            rules.allSatisfy({ $0.isWeekly && !$0.isOnHolidays && !$0.isAdditional && $0.comment.isEmpty })
        else { return nil }
        var days: [[TimeSpan]?] = []
        for day in Self.monday {
            let ofDay = rules.filter { $0.containsDay(day, isHoliday: false) }
            // A second rule replaces the first, which nobody should lose.
            guard ofDay.count < 2 else { return nil }
            switch ofDay.first {
            case nil: days.append([])
            case let rule? where rule.kind == .unknown && rule.times.isEmpty: days.append(nil)
            case let rule? where rule.kind == .open: days.append(rule.times.isEmpty ? [TimeSpan(0, 1440)] : rule.times)
            case let rule? where rule.kind == .closed && rule.times.isEmpty: days.append([])
            default: return nil
            }
        }
        return days
    }

    public init(days: [[TimeSpan]?]) { self.init(rules: Self.rules(ofDays: days)) }
}

extension DayHours {
    /// The rows of a day with some times; a closed one for none.
    public static func rows(of times: [TimeSpan], on dayOfWeek: Int) -> [DayHours] {
        if times.isEmpty { return [.closed(on: dayOfWeek)] }
        return times.compactMap { span in
            let end = span.end > 1440 ? span.end - 1440 : span.end
            guard let opens = ClockTime(seconds: span.start * 60), let closes = ClockTime(seconds: end * 60) else {
                return nil
            }
            return DayHours(dayOfWeek: dayOfWeek, opens: opens, closes: closes)
        }
    }

    /// The times of a day, as its rows say; nil without rows.
    public static func times(of rows: [DayHours]) -> [TimeSpan]? {
        if rows.isEmpty { return nil }
        return rows.filter { !$0.isClosed }.map { TimeSpan($0.opens, $0.closes) }
    }
}
