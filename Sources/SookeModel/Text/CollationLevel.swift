/// Encodes one level of a sort key. The most common weight is not written; only the length of its runs is.
///
/// A run before something lower (or the end of the level) gets a lower byte the shorter it is, a run before something
/// higher a higher byte: that is the order of the weights written out (Unicode Technical Standard 10, section 9.2.4,
/// "Run-length compression").
struct CollationLevel {
    /// The longest run in one byte.
    private static let longestRun = 40

    /// The base of level 4, where the symbols of ASCII take the bytes below.
    static let baseOfScalars: UInt8 = 66

    private(set) var bytes: [UInt8] = []
    private var run = 0
    private let base: UInt8

    /// A level whose lower weights, if it has any, take the bytes below `base`.
    init(base: UInt8) {
        self.base = base
        bytes.reserveCapacity(16)
    }

    /// Appends a weight by its rank, from 0 for the most common one.
    mutating func append(rank: Int) {
        if rank == 0 {
            run += 1
            return
        }
        endRun(lower: false)
        let first = Int(base) + 2 * Self.longestRun + 2
        if rank <= 128 {
            bytes.append(UInt8(first + rank - 1))
        } else {
            bytes.append(UInt8(first + 128))
            bytes.append(UInt8(rank - 129))
        }
    }

    /// Appends a byte that is higher than all weights.
    mutating func appendHighest() {
        endRun(lower: false)
        bytes.append(0xFF)
    }

    /// Appends a symbol's code: a weight lower than the most common one.
    mutating func append(symbol code: UInt16) {
        endRun(lower: true)
        bytes.append(UInt8(code >> 8))
        // The bytes 3 to 34 are ASCII punctuation and stand alone.
        if !(3...34 ~= code >> 8) { bytes.append(UInt8(truncatingIfNeeded: code)) }
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
