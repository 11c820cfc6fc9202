/// Percent-encoding, RFC 3986, section 2.1.
public enum PercentCoding {
    public enum Failure: Error, Equatable {
        case incompleteEscape
    }

    /// Decodes text. Digits of escapes may be in upper or lower case.
    ///
    /// - Parameter plusIsSpace: whether `+` is a space, as in a form's query string.
    /// - Throws: `Failure.incompleteEscape`. The result may contain any byte, including NUL and invalid UTF-8.
    public static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(ASCII.hexValue), let low = rest.next().flatMap(ASCII.hexValue)
                else { throw .incompleteEscape }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Decodes only the escapes of some characters, or of all, and leaves everything else as it is.
    public static func decode(
        _ plain: [UInt8]? = nil, in text: ArraySlice<UInt8>, after mark: UInt8 = UInt8(ascii: "%")
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == mark, rest.count >= 2,
                let high = ASCII.hexValue(rest[rest.startIndex]), let low = ASCII.hexValue(rest[rest.startIndex + 1]),
                plain?.contains(high << 4 | low) != false
            {
                bytes.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Encodes bytes; everything is escaped but the unreserved characters of RFC 3986, section 2.3, and some others.
    public static func encode(_ bytes: some Sequence<UInt8>, except others: [UInt8] = []) -> String {
        var text: [UInt8] = []
        append(bytes, except: others, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    @inlinable
    public static func append(_ bytes: some Sequence<UInt8>, except others: [UInt8] = [], to text: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case _ where ASCII.isDigit(byte) || ASCII.isLetter(byte),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.append(byte)
            case _ where others.contains(byte): text.append(byte)
            default:
                text.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 0x0F] {
                    text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
    }
}
