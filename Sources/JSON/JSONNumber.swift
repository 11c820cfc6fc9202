import Bytes

/// The parts of a number: `±significand × 10^exponent`, unless digits were dropped.
struct JSONNumber {
    /// The offset after its last byte.
    private(set) var end: Int
    private(set) var isInteger = true
    private var isNegative = false
    private var digits = Digits()
    private var exponent = 0

    /// Scans the number whose first byte, a digit or `-`, is at an offset (RFC 8259, section 6):
    /// `number = [ "-" ] int [ frac ] [ exp ]`, `int = "0" / ( %x31-39 *DIGIT )`, `frac = "." 1*DIGIT`,
    /// `exp = ( "e" / "E" ) [ "+" / "-" ] 1*DIGIT`.
    init(scanning text: RawSpan, at first: Int) throws(JSONFault) {
        isNegative = text[first] == UInt8(ascii: "-")
        let start = isNegative ? first + 1 : first
        end = digits.take(text, from: start)
        guard end > start else { throw JSONFault("a sign that no digit follows", at: first) }
        guard text[start] != UInt8(ascii: "0") || end == start + 1 else {
            throw JSONFault("a number with a needless 0 before it", at: first)
        }
        if end < text.byteCount, text[end] == UInt8(ascii: ".") {
            try scanFraction(text, at: end)
        }
        if end < text.byteCount, text[end] | 0x20 == UInt8(ascii: "e") {
            try scanExponent(text, at: end)
        }
    }

    private mutating func scanFraction(_ text: RawSpan, at point: Int) throws(JSONFault) {
        isInteger = false
        end = digits.take(text, from: point + 1)
        guard end > point + 1 else { throw JSONFault("a decimal point that no digit follows", at: point) }
        exponent = point + 1 - end
    }

    private mutating func scanExponent(_ text: RawSpan, at letter: Int) throws(JSONFault) {
        isInteger = false
        var start = letter + 1
        var isNegative = false
        if start < text.byteCount, text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-") {
            isNegative = text[start] == UInt8(ascii: "-")
            start += 1
        }
        var power = Digits()
        end = power.take(text, from: start)
        guard end > start else { throw JSONFault("an exponent without a digit", at: letter) }
        if power.isComplete, power.value < 1_000 {
            exponent += Int(power.value) * (isNegative ? -1 : 1)
        } else {
            digits.isComplete = false
        }
    }

    /// The value of an integer, or nil when it does not fit.
    var integer: Int? {
        guard digits.isComplete else { return nil }
        if !isNegative { return Int(exactly: digits.value) }
        return digits.value <= Int.min.magnitude ? Int(truncatingIfNeeded: 0 &- digits.value) : nil
    }

    /// The value if one operation on two exact numbers rounds it correctly, otherwise nil.
    ///
    /// William D. Clinger, "How to Read Floating Point Numbers Accurately", 1990: integers up to 2^53 and powers of
    /// ten up to 10^22 are exact, so their product or quotient is rounded once.
    var double: Double? {
        guard digits.isComplete, digits.value <= 1 << 53, -22...22 ~= exponent else { return nil }
        let power = Self.powersOfTen[abs(exponent)]
        let magnitude = exponent < 0 ? Double(digits.value) / power : Double(digits.value) * power
        return isNegative ? -magnitude : magnitude
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private struct Digits {
        var value: UInt64 = 0
        /// Whether `value` has all the digits.
        var isComplete = true

        /// Reads a run of digits; returns its end.
        @inline(__always)
        mutating func take(_ text: RawSpan, from start: Int) -> Int {
            var offset = start
            while offset < text.byteCount {
                let digit = text[offset] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                // Below this there is room for one more digit of any value.
                if value < UInt64.max / 10 {
                    value = value &* 10 &+ UInt64(digit)
                } else {
                    isComplete = false
                }
                offset += 1
            }
            return offset
        }
    }
}
