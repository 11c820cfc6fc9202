/// A password as a person typed it, in the one form in which it is hashed and compared.
///
/// Keyboards and systems write the same characters in different ways: é as one code point or as two, a space of many
/// widths. So the text is taken as the profile OpaqueString says (RFC 8265, section 4.2.2): every space is U+0020, then
/// normalization form C. Letter case counts, and nothing is cut off.
public struct Password: Sendable, Secret {
    private let bytes: [UInt8]
    /// The number of Unicode code points, which is how the length of a password is counted (NIST SP 800-63B-3, section
    /// 5.1.1.2); they stay the same where the rules for what looks like one character change with Unicode's version.
    public let characterCount: Int

    /// The most bytes of a text that is normalized, which takes quadratic time for a long run of combining marks. A
    /// password may be half as long in form C.
    public static let maximumInputBytes = 1024

    /// The password of a text. One that is longer than `maximumInputBytes` is the password of nobody and cannot be set.
    public init(_ text: String) {
        guard text.utf8.count <= Self.maximumInputBytes else {
            bytes = Array(text.utf8.prefix(Self.maximumInputBytes))
            characterCount = Self.maximumInputBytes
            return
        }
        var spaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            spaced.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        // The standard library has this form for its own comparisons; the name's underscore means that a later one may
        // call it otherwise, which the compiler would tell.
        bytes = String(spaced)._nfcCodeUnits
        characterCount = String(decoding: bytes, as: UTF8.self).unicodeScalars.count
    }

    /// The UTF-8 bytes of the normalized text, to be hashed or checked and shown nowhere.
    public func reveal() -> [UInt8] { bytes }

    /// How many bytes it is long.
    var byteCount: Int { bytes.count }
}
