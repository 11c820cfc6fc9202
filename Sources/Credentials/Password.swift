/// A password, in the normalized form in which it is hashed and compared.
///
/// Keyboards and systems encode the same characters in different ways: é as one code point or as two, spaces of many
/// widths. So the text is normalized with the profile OpaqueString (RFC 8265, section 4.2.2): every space becomes
/// U+0020, then normalization form C. Case is significant, and nothing is truncated.
package struct Password: Sendable, Secret {
    private let bytes: [UInt8]
    /// The number of Unicode code points, which is how the length of a password is counted (NIST SP 800-63B-3, section
    /// 5.1.1.2); unlike grapheme clusters it does not change with the version of Unicode.
    package let characterCount: Int

    /// The maximum length in bytes before normalization, which takes quadratic time for a long run of combining marks.
    /// A password may be half as long in form C.
    package static let maximumInputBytes = 1024

    /// The password of a text. A text longer than `maximumInputBytes` matches no account and cannot be set.
    package init(_ text: String) {
        guard text.utf8.count <= Self.maximumInputBytes else {
            bytes = Array(text.utf8.prefix(Self.maximumInputBytes))
            characterCount = Self.maximumInputBytes
            return
        }
        var spaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            spaced.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        // The standard library computes this form for its own comparisons; the underscore means that a later version
        // may rename it, which the compiler would report.
        bytes = String(spaced)._nfcCodeUnits
        characterCount = String(decoding: bytes, as: UTF8.self).unicodeScalars.count
    }

    /// The UTF-8 bytes of the normalized text, only for hashing and checking.
    package func reveal() -> [UInt8] { bytes }

    var byteCount: Int { bytes.count }
}
