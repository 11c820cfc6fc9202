import Bytes

/// The commits that the next `write` appends to the log, encoded as lines.
struct LogBatch {
    private(set) var bytes: [UInt8] = []
    /// The checksum of the last line, or of the line before an empty batch.
    private(set) var checksum: UInt32
    /// The chain up to the last commit, or before an empty batch.
    private(set) var chain: CommitChain
    private var lastLine = 0

    /// An empty batch after the line with this checksum and the commits of this chain.
    init(after checksum: UInt32, _ chain: CommitChain) {
        (self.checksum, self.chain) = (checksum, chain)
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Adds a commit. The function appends its payload, the members of its object after `seq`: not empty, and on one
    /// line. When it throws, the batch is as before.
    mutating func append<Failure>(
        sequence: Int, payload: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let line = bytes.count
        checksum = try bytes.appendLogLine(continuing: checksum) { text throws(Failure) in
            text.append("{\"seq\":")
            text.append(decimal: sequence)
            text.append(UInt8(ascii: ","))
            let start = text.count
            try payload(&text)
            precondition(
                text.count > start && text.firstIndex(of: ASCII.lineFeed, from: start) == nil,
                "a commit is one line of the log")
            chain = chain.appending(text.span.extracting(start...))
            text.append(UInt8(ascii: "}"))
        }
        lastLine = line
    }

    /// Pads the last line so that the batch, written at `offset`, ends at the end of a sector.
    mutating func pad(at offset: Int, sectorBytes: Int) {
        let spaces = (offset + bytes.count).distance(toMultipleOf: sectorBytes)
        if spaces > 0 { checksum = bytes.padLastLine(from: lastLine, checksum: checksum, with: spaces) }
    }

    /// Empties the batch. The next line follows the line with this checksum and the commits of this chain.
    mutating func reset(after checksum: UInt32, _ chain: CommitChain) {
        // A large import must not occupy memory permanently.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        (self.checksum, self.chain) = (checksum, chain)
        lastLine = 0
    }
}
