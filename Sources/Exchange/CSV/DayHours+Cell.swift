import Bytes
import SookeModel

/// The hours of a day as a cell of a table: `09:00-17:00`, `09:00-12:00, 13:00-17:00`, `closed`, or
/// `closed 09:00-17:00` for a closed day with times.
extension [DayHours] {
    /// Reads also the forms that people use in spreadsheets, such as `9am to noon`.
    init(cell: String, on dayOfWeek: Int) throws(OpeningHoursError) {
        let spans = cell.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let days = spans.compactMap { DayHours(cell: String(Substring($0)).trimmed, on: dayOfWeek) }
        if days.count == spans.count {
            self = days
            return
        }
        self = DayHours.rows(of: try HoursNotation.times(cell), on: dayOfWeek)
    }

    static func cell(from opening: String, to closing: String) -> String? {
        if opening.isEmpty, closing.isEmpty { return "" }
        // "Closed" or "24 hours" in one of the cells, or in both.
        for text in [opening, closing] where !text.isEmpty && (text.hasSameBytes(as: opening) || opening.isEmpty) {
            let isWhole = (try? HoursNotation.times(text)) != nil || HoursNotation.isAppointment(text)
            if isWhole, closing.isEmpty || opening.isEmpty || closing.hasSameBytes(as: opening) { return text }
        }
        return opening.isEmpty || closing.isEmpty ? nil : "\(opening) - \(closing)"
    }

    func cell(on dayOfWeek: Int) -> String? {
        let cells = filter { $0.dayOfWeek == dayOfWeek }.map(\.cell)
        return cells.isEmpty ? nil : cells.joined(separator: ", ")
    }
}

extension DayHours {
    static let cellShape = "hours like 09:00-17:00, 9am-5pm or closed"

    /// Parses the form of an export: on a clock with 24 hours, so that `9:00-5:00` and `10:00-11:00` are refused. Hours
    /// may have one digit, and the hyphen may be an en dash.
    init?(cell: String, on dayOfWeek: Int) {
        guard let day = cell.withUTF8Bytes({ Self.parsed($0, on: dayOfWeek) }) else { return nil }
        self = day
    }

    private static func parsed(_ cell: UnsafeBufferPointer<UInt8>, on dayOfWeek: Int) -> DayHours? {
        let isClosed = ASCII.equalIgnoringCase(cell.prefix(closedWord.utf8.count), closedWord.utf8)
        let span = isClosed ? cell.dropFirst(closedWord.utf8.count).trimmed : cell[...]
        if isClosed, span.isEmpty { return .closed(on: dayOfWeek) }
        guard let dash = firstDash(in: span) else { return nil }
        let (first, last) = (span[..<dash.lowerBound].trimmed, span[dash.upperBound...].trimmed)
        guard let opens = time(first), let closes = time(last) else { return nil }
        let day = DayHours(dayOfWeek: dayOfWeek, opens: opens, closes: closes, isClosed: isClosed)
        return day.isClear || isExact(first, last) ? day : nil
    }

    /// Whether its times mean the same on a clock with 12 hours, or cannot be on one.
    private var isClear: Bool {
        let hours = [opens, closes].map { $0.seconds / 3600 }
        if isClosed || !hours.allSatisfy({ 1...12 ~= $0 }) { return true }
        return hours[0] >= 6 && hours[1] == 12 && opens < closes
    }

    /// Whether one has a leading zero, or both the seconds of those that would not be clear without them.
    private static func isExact(
        _ first: Slice<UnsafeBufferPointer<UInt8>>, _ last: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Bool {
        first.first == UInt8(ascii: "0") || last.first == UInt8(ascii: "0") || first.count == 8 && last.count == 8
    }

    private static func firstDash(in text: Slice<UnsafeBufferPointer<UInt8>>) -> Range<Int>? {
        let first = text.firstIndex { $0 == UInt8(ascii: "-") || $0 == 0xE2 }
        guard let first else { return nil }
        if text[first] == UInt8(ascii: "-") { return first..<first + 1 }
        return text[first...].starts(with: "–".utf8) ? first..<first + 3 : nil
    }

    private static let closedWord = "closed"

    var cell: String {
        let hasTimes = opens != .midnight || closes != .midnight
        if isClosed && !hasTimes { return Self.closedWord }
        let hasSeconds = !isClear && opens.seconds >= 36_000 && closes.seconds >= 36_000
        return (isClosed ? Self.closedWord + " " : "") + Self.text(opens, hasSeconds: hasSeconds) + "-"
            + Self.text(closes, hasSeconds: hasSeconds)
    }

    private static func time(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> ClockTime? {
        let text = String(decoding: bytes, as: UTF8.self)
        return ClockTime(bytes.dropFirst().first == UInt8(ascii: ":") ? "0" + text : text)
    }

    private static func text(_ time: ClockTime, hasSeconds: Bool) -> String {
        time.seconds % 60 == 0 && !hasSeconds ? String(time.text.dropLast(3)) : time.text
    }
}
