import Bytes
import SookeModel

/// The columns `starts_local` and `ends_local`, or dates and times in columns of their own.
struct EventTimeCells {
    enum Part: String, CaseIterable, Sendable {
        case startDate = "start_date"
        case startTime = "start_time"
        case endDate = "end_date"
        case endTime = "end_time"
        case allDay = "all_day"
    }

    var start: String?
    var end: String?
    var parts: [Part: String] = [:]

    var hasStart: Bool { start != nil || parts[.startDate] != nil || parts[.startTime] != nil }
    var hasEnd: Bool { isAllDay || end != nil || parts[.endDate] != nil || parts[.endTime] != nil }

    var order: MomentText.DayOrder?

    struct Moments {
        /// Local times; instants where cells say so.
        var start: LocalTime?
        var end: LocalTime?
        var orders: Set<MomentText.DayOrder> = []
        var isAmbiguous = false
    }

    /// Nil for an empty cell, and for one of another form, which becomes a problem. An end without a date is on the day
    /// of the start, or on the next day if it were before the start otherwise.
    func moments(_ problems: inout FieldProblems, _ warnings: inout FieldProblems) -> Moments {
        var moments = Moments()
        let startColumn = parts[.startTime].flatMap { $0.isEmpty ? nil : Part.startTime.rawValue } ?? "starts_at"
        let endColumn = parts[.endTime].map { _ in Part.endTime.rawValue } ?? "ends_at"
        let endText = joined(filled(.endDate), filled(.endTime) ?? end)
        if let days = wholeDays(startColumn, endColumn, &moments, &problems) {
            if days.start != nil { warnOfTimes(&warnings) }
            return days
        }
        var start: MomentText?
        if let text = joined(filled(.startDate), filled(.startTime) ?? self.start) {
            start = read(text, startColumn, &moments, &problems)
            moments.start = start.flatMap { moment($0, text, startColumn, after: nil, &problems) }
            if moments.start == nil {
                // The end would have problems of the same cells; its date may tell the order of others.
                var ignored = FieldProblems()
                if let endText { _ = read(endText, endColumn, &moments, &ignored) }
                return moments
            }
        }
        if let endText, let read = read(endText, endColumn, &moments, &problems) {
            let end = Self.afternoon(read, after: start)
            moments.end = moment(end, endText, endColumn, after: start, &problems)
            if end.date == nil, let from = start?.secondsOfDay, let to = end.secondsOfDay,
                (to - from + 86_400) % 86_400 > 12 * 3600
            {
                warnings.add(endColumn, "is more than 12 hours after the start; is \"am\" or \"pm\" missing?")
            }
        }
        return moments
    }

    private static let yes: Set<String> = ["true", "yes", "y", "1", "x", "on", "ja", "oui", "wahr", "vrai", "all_day"]

    private var isAllDay: Bool { filled(.allDay).map { Self.yes.contains(ColumnNames.normalized($0)) } ?? false }

    /// The first and the last day. Days are whole when a cell says so, or when both dates have no time.
    private func wholeDays(
        _ startColumn: String, _ endColumn: String, _ moments: inout Moments, _ problems: inout FieldProblems
    ) -> Moments? {
        let texts = (start: filled(.startDate) ?? start, end: filled(.endDate) ?? end)
        guard let startText = texts.start, !startText.isEmpty else { return nil }
        let endText = texts.end.flatMap { $0.isEmpty ? nil : $0 }
        if !isAllDay {
            guard let endText, filled(.startTime) == nil, filled(.endTime) == nil, filled(.allDay) == nil,
                isDate(startText), isDate(endText)
            else { return nil }
        }
        guard let first = read(startText, startColumn, &moments, &problems) else { return moments }
        guard let firstDay = first.date else {
            problems.add(startColumn, MomentTextError.noDate.message(startText))
            return moments
        }
        moments.start = LocalTime(firstDay)
        var last = MomentText(date: firstDay)
        if let endText {
            guard let read = read(endText, endColumn, &moments, &problems) else { return moments }
            last.date = read.date ?? firstDay
            last.secondsOfDay = read.secondsOfDay
        }
        if let time = filled(.endTime) {
            last.secondsOfDay = (try? MomentText(Self.withColon(time)))?.secondsOfDay
        }
        guard let lastDay = last.date else { return moments }
        // Some programs give the midnight after the last day.
        let isAfter = last.secondsOfDay == 0 && lastDay > firstDay
        moments.end = LocalTime(lastDay.advanced(by: isAfter ? -1 : 0))
        return moments
    }

    /// Times do not count in an event that lasts whole days.
    private func warnOfTimes(_ warnings: inout FieldProblems) {
        let texts = [filled(.startTime) ?? start, filled(.endTime) ?? end].compactMap(\.self).filter { text in
            let seconds = (try? MomentText(Self.withColon(text), order: order))?.secondsOfDay ?? 0
            return seconds != 0 && seconds / 60 != 1439
        }
        guard !texts.isEmpty else { return }
        let list = texts.map { "\"\($0.excerpt())\"" }.joined(separator: " and ")
        let verb = texts.count == 1 ? "does" : "do"
        warnings.add(Part.allDay.rawValue, "the event lasts whole days, so \(list) \(verb) not count")
    }

    private func isDate(_ text: String) -> Bool {
        for order in [order, .dayFirst, .monthFirst] {
            if let read = try? MomentText(text, order: order) { return read.date != nil && read.secondsOfDay == nil }
        }
        return false
    }

    private func filled(_ part: Part) -> String? { parts[part].flatMap { $0.isEmpty ? nil : $0 } }

    private func read(
        _ text: String, _ column: String, _ moments: inout Moments, _ problems: inout FieldProblems
    ) -> MomentText? {
        // After a space and without seconds, `19:00-21:00` is no offset.
        let isISO = text.utf8.dropFirst(10).first == UInt8(ascii: "T") || Timestamp(rfc3339: text) != nil
        let exact = LocalTime(text).flatMap { $0.isDate || $0.offset != nil && !isISO ? nil : $0 }
        if let instant = exact?.instant { return MomentText(exact: LocalTime(instant: instant), text) }
        do throws(MomentTextError) {
            // An export has fractions of a second.
            var read = try MomentText(exact == nil ? text : String(text.prefix { $0 != "." }), order: order)
            read.exact = exact
            if let order = read.order { moments.orders.insert(order) }
            return read
        } catch {
            if case .ambiguous = error { moments.isAmbiguous = true }
            problems.add(column, error.message(text))
            return nil
        }
    }

    /// When only that is after the start: `10:00` to `2:00`.
    private static func afternoon(_ end: MomentText, after start: MomentText?) -> MomentText {
        guard end.isHalfOpen, end.date == nil, let from = start?.secondsOfDay, let to = end.secondsOfDay, to < from,
            to + 12 * 3600 > from
        else { return end }
        var moved = end
        moved.secondsOfDay = to + 12 * 3600
        return moved
    }

    private func moment(
        _ read: MomentText, _ text: String, _ column: String, after start: MomentText?, _ problems: inout FieldProblems
    ) -> LocalTime? {
        if let exact = read.exact { return exact }
        guard var date = read.date ?? start?.date else {
            problems.add(column, MomentTextError.noDate.message(text))
            return nil
        }
        guard let seconds = read.secondsOfDay else {
            problems.add(column, MomentTextError.noTime.message(text))
            return nil
        }
        if read.date == nil, let begin = start?.secondsOfDay, seconds < begin {
            date = date.advanced(by: 1)
        }
        return LocalTime(
            date, secondsOfDay: seconds, offset: read.offset ?? (read.date == nil ? start?.offset : nil))
    }

    /// A date may be followed by the midnight that programs add to it.
    private func joined(_ date: String?, _ time: String?) -> String? {
        let clock = time.map(Self.withColon)
        guard let date else { return clock.flatMap { $0.isEmpty ? nil : $0 } }
        guard let clock, !clock.isEmpty else { return date }
        if let read = try? MomentText(date, order: order), let day = read.date, read.secondsOfDay == 0 {
            return "\(day.text) \(clock)"
        }
        return "\(date) \(clock)"
    }

    /// `19.30` can only be a time in a column of times.
    private static func withColon(_ time: String) -> String {
        guard time.utf8.count <= 20, let dot = time.utf8.firstIndex(of: UInt8(ascii: ".")) else { return time }
        let (hour, rest) = (time.utf8[..<dot], time.utf8[time.utf8.index(after: dot)...])
        let minutes = rest.prefix(while: ASCII.isDigit)
        // `p.m.` or `Uhr`, but no number, which would be that of a date.
        let isTime =
            1...2 ~= hour.count && hour.allSatisfy(ASCII.isDigit) && minutes.count == 2
            && !rest.dropFirst(2).contains(where: ASCII.isDigit)
        let isFraction = hour.elementsEqual("0".utf8) && rest.count == 2
        guard isTime, !isFraction, rest.dropFirst(2).first != UInt8(ascii: ".") else { return time }
        return "\(Substring(hour)):\(Substring(rest))"
    }
}
