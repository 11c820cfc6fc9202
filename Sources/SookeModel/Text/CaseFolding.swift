import Bytes

/// Matching that ignores case, like PostgreSQL's `ILIKE '%…%'` with glibc's Unicode locales: both texts in lower case,
/// scalar by scalar, then a search for bytes.
///
/// ```swift
/// CaseFolding.contains(CaseFolding.fold("Café Zoë"), CaseFolding.fold("É Z"))  // true
/// ```
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

    /// The lower-case form of one scalar in glibc 2.36: the simple mapping of Unicode 14.
    ///
    /// The length never changes: `İ` becomes `i`, `Σ` becomes `σ` even at the end of a word, `ß` stays.
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
