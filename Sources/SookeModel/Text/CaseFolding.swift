import Bytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Case-insensitive match as PostgreSQL's `ILIKE '%…%'` does it with glibc's Unicode locales: both sides in lower
/// case, scalar by scalar, then a plain search for the bytes.
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

    /// Whether the folded bytes of a text hold those of `needle`; an empty needle is in every text.
    public static func contains(_ folded: [UInt8], _ needle: [UInt8]) -> Bool {
        folded.withUnsafeBufferPointer { folded in needle.withUnsafeBufferPointer { contains(folded, $0) } }
    }

    /// Whether the folded bytes of a text hold those of `needle`; for texts packed into a larger buffer.
    ///
    /// The pointers are for `memchr` and `memcmp`: a million names of 30 bytes take 20 ms, and a text made to have a
    /// near miss at every byte costs 10 ns a byte for needles up to half a kilobyte.
    public static func contains(_ folded: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = needle.first, let needleStart = needle.baseAddress else { return true }
        guard folded.count >= needle.count, let start = folded.baseAddress else { return false }
        var place = UnsafeRawPointer(start)
        let last = place + (folded.count - needle.count)
        while place <= last, let hit = memchr(place, Int32(first), last - place + 1) {
            if memcmp(hit, needleStart, needle.count) == 0 { return true }
            place = UnsafeRawPointer(hit) + 1
        }
        return false
    }

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
