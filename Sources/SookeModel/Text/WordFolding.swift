import Bytes

/// Matching that ignores case, like PostgreSQL's `ILIKE '%…%'` with glibc's Unicode locales: both texts in lower case,
/// scalar by scalar, then a search for bytes.
public enum CaseFolding {
    /// The UTF-8 bytes of the text in lower case.
    public static func fold(_ text: String) -> [UInt8] {
        text.withUTF8Bytes { bytes in
            if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(ASCII.lowercased) }
            var folded: [UInt8] = []
            folded.reserveCapacity(bytes.count)
            for scalar in text.unicodeScalars { folded.append(contentsOf: lowercased(scalar).utf8) }
            return folded
        }
    }

    /// Whether the folded bytes of a text contain those of `needle`; an empty needle is in every text.
    public static func contains(_ folded: [UInt8], _ needle: [UInt8]) -> Bool {
        ByteSearch(for: needle).firstMatch(in: folded.span) != nil
    }

    /// The lower-case form of one scalar in glibc 2.36, which has Unicode 14: `İ` becomes `i`, `ß` stays.
    public static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            return Unicode.Scalar(ASCII.lowercased(UInt8(truncatingIfNeeded: scalar.value)))
        }
        // The full mapping of one scalar equals the simple one, except for İ, where its first scalar does.
        guard let lower = scalar.properties.lowercaseMapping.unicodeScalars.first, lower != scalar else {
            return scalar
        }
        // The standard library may have letters of later versions.
        guard let age = scalar.properties.age, age.major <= 14 else { return scalar }
        return lower
    }
}

/// Folds the characters of words, so that a search forgives case, accents and ligatures: `É` becomes `e`, `ß` becomes
/// `ss`, `ø` becomes `o`, `ﬁ` becomes `fi`.
///
/// The base letters are those of the collation: what sorts as a letter on the first level is found as that letter.
public enum WordFolding {
    /// What a character is in a text of words.
    public enum Fold: Equatable, Sendable {
        case separator
        /// It belongs to the letter before it, such as a combining accent, and is left out.
        case mark
        /// It folds to these lower-case letters and digits, the first one in the lowest byte.
        case ascii(UInt32)
        case letter(Unicode.Scalar)
        /// It is a word alone, in a script that does not separate words.
        case ideograph(Unicode.Scalar)
    }

    /// The fold of a character that is not ASCII.
    public static func fold(_ scalar: Unicode.Scalar) -> Fold {
        switch scalar.value {
        case 0x80..<0x530: return common[Int(scalar.value - 0x80)]
        // Kana, Bopomofo and the ideographs of the basic plane; then those of the planes 2 and 3.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x3105...0x312F, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0x20000...0x3FFFD:
            return .ideograph(scalar)
        default: return look(up: scalar)
        }
    }

    /// Latin, Greek and Cyrillic, which are most of what is not ASCII.
    private static let common = (0x80..<0x530).map { Unicode.Scalar(UInt32($0)).map(look(up:)) ?? .separator }

    private static func look(up scalar: Unicode.Scalar) -> Fold {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark,
            .decimalNumber, .letterNumber, .otherNumber:
            break
        default: return .separator
        }
        let lower = CaseFolding.lowercased(scalar)
        let parts = String(lower).decomposed
        guard let first = parts.first, parts.dropFirst().allSatisfy(CollationTable.isMark) else {
            return .letter(lower)
        }
        if let typed = exceptions[first] { return .ascii(packed(typed.unicodeScalars)) }
        let letters = CollationTable.entry(of: first).letters
        if 1...4 ~= letters.count, letters.allSatisfy(\.isASCII) { return .ascii(packed(letters)) }
        return .letter(letters.count == 1 ? letters[0] : lower)
    }

    /// Letters that sort as letters of their own, but are typed as others.
    private static let exceptions: [Unicode.Scalar: String] = [
        "þ": "th", "ð": "d", "ŋ": "n", "ə": "e", "ı": "i", "ŉ": "n", "ⱥ": "a", "ⱦ": "t", "ƚ": "l", "ŧ": "t", "ȼ": "c",
    ]

    private static func packed(_ letters: some BidirectionalCollection<Unicode.Scalar>) -> UInt32 {
        letters.reversed().reduce(0) { $0 << 8 | $1.value }
    }
}
