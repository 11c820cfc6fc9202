import Bytes
import SookeModel

/// How people write the cells of a field, beyond the form in which an export writes them.
enum CellNotation: Sendable {
    /// Only that form.
    case plain
    case line
    /// The name of another record.
    case reference
    /// The e-mail address of a business.
    case email
    /// A recurrence rule, perhaps after `RRULE:`.
    case rule
    /// Opening hours in the syntax of OpenStreetMap, or like `Mon-Fri 9-5, Sat 10-4`.
    case openingHours
    /// A latitude or a longitude: `48,374`, `123.726° W`.
    case latitude, longitude
    /// A website, which may lack `https://`.
    case website
    /// A phone number, which a spreadsheet may have taken for a number.
    case phone
    /// A moment, which may lack the offset of a time zone; the end of an event may lack its date.
    case start, end
    /// One of a few words, in any case.
    case word

    /// Whether any text is a value.
    var isText: Bool {
        switch self {
        case .plain, .line, .reference, .email, .rule, .website, .phone, .openingHours: true
        default: false
        }
    }

    init(ofField name: String) {
        self =
            switch name {
            case "name", "address": .line
            case "category", "event_type", "business": .reference
            case "email": .email
            case "rrule": .rule
            case "opening_hours": .openingHours
            case "latitude": .latitude
            case "longitude": .longitude
            case "website": .website
            case "phone": .phone
            case "starts_at": .start
            case "ends_at": .end
            case "status": .word
            default: .plain
            }
    }
}

/// Cells as a spreadsheet damages them.
enum DamagedCell {
    /// What a cell holds instead of its value: an error of a formula, or `####` for a column that was too narrow; nil
    /// for any other text.
    static func error(in text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count < 16 else { return nil }
        let trimmed = text.trimmed
        if errors.contains(trimmed) { return trimmed }
        return trimmed.utf8.count > 2 && trimmed.utf8.allSatisfy { $0 == UInt8(ascii: "#") } ? trimmed : nil
    }

    private static let errors: Set<String> = [
        "#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#ERROR!", "#SPILL!", "#CALC!",
    ]

    /// Whether a text is a number in scientific notation, as a spreadsheet writes a long one: `2.50555E+09`.
    static func isScientific(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let exponent = bytes.firstIndex(of: UInt8(ascii: "E")) else { return false }
        var digits = bytes[bytes.index(after: exponent)...]
        guard let sign = digits.popFirst(), "+-".utf8.contains(sign) else { return false }
        let number = bytes[..<exponent]
        return !digits.isEmpty && digits.allSatisfy(ASCII.isDigit) && number.contains(where: ASCII.isDigit)
            && number.allSatisfy { byte in
                ASCII.isDigit(byte) || ".,-".utf8.contains(byte)
            }
    }
}
