import Bytes

/// A link in a text, as links are compared that nobody may send: in lower case, without its scheme, `www.` and query.
public struct LinkText: Sendable {
    /// Such as `shop.example`.
    public let host: String
    /// With the path, such as `shop.example/offers`; the host alone for a link without one.
    public let address: String
    /// Whether it begins with a scheme or `www.`: what merely has a dot may be the end of a sentence.
    public let isMarked: Bool

    /// The longest name in the DNS, and how many parts of a path count.
    private static let (longestHost, mostParts) = (253, 20)

    /// What may be links in a text, or in the texts of a JSON document.
    public static func all(in text: String) -> [LinkText] {
        let scalars = text.unicodeScalars
        return scalars.split { !isPart($0) }.compactMap { word in
            let start = word.startIndex
            let isEscaped = start > scalars.startIndex && scalars[scalars.index(before: start)] == "\\"
            return LinkText(folded: CaseFolding.fold(String(isEscaped ? word.dropFirst() : word)))
        }
    }

    /// The whole of a text, such as an entry of a list.
    public init?(_ text: String) {
        if !text.unicodeScalars.allSatisfy(Self.isPart) { return nil }
        self.init(folded: CaseFolding.fold(text))
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic }
        return 0x21...0x7E ~= scalar.value && !"\"\\<>()[]{},;|'`!*".unicodeScalars.contains(scalar)
    }

    private init?(folded word: [UInt8]) {
        var rest = word.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        for start in ["https://", "http://", "www."] where rest.starts(with: start.utf8) {
            rest = rest.dropFirst(start.utf8.count)
        }
        while rest.last == UInt8(ascii: ".") { rest.removeLast() }
        isMarked = rest.startIndex > 0
        let steps = rest.split(separator: UInt8(ascii: "/")).prefix(Self.mostParts)
        guard let name = steps.first?.prefix(while: { $0 != UInt8(ascii: ":") }), name.count <= Self.longestHost,
            name.dropFirst().dropLast().contains(UInt8(ascii: ".")), !name.contains(UInt8(ascii: "@"))
        else { return nil }
        host = String(decoding: name, as: UTF8.self)
        address = String(decoding: Array(([name] + steps.dropFirst()).joined(separator: "/".utf8)), as: UTF8.self)
    }

    /// The entry of a list that blocks it: its host or one above it, its address or one above it.
    public func entry(of blocked: Set<ByteText>) -> String? {
        let names = host.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
        let steps = address.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let hosts = names.indices.dropLast().map { names[$0...].joined(separator: ".") }
        let addresses = steps.indices.dropFirst().map { steps[...$0].joined(separator: "/") }
        return (hosts + addresses).first { blocked.contains(ByteText($0)) }
    }
}
