import Bytes

/// Reads the content lines of a vCard or an iCalendar from UTF-8 text without a byte order mark.
///
/// Lines end with CRLF, LF or CR. One that begins with a space or a tab continues the line before it. In vCard 2.1 a
/// value in quoted-printable continues after `=` at the end of a line. Blank lines are skipped, and nothing continues
/// them. Any text takes linear time.
struct ContentLineReader: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var start = 0
    private var number = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> ContentLine? {
        while position < bytes.count {
            let first = number
            start = position
            var text = Array(nextPhysicalLine().drop(while: Self.isSpace))
            if text.isEmpty { continue }
            if isQuotedPrintable(text) { joinSoftBreaks(&text) } else { unfold(&text) }
            guard let head = ContentLineHead(text[...]) else {
                return ContentLine(number: first, name: "", value: String(decoding: text, as: UTF8.self))
            }
            var line = ContentLine(number: first, name: head.name, parameters: head.parameters, value: "")
            guard head.isQuotedPrintable else {
                line.value = EncodedText.text(of: Array(text[head.valueStart...]), in: nil) ?? ""
                return line
            }
            // RFC 2045, section 6.7, of joined lines.
            let bytes = PercentCoding.decode(in: text[head.valueStart...], after: UInt8(ascii: "="))
            let decoded = EncodedText.text(of: bytes, in: line["CHARSET"])
            line.unreadCharacterSet = decoded == nil ? line["CHARSET"] : nil
            line.value = decoded ?? ""
            line.parameters.removeAll { $0.name == "ENCODING" || $0.name == "CHARSET" }
            return line
        }
        return nil
    }

    /// A fold inside a character comes after that character (RFC 5545, section 3.1).
    static func withWholeCharacters(_ bytes: [UInt8]) -> [UInt8] {
        func isRest(_ index: Int) -> Bool { index < bytes.count && bytes[index] & 0xC0 == 0x80 }
        var (result, index) = ([UInt8](), 0)
        while index < bytes.count {
            let start = index
            while index < bytes.count, bytes[index] != ASCII.lineFeed { index += 1 }
            let fold = index + 1
            let isFold = fold < bytes.count && isSpace(bytes[fold])
            guard isFold, isRest(fold + 1) else {
                index = Swift.min(index + 1, bytes.count)
                result += bytes[start..<index]
                continue
            }
            let lineEnd = index > start && bytes[index - 1] == ASCII.carriageReturn ? index - 1 : index
            var rest = fold + 1
            while isRest(rest), rest < fold + 4 { rest += 1 }
            result += bytes[start..<lineEnd]
            result += bytes[(fold + 1)..<rest]
            result += bytes[lineEnd...fold]
            index = rest
        }
        return result
    }

    private var isFoldNext: Bool { position < bytes.count && Self.isSpace(bytes[position]) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private mutating func unfold(_ text: inout [UInt8]) {
        while isFoldNext {
            position += 1
            text += nextPhysicalLine()
        }
    }

    private func isQuotedPrintable(_ text: [UInt8]) -> Bool {
        let head = text.prefix { $0 != UInt8(ascii: ":") }
        guard head.contains(UInt8(ascii: ";")), head.count < text.count else { return false }
        return ContentLineHead(text[...])?.isQuotedPrintable ?? false
    }

    /// A value continues after `=` at the end of a line, and after a fold. Both may come together. After `=` a space is
    /// a fold if all lines begin with one, and else a part of the text.
    private mutating func joinSoftBreaks(_ text: inout [UInt8]) {
        var parts: [(text: ArraySlice<UInt8>, isAfterBreak: Bool)] = []
        var isBroken = text.last == UInt8(ascii: "=") && position < bytes.count
        if isBroken { text.removeLast() }
        while position < bytes.count, isBroken || isFoldNext {
            var part = nextPhysicalLine()
            let isAfterBreak = isBroken
            if !isAfterBreak { part = part.dropFirst() }
            isBroken = part.last == UInt8(ascii: "=")
            if isBroken { part = part.dropLast() }
            parts.append((part, isAfterBreak))
        }
        let broken = parts.filter(\.isAfterBreak).map(\.text)
        let encodesSpaces =
            !text.contains(UInt8(ascii: " ")) && ByteSearch(for: Array("=20".utf8)).firstMatch(in: text.span) != nil
        let areFolds = (broken.count > 1 || encodesSpaces) && broken.allSatisfy { $0.first.map(Self.isSpace) == true }
        for part in parts { text += areFolds && part.isAfterBreak ? part.text.dropFirst() : part.text }
    }

    private mutating func nextPhysicalLine() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != ASCII.lineFeed, bytes[position] != ASCII.carriageReturn {
            position += 1
        }
        let line = bytes[start..<position]
        if position < bytes.count {
            let isReturn = bytes[position] == ASCII.carriageReturn
            position += 1
            if isReturn, position < bytes.count, bytes[position] == ASCII.lineFeed { position += 1 }
        }
        number += 1
        return line
    }
}

private struct ContentLineHead {
    let name: String
    var parameters: [ContentLine.Parameter] = []
    private(set) var valueStart = 0

    /// Encodings that stand alone in vCard 2.1, where other values alone are types.
    private static let encodings = ["QUOTED-PRINTABLE", "BASE64", "7BIT", "8BIT"]

    init?(_ text: ArraySlice<UInt8>) {
        let nameEnd = text.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") } ?? text.endIndex
        let name = text[..<nameEnd]
        guard nameEnd < text.endIndex, name.allSatisfy(Self.isNameCharacter),
            let last = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last, !last.isEmpty
        else { return nil }
        self.name = Self.uppercased(last)
        var position = nameEnd
        while text[position] == UInt8(ascii: ";") {
            guard let end = readParameter(text, from: position + 1) else { return nil }
            position = end
        }
        valueStart = position + 1
    }

    /// Returns the index of the semicolon or the colon after it.
    private mutating func readParameter(_ text: ArraySlice<UInt8>, from start: Int) -> Int? {
        var position = start
        while position < text.endIndex, !";:=".utf8.contains(text[position]) { position += 1 }
        guard position < text.endIndex else { return nil }
        let name = Self.uppercased(text[start..<position])
        guard text[position] == UInt8(ascii: "=") else {
            if !name.isEmpty { append(Self.encodings.contains(name) ? "ENCODING" : "TYPE", [name]) }
            return position
        }
        var values: [String] = []
        repeat {
            guard let (value, end) = Self.readValue(text, from: position + 1) else { return nil }
            values.append(Self.unescaped(value))
            position = end
        } while text[position] == UInt8(ascii: ",")
        append(name, values)
        return position
    }

    private mutating func append(_ name: String, _ values: [String]) {
        parameters.append(ContentLine.Parameter(name: name, values: values))
    }

    private static func readValue(_ text: ArraySlice<UInt8>, from start: Int) -> (value: ArraySlice<UInt8>, end: Int)? {
        if start < text.endIndex, text[start] == UInt8(ascii: "\""),
            let quote = text[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")), quote + 1 < text.endIndex,
            ";:,".utf8.contains(text[quote + 1])
        {
            return (text[(start + 1)..<quote], quote + 1)
        }
        guard let end = text[start...].firstIndex(where: { ";:,".utf8.contains($0) }) else { return nil }
        return (text[start..<end], end)
    }

    /// `^n`, `^^` and `^'` are a line end, a caret and a quote (RFC 6868).
    private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
        ContentText.unescape(value, after: UInt8(ascii: "^"), escapes)
    }

    private static let escapes = [
        UInt8(ascii: "n"): ASCII.lineFeed, UInt8(ascii: "'"): UInt8(ascii: "\""), UInt8(ascii: "^"): UInt8(ascii: "^"),
    ]

    var isQuotedPrintable: Bool {
        parameters.contains { parameter in
            parameter.name == "ENCODING"
                && parameter.values.contains { ASCII.equalIgnoringCase($0.utf8, "QUOTED-PRINTABLE".utf8) }
        }
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_")
    }

    private static func uppercased(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.map { $0 &- UInt8(ascii: "a") < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
    }
}
