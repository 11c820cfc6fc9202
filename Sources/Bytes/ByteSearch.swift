#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds some bytes wherever they stand in others.
///
/// Sixteen places are looked at in one go: whether the first, the second and the last byte that is looked for stand
/// there (the generic SIMD approach of W. Muła, "SIMD-friendly algorithms for substring searching", 2016). So text of
/// many names is read about as fast as memory delivers it, whatever is looked for.
///
/// Pointers are measured to pay: a load of 16 bytes costs one instruction.
public struct ByteSearch: Sendable {
    private let needle: [UInt8]
    private let first, second, last: SIMD16<UInt8>

    /// A search for some bytes.
    public init(for needle: [UInt8]) {
        self.needle = needle
        first = SIMD16(repeating: needle.first ?? 0)
        second = SIMD16(repeating: needle.dropFirst().first ?? needle.first ?? 0)
        last = SIMD16(repeating: needle.last ?? 0)
    }

    /// Where the bytes stand first in a text, from a place on; nil where they do not. No bytes stand everywhere.
    public func firstMatch(in text: Span<UInt8>, from start: Int = 0) -> Int? {
        text.withUnsafeBytes { text in needle.withUnsafeBytes { firstMatch(of: $0, in: text, from: start) } }
    }

    private func firstMatch(
        of needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        guard text.count - start >= needle.count else { return nil }
        guard !needle.isEmpty, let bytes = needle.baseAddress, let base = text.baseAddress else { return start }
        let (toSecond, toLast) = (min(1, needle.count - 1), needle.count - 1)
        let end = text.count - needle.count
        var place = start
        while place + 15 <= end {
            let block = base + place
            let candidates =
                (block.loadUnaligned(as: SIMD16<UInt8>.self) .== first)
                .& ((block + toSecond).loadUnaligned(as: SIMD16<UInt8>.self) .== second)
                .& ((block + toLast).loadUnaligned(as: SIMD16<UInt8>.self) .== last)
            let halves = unsafeBitCast(candidates, to: SIMD2<UInt64>.self)
            if halves[0] | halves[1] != 0 {
                for offset in 0..<16
                where candidates[offset] && memcmp(block + offset, bytes, needle.count) == 0 {
                    return place + offset
                }
            }
            place += 16
        }
        while place <= end {
            if text[place] == needle[0], memcmp(base + place, bytes, needle.count) == 0 { return place }
            place += 1
        }
        return nil
    }
}
