import Bytes
import SookeModel

/// As Postgres itself writes values, so that equal values have equal texts.
enum PostgresText {
    /// A NUL, which Postgres cannot hold, becomes U+FFFD; the document of the record has it.
    static func text(_ text: String?) -> String? {
        guard let text, text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    static func double(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func boolean(_ value: Bool) -> String { value ? "t" : "f" }

    /// In UTC, such as `2035-06-02 02:00:00.25+00`; the year 0 is `0001 BC`.
    static func timestamp(_ time: Timestamp) -> String {
        var text: [UInt8] = []
        text.append(rfc3339: time)
        let isBeforeChrist = text.starts(with: "0000".utf8)
        if isBeforeChrist { text[3] = UInt8(ascii: "1") }
        text[10] = UInt8(ascii: " ")
        text.removeLast()
        text.append(utf8: isBeforeChrist ? "+00 BC" : "+00")
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    mutating func append(copied value: String?) {
        for byte in (value ?? "").utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\t"): append("\\t")
            case ASCII.lineFeed: append("\\n")
            case ASCII.carriageReturn: append("\\r")
            default: append(byte)
            }
        }
        if value == nil { append("\\N") }
    }
}

extension String {
    /// Whether or not the server takes backslashes in plain literals for escapes.
    var postgresLiteral: String {
        let literal = utf8.flatMap { [UInt8](repeating: $0, count: "'\\".utf8.contains($0) ? 2 : 1) }
        return (utf8.contains(UInt8(ascii: "\\")) ? "E'" : "'") + String(decoding: literal, as: UTF8.self) + "'"
    }
}

extension PostgresText {
    /// The text that the projection gives an equal value.
    static func canonical(_ text: String, _ type: PostgresTable.Column.Value) -> String? {
        switch type {
        case .text, .role: text
        case .integer: Int(text).map { "\($0)" }
        case .double: Double(text).flatMap { $0.isFinite ? double($0) : nil }
        case .numeric: price(text)?.text
        case .boolean: text == "t" || text == "f" ? text : nil
        case .time: time(text)?.text
        case .timestamp: timestamp(text).map { timestamp($0) }
        }
    }

    /// Also of a column with another number of decimals.
    static func price(_ text: String) -> Price? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        let cents = parts.count == 2 ? parts[1] : ""
        guard cents.dropFirst(2).allSatisfy({ $0 == "0" }) else { return nil }
        return Price("\(parts[0]).\((cents + "00").prefix(2))")
    }

    static func time(_ text: String) -> ClockTime? { ClockTime(String(text.prefix(8))) }

    /// Any offset: `2035-06-01 19:00:00.25-07`, `… +05:30` or `0044-03-15 12:00:00-00:01:15 BC`.
    static func timestamp(_ text: String) -> Timestamp? {
        var text = text[...]
        let isBeforeChrist = text.hasSuffix(" BC")
        if isBeforeChrist {
            guard text.hasPrefix("0001") else { return nil }
            text = "0000" + text.dropFirst(4).dropLast(3)
        }
        guard let sign = text.dropFirst(11).lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let parts = text[text.index(after: sign)...].split(separator: ":").map { Int($0) }
        guard 1...3 ~= parts.count, let hours = parts[0], let minutes = parts.count > 1 ? parts[1] : 0,
            let seconds = parts.count > 2 ? parts[2] : 0
        else { return nil }
        let offset = (hours * 60 + minutes) * 60 + seconds
        guard let local = Timestamp(rfc3339: "\(text[..<sign])Z") else { return nil }
        return local.advanced(bySeconds: text[sign] == "-" ? offset : -offset)
    }
}
