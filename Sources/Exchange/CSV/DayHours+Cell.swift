import Bytes
import SookeModel

/// The hours of a day as a cell of a table: `09:00-17:00`, `09:00-12:00, 13:00-17:00`, `closed`, or
/// `closed 09:00-17:00` for a closed day with times.
extension [DayHours] {
    /// Parses a cell; nil if it has another form.
    init?(cell: String, on dayOfWeek: Int) {
        self = []
        for span in cell.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let day = DayHours(cell: String(Substring(span)).trimmed, on: dayOfWeek) else { return nil }
            append(day)
        }
    }

    /// The rows of a day as a cell; nil when there are none.
    func cell(on dayOfWeek: Int) -> String? {
        let cells = filter { $0.dayOfWeek == dayOfWeek }.map(\.cell)
        return cells.isEmpty ? nil : cells.joined(separator: ", ")
    }
}

/// One span of a day as a cell.
extension DayHours {
    /// The form of a cell, for messages.
    static let cellShape = "hours like 09:00-17:00, or closed"

    /// Parses a cell. Hours may have one digit, the hyphen may be an en dash, and spaces around it are ignored.
    init?(cell: String, on dayOfWeek: Int) {
        guard let day = cell.withUTF8Bytes({ Self.parsed($0, on: dayOfWeek) }) else { return nil }
        self = day
    }

    private static func parsed(_ cell: UnsafeBufferPointer<UInt8>, on dayOfWeek: Int) -> DayHours? {
        let isClosed = ASCII.equalIgnoringCase(cell.prefix(closedWord.utf8.count), closedWord.utf8)
        let span = isClosed ? cell.dropFirst(closedWord.utf8.count).trimmed : cell[...]
        if isClosed, span.isEmpty { return .closed(on: dayOfWeek) }
        guard let dash = firstDash(in: span), let opens = time(span[..<dash.lowerBound].trimmed),
            let closes = time(span[dash.upperBound...].trimmed)
        else { return nil }
        return DayHours(dayOfWeek: dayOfWeek, opens: opens, closes: closes, isClosed: isClosed)
    }

    /// The place of the first hyphen or en dash.
    private static func firstDash(in text: Slice<UnsafeBufferPointer<UInt8>>) -> Range<Int>? {
        let first = text.firstIndex { $0 == UInt8(ascii: "-") || $0 == 0xE2 }
        guard let first else { return nil }
        if text[first] == UInt8(ascii: "-") { return first..<first + 1 }
        return text[first...].starts(with: "–".utf8) ? first..<first + 3 : nil
    }

    private static let closedWord = "closed"

    /// The day as a cell.
    var cell: String {
        let hasTimes = opens != .midnight || closes != .midnight
        if isClosed && !hasTimes { return Self.closedWord }
        return (isClosed ? Self.closedWord + " " : "") + Self.text(opens) + "-" + Self.text(closes)
    }

    /// Parses a time, where the hour may have one digit.
    private static func time(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> ClockTime? {
        let text = String(decoding: bytes, as: UTF8.self)
        return ClockTime(bytes.dropFirst().first == UInt8(ascii: ":") ? "0" + text : text)
    }

    /// `HH:MM`, with seconds unless they are zero.
    private static func text(_ time: ClockTime) -> String {
        time.seconds % 60 == 0 ? String(time.text.dropLast(3)) : time.text
    }
}
