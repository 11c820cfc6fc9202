import Bytes

/// Reads the elements and texts of a document one after the other: as much of XML as workbooks have. Prefixes of names
/// do not count, and a document type is refused, so that no entity is longer than what stands for it.
struct XMLReader {
    enum Event { case start, end, text }

    private let bytes: [UInt8]
    private var position = 0
    private var name = 0..<0
    private var attributes = 0..<0
    private var content = 0..<0
    private var isPlain = true
    private var endsAtOnce = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(WorkbookError) -> Event? {
        if endsAtOnce {
            endsAtOnce = false
            return .end
        }
        while position < bytes.count {
            let start = position
            if bytes[start] != UInt8(ascii: "<") {
                position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                (content, isPlain) = (start..<position, false)
                return .text
            }
            if begins("<![CDATA[") {
                try skip(to: "]]>", from: start + 9)
                (content, isPlain) = (start + 9..<position - 3, true)
                return .text
            }
            guard begins("<!") || begins("<?") else { return try tag() }
            guard begins("<!--") || begins("<?") else { throw .damaged }
            try skip(to: begins("<?") ? "?>" : "-->", from: start + 2)
        }
        return nil
    }

    /// False at the end.
    mutating func skipToElement() throws(WorkbookError) -> Bool {
        while let event = try next() { if event == .start { return true } }
        return false
    }

    private mutating func tag() throws(WorkbookError) -> Event {
        let isEnd = begins("</")
        let start = position + (isEnd ? 2 : 1)
        var (end, quote) = (start, UInt8(0))
        while end < bytes.count, quote != 0 || bytes[end] != UInt8(ascii: ">") {
            if quote == 0, bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'") {
                quote = bytes[end]
            } else if bytes[end] == quote {
                quote = 0
            }
            end += 1
        }
        guard end < bytes.count, end > start else { throw .damaged }
        position = end + 1
        endsAtOnce = !isEnd && bytes[end - 1] == UInt8(ascii: "/")
        let inner = bytes[start..<(endsAtOnce ? end - 1 : end)]
        let nameEnd = inner.firstIndex { $0 <= UInt8(ascii: " ") } ?? inner.endIndex
        name = local(start..<nameEnd)
        attributes = nameEnd..<inner.endIndex
        return isEnd ? .end : .start
    }

    /// Of the element that has begun or ended.
    func isAt(_ element: String) -> Bool { bytes[name].elementsEqual(element.utf8) }

    /// Of the element that has begun.
    func attribute(_ wanted: String) -> String? {
        var rest = bytes[attributes]
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let key = rest[..<equals].drop { $0 <= UInt8(ascii: " ") }
            guard let start = rest[equals...].firstIndex(where: { "\"'".utf8.contains($0) }),
                let end = rest[(start + 1)...].firstIndex(of: rest[start])
            else { return nil }
            if bytes[local(key.startIndex..<key.endIndex)].elementsEqual(wanted.utf8) {
                return String(decoding: decoded(rest[(start + 1)..<end]), as: UTF8.self)
            }
            rest = rest[(end + 1)...]
        }
        return nil
    }

    var text: [UInt8] { isPlain ? Array(bytes[content]) : decoded(bytes[content]) }

    private static let colon = UInt8(ascii: ":")

    private func local(_ name: Range<Int>) -> Range<Int> {
        (bytes[name].firstIndex(of: Self.colon).map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
    }

    private func begins(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(to end: String, from start: Int) throws(WorkbookError) {
        guard let match = ByteSearch(for: Array(end.utf8)).firstMatch(in: bytes.span, from: start) else {
            throw .damaged
        }
        position = match + end.utf8.count
    }

    private func decoded(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        guard raw.contains(UInt8(ascii: "&")) else { return Array(raw) }
        var (result, rest) = ([UInt8](), raw)
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<start]
            let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
            let entity = end.flatMap { Self.character(rest[start + 1..<$0]) }
            if let entity { result.append(contentsOf: entity.utf8) } else { result.append(rest[start]) }
            rest = rest[(entity == nil ? start + 1 : (end ?? start) + 1)...]
        }
        return result + rest
    }

    private static func character(_ name: ArraySlice<UInt8>) -> String? {
        switch String(decoding: name, as: UTF8.self) {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        case let name where name.hasPrefix("#"):
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            return number.flatMap(Unicode.Scalar.init).map { String($0) }
        default: return nil
        }
    }
}
