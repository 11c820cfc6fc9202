import Bytes

/// The part of an address that names a record, such as `zeds-diner`.
///
/// Equality, hash and order go by UTF-8 bytes, not by canonical equivalence as with `String`:
/// `"é"` and `"e\u{301}"` are two slugs.
public struct Slug: Sendable {
    /// The slug as it stands in an address, before percent-encoding.
    public let text: String

    /// Takes a slug as it is, from a request or a record; nothing is checked or changed.
    public init(_ verbatim: String) {
        text = verbatim
    }

    /// The slug for a name: lower case, some punctuation dropped or turned into single hyphens, the rest kept.
    ///
    /// `Zed's Diner & Bar` gives `zeds-diner-bar`. It is always plain (see `isPlain`). A name of nothing but such
    /// punctuation gives an empty slug (see `isEmpty`), which no address can hold.
    public static func make(from name: String) -> Slug {
        var slug = String.UnicodeScalarView()
        var hyphenIsDue = false
        var dots = 0
        // A longer name is refused, and not worth the time.
        for scalar in name.unicodeScalars.prefix(TextRules.name.upperBound) {
            if scalar == "'" || scalar == "!" { continue }
            dots = scalar == "." ? dots + 1 : 0
            switch scalar {
            case _ where dots > 1:
                // The first of them was appended.
                if dots == 2 { slug.removeLast() }
                if slug.last == "-" { slug.removeLast() }
                hyphenIsDue = true
            case "-", "*", "(", ")", "^", "$", "@", "&", "%", "_":
                hyphenIsDue = true
            case _ where isUnsafe(scalar):
                hyphenIsDue = true
            default:
                if hyphenIsDue && !slug.isEmpty { slug.append("-") }
                hyphenIsDue = false
                slug.append(CaseFolding.lowercased(scalar))
            }
        }
        return Slug(String(slug))
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { text.isEmpty }

    /// The slug to try when this one is taken: `zeds-diner-2` for 2.
    public func numbered(_ number: Int) -> Slug {
        Slug("\(text)-\(number)")
    }
}

extension Slug {
    /// Whether it can be part of a path without percent-encoding, as the town's app writes it there, and looks like
    /// what it is: it has no character that ends or changes a path or its quotes, no space, no control character, none
    /// that cannot be seen or that changes the direction of the text, and no two dots in a row.
    ///
    /// Slugs made from names are plain, and those set by people must be. Others may come from an import or be in use
    /// already.
    public var isPlain: Bool {
        var isAfterDot = false
        for scalar in text.unicodeScalars {
            if Self.isUnsafe(scalar) || isAfterDot && scalar == "." { return false }
            isAfterDot = scalar == "."
        }
        return true
    }

    /// What to say of one that is not plain.
    public static let plainRule =
        "must not hold / ? \\ # \" < >, spaces, control or invisible characters, or two dots in a row"

    /// Whether a character has no place in a plain slug.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "?", "\\", "#", "\"", "<", ">": true
        case "\0"..." ", "\u{7F}"..."\u{9F}": true
        case _ where scalar.isASCII: false
        // Directional marks, embeddings, overrides and isolates (UAX #9, section 2).
        case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        // Spaces without a width. The joiners U+200C and U+200D stay: words and emoji are written with them.
        case "\u{180E}", "\u{200B}", "\u{2060}", "\u{FEFF}": true
        default: scalar.properties.isWhitespace
        }
    }
}

extension Slug: Hashable, Comparable {
    /// Whether two slugs have the same bytes.
    public static func == (left: Slug, right: Slug) -> Bool {
        left.text.withUTF8Bytes { left in
            right.text.withUTF8Bytes { right in
                left.count == right.count && left.bytewiseOrder(to: right) == 0
            }
        }
    }

    /// Whether one slug comes before another, byte by byte.
    public static func < (left: Slug, right: Slug) -> Bool {
        left.text.withUTF8Bytes { left in right.text.withUTF8Bytes { left.bytewiseOrder(to: $0) < 0 } }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        text.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Slug: CustomStringConvertible {
    /// The slug as it stands in an address.
    public var description: String { text }
}
