import Bytes
import SookeModel

/// The cells of a row that say when an event starts and ends: `starts_at` and `ends_at`, or dates and times in columns
/// of their own.
struct EventTimeCells {
    /// A column with a part of the start or the end.
    enum Part: String, CaseIterable, Sendable {
        case startDate = "start_date"
        case startTime = "start_time"
        case endDate = "end_date"
        case endTime = "end_time"
    }

    /// A moment of a row.
    enum Moment: Equatable, Sendable {
        case exact(Timestamp)
        /// A time on the clocks of a zone that is known when the event and its business are.
        case local(CivilDate, secondsOfDay: Int)
    }

    /// The cell `starts_at`; nil when there is no such column.
    var start: String?
    /// The cell `ends_at`; nil when there is no such column.
    var end: String?
    /// The cells of the other columns.
    var parts: [Part: String] = [:]

    /// Whether there is a column for the start.
    var hasStart: Bool { start != nil || parts[.startDate] != nil || parts[.startTime] != nil }
    /// Whether there is a column for the end.
    var hasEnd: Bool { end != nil || parts[.endDate] != nil || parts[.endTime] != nil }

    /// The moments; nil for an empty cell, and for one of another form, which becomes a problem.
    ///
    /// An end without a date is on the day of the start, or on the next day if it were before the start otherwise.
    func moments(_ problems: inout FieldProblems) -> (start: Moment?, end: Moment?) {
        let startColumn = parts[.startDate].map { _ in Part.startDate.rawValue } ?? "starts_at"
        let endColumn = parts[.endTime].map { _ in Part.endTime.rawValue } ?? "ends_at"
        let startText = Self.joined(parts[.startDate], filled(.startTime) ?? start)
        let endText = Self.joined(parts[.endDate], filled(.endTime) ?? end)
        let start = startText.flatMap { Self.moment($0, startColumn, after: nil, &problems) }
        let end = endText.flatMap { text in
            Self.moment(text, endColumn, after: startText.flatMap { try? MomentText($0) }, &problems)
        }
        return (start, end)
    }

    private func filled(_ part: Part) -> String? { parts[part].flatMap { $0.isEmpty ? nil : $0 } }

    private static func moment(
        _ text: String, _ column: String, after start: MomentText?, _ problems: inout FieldProblems
    ) -> Moment? {
        if let exact = Timestamp(rfc3339: text) { return .exact(exact) }
        do throws(MomentTextError) {
            let read = try MomentText(text)
            guard var date = read.date ?? start?.date else { throw .noDate }
            guard let seconds = read.secondsOfDay else { throw .noTime }
            if read.date == nil, let begin = start?.secondsOfDay, seconds < begin {
                date = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
            }
            guard let offset = read.offset ?? (read.date == nil ? start?.offset : nil) else {
                return .local(date, secondsOfDay: seconds)
            }
            return .exact(Timestamp(seconds: date.daysSinceEpoch * 86_400 + seconds - offset))
        } catch {
            problems.add(column, error.message(text))
            return nil
        }
    }

    private static func joined(_ date: String?, _ time: String?) -> String? {
        let words = [date, time].compactMap(\.self).filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
