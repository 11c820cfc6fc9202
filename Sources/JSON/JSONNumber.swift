import Bytes

struct JSONNumber {
    private(set) var end: Int
    private(set) var isInteger = true

    /// Scans the number whose first byte, a digit or `-`, is at an offset (RFC 8259, section 6):
    /// `number = [ "-" ] int [ frac ] [ exp ]`, `int = "0" / ( %x31-39 *DIGIT )`, `frac = "." 1*DIGIT`,
    /// `exp = ( "e" / "E" ) [ "+" / "-" ] 1*DIGIT`.
    init(scanning text: RawSpan, at first: Int) throws(JSONFault) {
        let start = text[first] == UInt8(ascii: "-") ? first + 1 : first
        end = Self.endOfDigits(text, from: start)
        guard end > start else { throw JSONFault("a sign that no digit follows", at: first) }
        guard text[start] != UInt8(ascii: "0") || end == start + 1 else {
            throw JSONFault("a number with a needless 0 before it", at: first)
        }
        if end < text.byteCount, text[end] == UInt8(ascii: ".") {
            let point = end
            isInteger = false
            end = Self.endOfDigits(text, from: point + 1)
            guard end > point + 1 else { throw JSONFault("a decimal point that no digit follows", at: point) }
        }
        if end < text.byteCount, text[end] | 0x20 == UInt8(ascii: "e") {
            let letter = end
            var start = letter + 1
            if start < text.byteCount, text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-") {
                start += 1
            }
            isInteger = false
            end = Self.endOfDigits(text, from: start)
            guard end > start else { throw JSONFault("an exponent without a digit", at: letter) }
        }
    }

    private static func endOfDigits(_ text: RawSpan, from start: Int) -> Int {
        var offset = start
        while offset < text.byteCount, ASCII.isDigit(text[offset]) { offset += 1 }
        return offset
    }
}
