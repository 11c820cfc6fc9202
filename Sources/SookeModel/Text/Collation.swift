import Bytes

/// The order of names: that of PostgreSQL 15 under `en_US.UTF-8` (glibc 2.36) for Latin, Greek and Cyrillic; letters of
/// other scripts follow by code point.
///
/// Letters are compared first, then accents, then case, and finally spaces and punctuation: `cafe`, `Cafe`, `café`, `co
/// op`, `co-op`, `coop`. The order of letters was measured, see `Tests/Generators/CollationTable/generate.py`.
public enum Collation {
    /// The sort key of a text: bytes whose bytewise order is the order of texts.
    ///
    /// Equal keys mean equal bytes. The key of a name of plain letters and spaces is at most twice as long as the name.
    ///
    /// Key: letters, 0, accents, cases, scalars; and 0 and the text itself if another text may have the same weights.
    public static func sortKey(_ text: String) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(2 * text.utf8.count + 8)
        var accents = CollationLevel(base: 0)
        var cases = CollationLevel(base: 0)
        var scalars = CollationLevel(base: CollationLevel.baseOfScalars)
        var isAmbiguous = false
        var backward: [CollationTable.Entry] = []
        var rest = text.unicodeScalars.makeIterator()
        var next = rest.next()
        while var scalar = next {
            next = rest.next()
            if scalar.isASCII, ASCII.isLetter(UInt8(scalar.value)) {
                let small = ASCII.lowercased(UInt8(scalar.value))
                key.append(CollationTable.keyOfLetter(small))
                accents.append(&backward, isEnd: false)
                accents.append(rank: 0)
                cases.append(rank: scalar.value == small ? 0 : CollationTable.upper)
                scalars.append(rank: 0)
                continue
            }
            // й is a letter of its own, in two scalars too.
            if next == "\u{306}", scalar == "и" || scalar == "И" {
                next = rest.next()
                scalar = scalar == "и" ? "й" : "Й"
            }
            let entry = CollationTable.entry(of: scalar)
            key.append(contentsOf: entry.key)
            for weight in entry.weights { cases.append(rank: weight.letterCase) }
            if entry.isBackward {
                backward.append(contentsOf: repeatElement(entry, count: max(1, entry.unknownBytes)))
            } else {
                accents.append(&backward, isEnd: false)
                for weight in entry.weights { accents.append(rank: weight.accent) }
            }
            if !entry.letters.isEmpty {
                scalars.append(rank: entry.rank)
            } else if entry.unknownBytes > 0 {
                scalars.append(unknownBytes: entry.unknownBytes)
            } else {
                scalars.append(symbol: scalar)
            }
            if entry.isAmbiguous { isAmbiguous = true }
        }
        accents.append(&backward, isEnd: true)
        accents.end()
        cases.end()
        scalars.end()
        key.append(0)
        key.append(contentsOf: accents.bytes)
        key.append(contentsOf: cases.bytes)
        key.append(contentsOf: scalars.bytes)
        if isAmbiguous {
            key.append(0)
            key.append(contentsOf: text.utf8)
        }
        return key
    }
}

/// Encodes one level of a sort key. The most common weight is not written; only the length of its runs is.
///
/// A run before something lower (or the end of the level) gets a lower byte the shorter it is, a run before something
/// higher a higher byte: that is the order of the weights written out (Unicode Technical Standard 10, section 9.2.4,
/// "Run-length compression").
struct CollationLevel {
    private static let longestRun = 40

    /// The base of level 4, where symbols take the bytes below.
    static let baseOfScalars: UInt8 = 40

    private(set) var bytes: [UInt8] = []
    private var run = 0
    private let base: UInt8

    /// A level whose lower weights, if it has any, take the bytes below `base`.
    init(base: UInt8) {
        self.base = base
        bytes.reserveCapacity(16)
    }

    /// Appends a weight by its rank, from 0 for the most common one to less than 128.
    mutating func append(rank: Int) {
        if rank == 0 {
            run += 1
            return
        }
        endRun(lower: false)
        bytes.append(base + 2 * UInt8(Self.longestRun) + 1 + UInt8(rank))
    }

    /// Appends a symbol: a weight lower than the most common one. What is not seen comes first, then all by code point.
    mutating func append(symbol: Unicode.Scalar) {
        endRun(lower: true)
        let value = symbol.value
        let properties = symbol.properties
        switch value {
        case 0x20...0x2F: return bytes.append(UInt8(value - 0x20 + 4))
        case 0x3A...0x40: return bytes.append(UInt8(value - 0x3A + 20))
        case 0x5B...0x60: return bytes.append(UInt8(value - 0x5B + 27))
        case 0x7B...0x7E: return bytes.append(UInt8(value - 0x7B + 33))
        case 0x09...0x0D: bytes.append(3)
        case 0x85: bytes.append(37)
        case _
        where properties.generalCategory == .control || properties.generalCategory == .format
            || properties.isVariationSelector:
            bytes.append(2)
        default: bytes.append(37)
        }
        for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func append(unknownBytes: Int) {
        endRun(lower: true)
        bytes.append(contentsOf: repeatElement(1, count: unknownBytes))
    }

    /// Appends the accents of a run from its end. `strcoll` loses the last but one if the text goes on.
    mutating func append(_ backward: inout [CollationTable.Entry], isEnd: Bool) {
        guard let last = backward.last else { return }
        for weight in last.weights { append(rank: weight.accent) }
        for entry in backward.dropLast(isEnd ? 1 : 2).reversed() {
            for weight in entry.weights { append(rank: weight.accent) }
        }
        backward.removeAll(keepingCapacity: true)
    }

    /// Ends the level, so that it sorts before all longer ones.
    mutating func end() {
        if run == 0 { bytes.append(0) }
        endRun(lower: true)
    }

    private mutating func endRun(lower: Bool) {
        guard run > 0 else { return }
        while run > Self.longestRun {
            bytes.append(base + UInt8(Self.longestRun) + 1)
            run -= Self.longestRun
        }
        bytes.append(lower ? base + UInt8(run) : base + 2 * UInt8(Self.longestRun) + 2 - UInt8(run))
        run = 0
    }
}
