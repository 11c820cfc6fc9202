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
