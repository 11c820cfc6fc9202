import Bytes
import SookeModel

/// Whether a number is shown as a date, a time or an amount of money.
struct NumberFormat {
    private var (hasDate, hasTime) = (false, false)
    /// Hours may be more than a day has.
    private var isSpan = false
    /// Whether `9:00` has one digit, as on a clock with twelve hours, which is not said.
    private var hasShortHours = false
    /// Of money, such as `$#,##0.00`: for all numbers, and for those below zero if they have a format of their own.
    private var amounts: [String.UnicodeScalarView] = []

    /// The formats that have no code in a workbook (ECMA-376, 18.8.30).
    init(builtIn id: Int) {
        hasDate = [14...17, 22...22, 27...31, 36...36, 50...54, 57...58].contains { $0 ~= id }
        hasTime = [18...22, 32...35, 45...47, 55...56].contains { $0 ~= id }
        (isSpan, hasShortHours) = (id == 46, 20...22 ~= id)
    }

    /// Such as `[$-409]d mmm yyyy" at "h:mm AM/PM;@` or `"$"#,##0.00;("$"#,##0.00)`.
    init(_ code: String) {
        let sections = code.unicodeScalars.split(separator: ";").prefix(2).map { Section($0) }
        guard let first = sections.first else { return }
        let has = { (letter: Unicode.Scalar) in first.letters.contains(letter) }
        isSpan = first.isSpan
        hasTime = isSpan || has("h") || has("s")
        hasShortHours = first.letters.count { $0 == "h" } == 1 && !has("a")
        // Otherwise m is minutes.
        hasDate = has("y") || has("d") || has("m") && !hasTime
        if first.isMoney, !hasDate, !hasTime { amounts = sections.map(\.text) }
    }

    private struct Section {
        /// Those that stand for parts of a time.
        var letters: [Unicode.Scalar] = []
        var text = String.UnicodeScalarView()
        var (isSpan, isMoney) = (false, false)

        init(_ code: Substring.UnicodeScalarView) {
            var rest = code
            while let sign = rest.popFirst() {
                switch sign {
                case "\"":
                    text += rest.prefix { $0 != sign }
                    rest = rest.drop { $0 != sign }.dropFirst()
                case "\\": if let next = rest.popFirst() { text.append(next) }
                case "_", "*": rest = rest.dropFirst()
                case "[":
                    let words = rest.prefix { $0 != "]" }
                    let currency = words.first == "$" ? words.dropFirst().prefix { $0 != "-" } : words.prefix(0)
                    text += currency
                    isMoney = isMoney || !currency.isEmpty
                    isSpan = isSpan || !words.isEmpty && words.allSatisfy { "hmsHMS".unicodeScalars.contains($0) }
                    rest = rest.dropFirst(words.count + 1)
                case "a"..."z", "A"..."Z": letters.append(Unicode.Scalar(UInt8(ascii: sign) | 0x20))
                default: text.append(sign)
                }
            }
            isMoney = isMoney || text.contains { "$€£¥".unicodeScalars.contains($0) }
        }
    }

    /// From the first day that Excel counts; 1900 was no leap year, which it does not know.
    private static let (first, leapDay, later) = (25_569, 60, 1_462)
    /// That of the year 10,000.
    private static let end = 2_958_466.0

    /// Nil for a number.
    func text(_ number: Double, has1904: Bool) -> String? {
        if !amounts.isEmpty { return amount(number) }
        guard hasDate || hasTime, 0..<Self.end ~= number else { return nil }
        let seconds = Int(clamping: (number * 86_400).rounded())
        let day = seconds / 86_400 + (has1904 ? Self.later : number < Double(Self.leapDay) ? 1 : 0)
        let date = CivilDate(daysSinceEpoch: day - Self.first).text
        let minutes = (isSpan ? seconds : seconds % 86_400) / 60
        let digits = { (number: Int, isShort: Bool) in (number < 10 && !isShort ? "0" : "") + "\(number)" }
        let time = digits(minutes / 60, hasShortHours && !hasDate) + ":" + digits(minutes % 60, false)
        return [hasDate && !isSpan ? date : nil, hasTime ? time : nil].compactMap(\.self).joined(separator: " ")
    }

    private func amount(_ number: Double) -> String? {
        let isBelow = number < 0 && amounts.count > 1
        let format = amounts[isBelow ? 1 : 0]
        let isDigit = { (sign: Unicode.Scalar) in "#0?".unicodeScalars.contains(sign) }
        guard let start = format.firstIndex(where: isDigit), let end = format.lastIndex(where: isDigit),
            abs(number) < 1e12
        else { return nil }
        let digits = format[start...end]
        let decimals = min(digits.drop { $0 != "." }.dropFirst().count, 4)
        let unit = [1, 10, 100, 1_000, 10_000][decimals]
        let units = Int(clamping: (abs(number) * Double(unit)).rounded())
        let whole = digits.contains(",") ? Count.grouped(units / unit) : "\(units / unit)"
        let rest = decimals == 0 ? "" : "." + String("\(unit + units % unit)".dropFirst())
        let (before, after) = (String(Substring(format[..<start])), String(Substring(format[end...].dropFirst())))
        return ((number < 0 && !isBelow ? "-" : "") + before + whole + rest + after).trimmed
    }
}
