/// Finds a byte string in a text.
///
/// Sixteen positions are tested at a time: whether the first, the second and the last byte of the needle are there (the
/// generic SIMD approach of W. Muła, "SIMD-friendly algorithms for substring searching", 2016). So the names of many
/// records are searched about as fast as memory delivers them.
///
/// Pointers are measured to pay: a load of 16 bytes costs one instruction.
public struct ByteSearch: Sendable {
    private let needle: [UInt8]
    private let first, second, last: SIMD16<UInt8>

    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// A search for some bytes.
    public init(for needle: [UInt8]) {
        self.needle = needle
        first = SIMD16(repeating: needle.first ?? 0)
        second = SIMD16(repeating: needle.dropFirst().first ?? needle.first ?? 0)
        last = SIMD16(repeating: needle.last ?? 0)
    }

    /// The first occurrence in a text, from an offset on; nil when there is none. An empty needle occurs everywhere.
    public func firstMatch(in text: Span<UInt8>, from start: Int = 0) -> Int? {
        var found: Int?
        text.withUnsafeBytes { text in
            scan(text, from: start) { match in
                found = match
                return .max
            }
        }
        return found
    }

    /// Finds the occurrences in a text.
    ///
    /// - Parameter body: receives the offset of an occurrence, and returns the offset from which to continue.
    public func forEachMatch(in text: Span<UInt8>, _ body: (Int) -> Int) {
        text.withUnsafeBytes { scan($0, from: 0, body) }
    }

    /// The number of parts of a text that contain the needle.
    ///
    /// - Parameter separator: ends each part, including the last one, and is not a byte of the needle.
    public func countParts(of text: Span<UInt8>, endedBy separator: UInt8) -> Int {
        var count = 0
        text.withUnsafeBytes { text in
            scan(text, from: 0) { match in
                guard let end = Self.firstIndex(of: separator, in: text, range: match..<text.count) else { return .max }
                count += 1
                return end + 1
            }
        }
        return count
    }

    /// Inlined, so that the handling of a match costs no call.
    @inline(__always)
    private func scan(_ text: UnsafeRawBufferPointer, from start: Int, _ body: (Int) -> Int) {
        needle.withUnsafeBytes { needle in
            var place = start
            guard let bytes = needle.baseAddress, let base = text.baseAddress, !needle.isEmpty else {
                while needle.isEmpty, place <= text.count { place = body(place) }
                return
            }
            let (toSecond, toLast) = (min(1, needle.count - 1), needle.count - 1)
            let end = text.count - needle.count
            blocks: while place <= end &- 15 {
                let block = base + place
                let candidates =
                    (block.loadUnaligned(as: SIMD16<UInt8>.self) .== first)
                    .& ((block + toSecond).loadUnaligned(as: SIMD16<UInt8>.self) .== second)
                    .& ((block + toLast).loadUnaligned(as: SIMD16<UInt8>.self) .== last)
                let halves = unsafeBitCast(candidates, to: SIMD2<UInt64>.self)
                // One bit of each byte. Two variables stay in registers; an indexed vector does not.
                var (low, high) = (halves[0] & Self.highBits, halves[1] & Self.highBits)
                while low | high != 0 {
                    let offset = (low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount) / 8
                    // Three bytes have been compared already.
                    if toLast < 3 || Self.isSame(block + offset, bytes, needle.count) {
                        place = body(place + offset)
                        continue blocks
                    }
                    if low != 0 { low &= low - 1 } else { high &= high - 1 }
                }
                place += 16
            }
            while place <= end {
                if text[place] == needle[0], Self.isSame(base + place, bytes, needle.count) {
                    place = body(place)
                } else {
                    place += 1
                }
            }
        }
    }
}
