import Bytes

/// A filter over the trigrams (three bytes in a row) of some names.
///
/// A search skips a chunk of names whose filter lacks a trigram of the text, without reading the names. False positives
/// are possible, because several trigrams share a bit and nothing is ever removed; false negatives are not.
struct TrigramFilter: Sendable {
    private var words = [UInt64](repeating: 0, count: 1 << (bits - 6))

    /// The names of a chunk set only a few of so many bits; they take 4 kB.
    private static let bits = 15

    /// The trigrams of a text to search for.
    static func trigrams(of text: some Collection<UInt8>) -> [Int] {
        var trigrams: [Int] = []
        var last: UInt32 = 0
        for (index, byte) in text.enumerated() {
            last = last << 8 | UInt32(byte)
            if index >= 2 { trigrams.append(bit(of: last)) }
        }
        return trigrams
    }

    /// Inserts the trigrams of a name.
    mutating func insert(_ name: some Collection<UInt8>) {
        var last: UInt32 = 0
        for (index, byte) in name.enumerated() {
            last = last << 8 | UInt32(byte)
            guard index >= 2 else { continue }
            let bit = Self.bit(of: last)
            words[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }

    /// Whether the names may contain all of some trigrams.
    func mayContain(_ trigrams: [Int]) -> Bool {
        trigrams.allSatisfy { words[$0 >> 6] & (1 << UInt64($0 & 63)) != 0 }
    }

    /// The bit of the last three of some bytes.
    private static func bit(of bytes: UInt32) -> Int {
        Int(((bytes & 0xFF_FFFF) &* 0x9E37_79B1) >> UInt32(32 - bits))
    }
}
