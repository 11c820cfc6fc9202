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
    /// `Zed's Diner & Bar` gives `zeds-diner-bar`. A name of nothing but such punctuation gives an empty slug
    /// (see `isEmpty`), which no address can hold.
    public static func make(from name: String) -> Slug {
        var slug = String.UnicodeScalarView()
        var hyphenIsDue = false
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'", "!":
                continue
            case " ", "-", "*", "(", ")", "^", "$", "#", "@", "&", "%", "_":
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
