import Bytes

/// Lower case as PostgreSQL's `ILIKE` and `lower()` see it with glibc's Unicode locales: scalar by scalar.
public enum CaseFolding {
    /// The lower-case form of one scalar, as glibc 2.36 has it: the simple mapping of Unicode 14.
    ///
    /// The length never changes: `İ` is plain `i`, `Σ` is `σ` at the end of a word too, `ß` stays.
    public static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            return Unicode.Scalar(ASCII.lowercased(UInt8(truncatingIfNeeded: scalar.value)))
        }
        // The full mapping has one scalar where the simple one has, but for İ, whose first scalar is the simple one.
        guard let lower = scalar.properties.lowercaseMapping.unicodeScalars.first, lower != scalar else {
            return scalar
        }
        // The standard library may know letters that were added later.
        guard let age = scalar.properties.age, age.major <= 14 else { return scalar }
        return lower
    }
}
