import Bytes
import SookeModel

/// The hours of a day as a cell of a table: `09:00-17:00`, `closed`, or `closed 09:00-17:00` for a closed day with
/// times.
extension DayHours {
    /// The form of a cell, for messages.
    static let cellShape = "hours like 09:00-17:00, or closed"

    /// Parses a cell. Hours may have one digit, the hyphen may be an en dash, and spaces around it are ignored.
    init?(cell: String, on dayOfWeek: Int) {
        let length = Self.closedWord.utf8.count
        let isClosed = ASCII.equalIgnoringCase(cell.utf8.prefix(length), Self.closedWord.utf8)
        let span = isClosed ? String(cell.unicodeScalars.dropFirst(length)).trimmed : cell
        if isClosed, span.isEmpty {
            self = .closed(on: dayOfWeek)
            return
        }
        let scalars = span.unicodeScalars
        guard let dash = scalars.firstIndex(where: { $0 == "-" || $0 == "–" }),
            let opens = Self.time(String(scalars[..<dash]).trimmed),
            let closes = Self.time(String(scalars[scalars.index(after: dash)...]).trimmed)
        else { return nil }
        self.init(dayOfWeek: dayOfWeek, opens: opens, closes: closes, isClosed: isClosed)
    }

    private static let closedWord = "closed"

    /// The day as a cell.
    var cell: String {
        let hasTimes = opens != .midnight || closes != .midnight
        if isClosed && !hasTimes { return Self.closedWord }
        return (isClosed ? Self.closedWord + " " : "") + Self.text(opens) + "-" + Self.text(closes)
    }

    /// Parses a time, where the hour may have one digit.
    private static func time(_ text: String) -> ClockTime? {
        ClockTime(text.utf8.dropFirst().first == UInt8(ascii: ":") ? "0" + text : text)
    }

    /// `HH:MM`, with seconds unless they are zero.
    private static func text(_ time: ClockTime) -> String {
        time.seconds % 60 == 0 ? String(time.text.dropLast(3)) : time.text
    }
}
