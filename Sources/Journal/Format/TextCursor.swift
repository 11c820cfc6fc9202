import Bytes

/// Reads one line of a file of this program, strictly in the form in which it is written.
///
/// It accepts no other spacing, no leading zeros and no upper-case digits: any difference means that the file was
/// changed.
struct TextCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) {
        rest = line
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes the literal if it comes next.
    mutating func take(_ literal: StaticString) -> Bool {
        guard rest.starts(withLiteral: literal) else { return false }
        rest = rest.dropFirst(literal.utf8CodeUnitCount)
        return true
    }

    /// A decimal number below 2⁶², so that adding to a sequence number cannot overflow.
    mutating func decimal() -> Int? {
        let digits = rest.prefix(while: ASCII.isDigit)
        guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0"), digits.count <= 19 else {
            return nil
        }
        var value = 0
        for digit in digits {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Int(digit &- UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        guard value < 1 << 62 else { return nil }
        rest = rest[digits.endIndex...]
        return value
    }

    /// A checksum: eight digits in lower case.
    mutating func checksum() -> UInt32? {
        guard let digits = hexDigits(8), let value = Hex.integer(digits, as: UInt32.self) else { return nil }
        return value
    }

    /// An identity: 32 digits in lower case.
    mutating func identity() -> String? {
        hexDigits(32).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A timestamp, and the quotation mark after it.
    mutating func momentAndQuote() -> Timestamp? {
        let text = rest.prefix { $0 != UInt8(ascii: "\"") }
        guard text.endIndex < rest.endIndex, let moment = Timestamp(rfc3339: text) else { return nil }
        rest = rest[(text.endIndex + 1)...]
        return moment
    }

    /// The twenty digits in the name of a file.
    mutating func takeFileNumber() -> Bool {
        let digits = rest.prefix(20)
        guard digits.count == 20, digits.allSatisfy(ASCII.isDigit) else { return false }
        rest = rest[digits.endIndex...]
        return true
    }

    /// A number of hexadecimal digits in lower case.
    mutating func hexDigits(_ count: Int) -> ArraySlice<UInt8>? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ Self.isLowerHex($0) }) else { return nil }
        rest = rest[digits.endIndex...]
        return digits
    }

    static func isLowerHex(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"))
    }
}

extension ArraySlice<UInt8> {
    func starts(withLiteral literal: StaticString) -> Bool {
        literal.withUTF8Buffer { starts(with: $0) }
    }
}
