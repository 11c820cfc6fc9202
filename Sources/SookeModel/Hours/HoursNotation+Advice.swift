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
        guard words.contains(where: vagueWords.contains) else { return nil }
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
    /// The error with what to do about the text.
    func advised(about text: String) -> OpeningHoursError {
        var error = self
        if let advice = HoursNotation.advice(about: text) { error.advice = advice }
        return error
    }
}
