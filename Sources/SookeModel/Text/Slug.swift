import Bytes

/// The part of a path that identifies a record, such as `zeds-diner`.
///
/// Slugs are compared by their UTF-8 bytes, as a `ByteText`: `"é"` and `"e\u{301}"` are two slugs.
public struct Slug: Sendable {
    /// The slug, before percent-encoding.
    public let text: String

    /// A slug from a request or a record, which is neither checked nor changed.
    public init(_ verbatim: String) {
        text = verbatim
    }

    /// The slug of a name: in lower case, with some punctuation dropped or replaced by single hyphens.
    ///
    /// `Zed's Diner & Bar` gives `zeds-diner-bar`. The slug is always plain (see `isPlain`). A name of only such
    /// punctuation gives an empty slug, which cannot be part of a path.
    public static func make(from name: String) -> Slug {
        var slug = String.UnicodeScalarView()
        var hyphenIsDue = false
        var dots = 0
        // A longer name is invalid.
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

    public var isEmpty: Bool { text.isEmpty }

    /// The slug to try when this one is taken: `zeds-diner-2` for 2.
    public func numbered(_ number: Int) -> Slug {
        Slug("\(text)-\(number)")
    }
}

extension Slug {
    /// Whether no character ends or changes a path, is unseen or misleads. Clients may set only such slugs.
    public var isPlain: Bool {
        var isAfterDot = false
        for scalar in text.unicodeScalars {
            if Self.isUnsafe(scalar) || isAfterDot && scalar == "." { return false }
            isAfterDot = scalar == "."
        }
        return true
    }

    /// The message about a slug that is not plain.
    public static let plainRule =
        "must not hold / ? \\ # \" < >, spaces, control or invisible characters, or two dots in a row"

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "?", "\\", "#", "\"", "<", ">": true
        case "\0"..." ", "\u{7F}"..."\u{9F}": true
        case _ where scalar.isASCII: false
        // Directional marks, embeddings, overrides and isolates (UAX #9, section 2).
        case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        // Spaces without a width. The joiners U+200C and U+200D are allowed: words and emoji need them.
        case "\u{180E}", "\u{200B}", "\u{2060}", "\u{FEFF}": true
        default: scalar.properties.isWhitespace
        }
    }
}

extension Slug: Hashable, Comparable {
    @inlinable
    public static func == (left: Slug, right: Slug) -> Bool { ByteText(left.text) == ByteText(right.text) }

    @inlinable
    public static func < (left: Slug, right: Slug) -> Bool { ByteText(left.text) < ByteText(right.text) }

    @inlinable
    public func hash(into hasher: inout Hasher) { ByteText(text).hash(into: &hasher) }
}

extension Slug: CustomStringConvertible {
    public var description: String { text }
}
