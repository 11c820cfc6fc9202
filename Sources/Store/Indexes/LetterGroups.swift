import Bytes

/// Which three bytes in a row some names hold, or may hold.
///
/// It tells most chunks of names from those that a text can stand in, without a look at the names: a text that is
/// rarer than its letters costs next to nothing to search. What it is not sure of is that names do hold them: several
/// groups share a bit, and what was put in is never taken out.
struct LetterGroups: Sendable {
    private var words = [UInt64](repeating: 0, count: 1 << (bits - 6))

    /// So many that those of some hundred names set few of them: 4 kB.
    private static let bits = 15

    /// The groups of a text, as they are looked for.
    static func groups(of text: some Collection<UInt8>) -> [Int] {
        var groups: [Int] = []
        var last: UInt32 = 0
        for (index, byte) in text.enumerated() {
            last = last << 8 | UInt32(byte)
            if index >= 2 { groups.append(place(of: last)) }
        }
        return groups
    }

    /// Puts in the groups of a name.
    mutating func insert(_ name: some Collection<UInt8>) {
        var last: UInt32 = 0
        for (index, byte) in name.enumerated() {
            last = last << 8 | UInt32(byte)
            guard index >= 2 else { continue }
            let place = Self.place(of: last)
            words[place >> 6] |= 1 << UInt64(place & 63)
        }
    }

    /// Whether names that were put in may hold all of some groups.
    func mayHold(_ groups: [Int]) -> Bool {
        groups.allSatisfy { words[$0 >> 6] & (1 << UInt64($0 & 63)) != 0 }
    }

    /// The bit of the last three of some bytes.
    private static func place(of bytes: UInt32) -> Int {
        Int(((bytes & 0xFF_FFFF) &* 0x9E37_79B1) >> UInt32(32 - bits))
    }
}
