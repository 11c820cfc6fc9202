import Bytes

/// The rules of the text fields of a record. Lengths are in Unicode scalars.
public enum TextRules {
    public static let name = 1...500
    public static let slug = 1...600
    public static let synonym = 1...60
    public static let description = 0...10_000
    public static let location = 0...300
    public static let organizer = 0...200
    public static let price = 0...100
    public static let address = 0...1_000
    public static let area = 0...100
    public static let phone = 0...50
    public static let email = 0...254
    public static let website = 0...2_000

    static func check(
        _ text: String, _ field: StaticString, length: ClosedRange<Int>, _ problems: inout FieldProblems
    ) {
        let (count, hasNUL) = text.withUTF8Bytes(survey)
        if length.lowerBound > 0, isBlank(text) {
            problems.add(field, "must not be empty")
        } else if count > length.upperBound {
            problems.add(field, "is \(count) characters long, at most \(length.upperBound) are allowed")
        } else if hasNUL {
            problems.add(field, Self.hasNUL)
        }
    }

    private static func isBlank(_ text: String) -> Bool {
        // Most texts begin with an ASCII letter, which needs no Unicode tables.
        if let first = text.utf8.first, ASCII.isLetter(first) { return false }
        return text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    private static let hasNUL = "must not hold a NUL character"

    /// The number of scalars, and whether one of them is NUL.
    private static func survey(_ text: UnsafeBufferPointer<UInt8>) -> (count: Int, hasNUL: Bool) {
        // Both are sums without a branch, which the compiler vectorizes.
        var (continuations, zeros) = (0, 0)
        for byte in text {
            continuations &+= byte & 0xC0 == 0x80 ? 1 : 0
            zeros &+= byte == 0 ? 1 : 0
        }
        return (text.count - continuations, zeros > 0)
    }

    /// `.` and `..` have a meaning in paths (RFC 3986, section 5.2.4): a record with such a slug could not be reached.
    static func checkSlug(_ value: Slug, _ field: StaticString, _ problems: inout FieldProblems) {
        check(value.text, field, length: slug, &problems)
        problems.require(value != Slug(".") && value != Slug(".."), "\(field)", "must not be nothing but dots")
    }

    /// Adds a problem for a text that does not have the form of one e-mail address. The empty text means none.
    /// Characters that separate, group or quote addresses in the header of a message (RFC 5322, section 3.4) are
    /// rejected, so that no address is taken for two.
    static func checkEmail(_ text: String, _ field: StaticString, _ problems: inout FieldProblems) {
        check(text, field, length: email, &problems)
        guard !text.isEmpty, text.utf8.count <= 4 * email.upperBound else { return }
        let isShaped = text.withUTF8Bytes { bytes in
            guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
            let host = bytes[(at + 1)...]
            return isHost(host) && !host.contains(UInt8(ascii: "@"))
                && !bytes.contains { isSpaceOrControl($0) || addressSigns.contains($0) }
        }
        problems.require(isShaped, field, "must be an e-mail address like name@example.org")
    }

    /// Adds a problem for a text that is not an absolute `http` or `https` URL. The empty text means none.
    static func checkWebsite(_ text: String, _ field: StaticString, _ problems: inout FieldProblems) {
        check(text, field, length: website, &problems)
        guard !text.isEmpty, text.utf8.count <= 4 * website.upperBound else { return }
        let isShaped = text.withUTF8Bytes { bytes in
            guard let start = endOfScheme(bytes) else { return false }
            return isHost(bytes[start...].prefix(while: isAuthority)) && !bytes.contains(where: isSpaceOrControl)
        }
        problems.require(isShaped, field, "must be a web address like https://example.org")
    }

    static func checkOpeningHours(_ text: String, _ field: StaticString, _ problems: inout FieldProblems) {
        // A remark may hold any other character.
        guard !text.utf8.contains(0) else { return problems.add(field, hasNUL) }
        do {
            _ = try OpeningHours(text)
        } catch {
            problems.add(field, "\(error)")
        }
    }

    static func checkRecurrenceRule(_ text: String, _ field: StaticString, _ problems: inout FieldProblems) {
        do {
            _ = try RecurrenceRule(text)
        } catch {
            problems.add(field, "\(error)")
        }
    }

    public static let unknownTimeZone = "is not a known time zone; write one like America/Vancouver"

    /// Checks the form of a name. Only the server has the time zone database, which tells whether the zone exists.
    static func checkTimeZone(_ text: String, _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(TimeZone.isAcceptable(text), field, "must be a time zone like America/Vancouver")
    }

    /// The end of `https://` or `http://`, ignoring case; nil when the text begins with neither.
    private static func endOfScheme(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        for scheme: StaticString in ["https://", "http://"] {
            let isThere = scheme.withUTF8Buffer { letters in
                text.count >= letters.count
                    && letters.indices.allSatisfy { ASCII.lowercased(text[$0]) == letters[$0] }
            }
            if isThere { return scheme.utf8CodeUnitCount }
        }
        return nil
    }

    private static func isAuthority(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
    }

    private static func isHost(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var last = UInt8(ascii: ".")
        for byte in text {
            if byte == UInt8(ascii: "."), last == byte { return false }
            last = byte
        }
        return last != UInt8(ascii: ".")
    }

    /// The special characters of RFC 5322, section 3.2.3, except for the dot and the at sign.
    private static let addressSigns = Array(#"()<>[]:;\,""#.utf8)

    private static func isSpaceOrControl(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F
    }
}
