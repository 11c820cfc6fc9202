/// The tags and texts of a page, read as strictly as the site writes them. What a browser might read in another way
/// is a problem.
struct Markup {
    struct Tag {
        let name: String
        var attributes: [(name: String, value: String)] = []
    }

    /// The tags in order; a closing one is named `/p`.
    private(set) var tags: [Tag] = []
    /// The texts between the tags, unescaped, without those of scripts.
    private(set) var texts: [String] = []
    private(set) var problems: [String] = []

    private let bytes: [UInt8]
    private var index = 0

    init(_ page: String) {
        bytes = Array(page.utf8)
        while index < bytes.count {
            let text = read { $0 != UInt8(ascii: "<") }
            if text.utf8.contains(UInt8(ascii: ">")) { problems.append("> in the text \(text)") }
            if !text.isEmpty { texts.append(checked(text)) }
            if index < bytes.count { readTag() }
        }
    }

    /// The names of the tags with those of their attributes, which no text may change.
    var structure: [String] { tags.map { ([$0.name] + $0.attributes.map(\.name)).joined(separator: " ") } }

    /// The values of all attributes with a name, in order.
    func values(_ name: String) -> [String] {
        tags.flatMap { $0.attributes.filter { $0.name == name }.map(\.value) }
    }

    /// Where links, forms and files lead.
    var addresses: [String] { ["href", "src", "action", "formaction"].flatMap(values) }

    private mutating func readTag() {
        index += 1
        var tag = Tag(name: read { !Self.isSpace($0) && $0 != UInt8(ascii: ">") })
        while let byte = peek, byte != UInt8(ascii: ">") {
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") { index += 1 } else { readAttribute(of: &tag) }
        }
        index += 1
        tags.append(tag)
        if tag.name == "script" || tag.name == "style" { skipRaw(tag.name) }
    }

    private mutating func readAttribute(of tag: inout Tag) {
        let name = read { !Self.isSpace($0) && ![UInt8(ascii: "="), UInt8(ascii: ">")].contains($0) }
        let isPlain = name.utf8.allSatisfy { 0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        if !isPlain, tag.name != "!doctype" { problems.append("the attribute \(name) of \(tag.name)") }
        guard peek == UInt8(ascii: "=") else { return tag.attributes.append((name, "")) }
        index += 1
        guard peek == UInt8(ascii: "\"") else { return problems.append("\(name) has no quotation mark") }
        index += 1
        let value = read { $0 != UInt8(ascii: "\"") }
        index += 1
        if value.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }) {
            problems.append("markup in \(name): \(value)")
        }
        tag.attributes.append((name, checked(value)))
    }

    /// The content of a script ends with the first end tag, wherever it stands (HTML, 13.2.5.4).
    private mutating func skipRaw(_ name: String) {
        while index < bytes.count {
            _ = read { $0 != UInt8(ascii: "<") }
            let end = String(decoding: bytes[min(index, bytes.count)...].prefix(name.utf8.count + 2), as: UTF8.self)
            if end.lowercased() == "</\(name)" { return }
            if index < bytes.count { problems.append("< in a \(name)") }
            index += 1
        }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func read(while isPart: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, isPart(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// A text without its escapes. An ampersand that begins none is a problem.
    private mutating func checked(_ text: String) -> String {
        for part in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst() {
            let isKnown = ["amp;", "lt;", "gt;", "#34;", "#39;", "#13;"].contains { part.starts(with: $0.utf8) }
            if !isKnown { problems.append("an ampersand in \(text)") }
        }
        return text.unescaped
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
