/// Finds a byte string in a text.
///
/// Sixteen positions are tested at a time: whether the first, the second and the last byte of the needle are there (the
/// generic SIMD approach of W. Muła, "SIMD-friendly algorithms for substring searching", 2016). So the names of many
/// records are searched about as fast as memory delivers them.
public struct ByteSearch: Sendable {
    private let needle: [UInt8]
    private let first, second, last: SIMD16<UInt8>

    static let highBits: UInt64 = 0x8080_8080_8080_8080

    public init(for needle: [UInt8]) {
        self.needle = needle
        first = SIMD16(repeating: needle.first ?? 0)
        second = SIMD16(repeating: needle.dropFirst().first ?? needle.first ?? 0)
        last = SIMD16(repeating: needle.last ?? 0)
    }

    /// The first occurrence in a text, from an offset on; nil when there is none. An empty needle occurs everywhere.
    public func firstMatch(in text: Span<UInt8>, from start: Int = 0) -> Int? {
        text.withUnsafeBytes { text in needle.withUnsafeBytes { firstMatch(of: $0, in: text, from: start) } }
    }

    @inline(__always)
    private func firstMatch(
        of needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        guard let bytes = needle.baseAddress, let base = text.baseAddress, !needle.isEmpty else {
            return needle.isEmpty && start <= text.count ? start : nil
        }
        var place = start
        let (toSecond, toLast) = (min(1, needle.count - 1), needle.count - 1)
        let end = text.count - needle.count
        while place <= end &- 15 {
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
                if toLast < 3 || Self.isSame(block + offset, bytes, needle.count) { return place + offset }
                if low != 0 { low &= low - 1 } else { high &= high - 1 }
            }
            place += 16
        }
        while place <= end {
            if text[place] == needle[0], Self.isSame(base + place, bytes, needle.count) { return place }
            place += 1
        }
        return nil
    }
}

extension ByteSearch {
    /// The index of the first occurrence of a byte in a range of a text.
    ///
    /// Sixteen bytes are compared at a time, which is ten times as fast as a loop over them. The last block of sixteen,
    /// or eight, may overlap the one before, which does not contain the byte.
    public static func firstIndex(of byte: UInt8, in text: UnsafeRawBufferPointer, range: Range<Int>) -> Int? {
        guard let base = text.baseAddress, range.lowerBound >= 0, range.upperBound <= text.count else { return nil }
        let wanted = SIMD16<UInt8>(repeating: byte)
        var place = range.lowerBound
        while place <= range.upperBound &- 16 {
            if let offset = firstMatch(of: wanted, at: base + place) { return place + offset }
            place += 16
        }
        guard place < range.upperBound else { return nil }
        if range.count >= 16 {
            place = range.upperBound - 16
            return firstMatch(of: wanted, at: base + place).map { place + $0 }
        }
        if range.count >= 8 {
            if let offset = firstIndex(of: byte, inEight: base + place) { return place + offset }
            place = range.upperBound - 8
            return firstIndex(of: byte, inEight: base + place).map { place + $0 }
        }
        while place < range.upperBound {
            if text[place] == byte { return place }
            place += 1
        }
        return nil
    }

    @inline(__always)
    private static func firstMatch(of wanted: SIMD16<UInt8>, at bytes: UnsafeRawPointer) -> Int? {
        let matches = bytes.loadUnaligned(as: SIMD16<UInt8>.self) .== wanted
        let halves = unsafeBitCast(matches, to: SIMD2<UInt64>.self)
        guard halves[0] | halves[1] != 0 else { return nil }
        let bit = halves[0] != 0 ? halves[0].trailingZeroBitCount : 64 + halves[1].trailingZeroBitCount
        return bit / 8
    }

    @inline(__always)
    private static func firstIndex(of byte: UInt8, inEight bytes: UnsafeRawPointer) -> Int? {
        // The lowest byte that is now zero sets the lowest of these bits.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let rest = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) ^ (ones &* UInt64(byte))
        let zeros = (rest &- ones) & ~rest & highBits
        return zeros == 0 ? nil : zeros.trailingZeroBitCount / 8
    }

    @inline(__always)
    static func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        var place = 0
        while place <= count &- 8 {
            if (left + place).loadUnaligned(as: UInt64.self) != (right + place).loadUnaligned(as: UInt64.self) {
                return false
            }
            place += 8
        }
        while place < count {
            if left.load(fromByteOffset: place, as: UInt8.self) != right.load(fromByteOffset: place, as: UInt8.self) {
                return false
            }
            place += 1
        }
        return true
    }
}

extension [UInt8] {
    /// The index of the first occurrence of a byte from `start` on.
    public func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return firstIndex(of: byte, in: start..<count)
    }

    public func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        withUnsafeBytes { ByteSearch.firstIndex(of: byte, in: $0, range: range) }
    }
}
