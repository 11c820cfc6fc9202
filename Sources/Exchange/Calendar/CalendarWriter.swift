import Bytes
import SookeModel

/// Writes the lines of an iCalendar (RFC 5545, section 3.1).
struct CalendarWriter {
    private(set) var bytes: [UInt8] = []

    /// The most bytes of a line, without its end.
    private static let lineLength = 75

    /// Writes a line of a name, with its parameters, and a value as it is.
    mutating func line(_ name: String, _ value: String) {
        append(Array("\(name):\(value)".utf8))
    }

    /// Writes a line with a text, whose special characters are escaped (section 3.3.11).
    mutating func text(_ name: String, _ value: String) {
        var line = Array("\(name):".utf8)
        line.append(calendarText: value)
        append(line)
    }

    /// Writes a line with texts between commas.
    mutating func texts(_ name: String, _ values: [String]) {
        var line = Array("\(name):".utf8)
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(",") }
            line.append(calendarText: value)
        }
        append(line)
    }

    /// Writes a component with the lines in it.
    mutating func component(_ name: String, _ lines: (inout CalendarWriter) -> Void) {
        line("BEGIN", name)
        lines(&self)
        line("END", name)
    }

    /// Appends a line, folded: each further part begins with a space. A character is never divided.
    private mutating func append(_ line: [UInt8]) {
        var rest = line[...]
        var room = Self.lineLength
        while rest.count > room {
            var end = rest.startIndex + room
            while rest[end] & 0xC0 == 0x80 { end -= 1 }
            bytes += rest[..<end]
            bytes.append("\r\n ")
            rest = rest[end...]
            room = Self.lineLength - 1
        }
        bytes += rest
        bytes.append("\r\n")
    }
}

extension [UInt8] {
    fileprivate mutating func append(calendarText text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
                append(UInt8(ascii: "\\"))
                append(byte)
            case ASCII.lineFeed: append("\\n")
            // Control characters are not allowed; the line feed stands for a line end of Windows too.
            case 0..<0x20 where byte != 0x09, 0x7F: break
            default: append(byte)
            }
        }
    }
}

/// Moments and durations in a calendar.
extension TimeZone {
    /// A moment as the clocks show it: `20261124T190000`.
    func localText(_ moment: Timestamp) -> String {
        let (date, seconds) = localDate(at: moment)
        return "\(date.basicText)T\(Timestamp.basicClock(seconds))"
    }
}
