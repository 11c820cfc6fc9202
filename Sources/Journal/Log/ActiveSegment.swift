/// The segment that is written to. Zeros follow its last line, reserved for the next ones; a sealed or closed segment
/// has none.
struct ActiveSegment {
    /// nil when there is no segment to write to; nothing is appended then.
    private let file: FolderFile?
    /// After its last line; only zeros follow.
    private(set) var length: Int
    /// Of its last line.
    private(set) var checksum: UInt32
    private(set) var chain: CommitChain
    private let reservation: Int
    /// The offset after the zeros, including zeros that could not be written.
    private var reserved = 0

    /// With its first line on stable storage.
    init(begin header: SegmentHeader, in folder: StoreFolder, _ options: JournalOptions) throws(JournalError) {
        let line = header.line(sectorBytes: options.sectorBytes)
        let name = FileName.segment(header.first)
        file = try folder.replace(name, with: line.bytes).named(folder.path(of: name))
        length = line.bytes.count
        (checksum, chain) = (line.checksum, header.chain)
        reservation = options.reservedBytes
    }

    /// A placeholder while the disk has no room for a segment.
    init(missingAfter chain: CommitChain, length: Int) {
        (file, self.length, checksum, reservation) = (nil, length, 0, 0)
        self.chain = chain
    }

    func end(last: Int) -> Manifest.End {
        Manifest.End(last: last, length: length, checksum: checksum, chain: chain)
    }

    /// When it throws, the file may contain any part of the batch.
    mutating func append(_ batch: LogBatch) throws(JournalError) {
        try append(batch.bytes, checksum: batch.checksum)
        chain = batch.chain
    }

    /// Lines without commits; the checksum is that of the last.
    mutating func append(_ lines: [UInt8], checksum: UInt32) throws(JournalError) {
        try file?.append(lines)
        length += lines.count
        self.checksum = checksum
        if length > reserved, reservation > 0 {
            reserved = length + reservation
            file?.file.reserve(reservation)
        }
    }

    /// Removes reserved space, and what a failed `append` has written.
    mutating func cutBack() throws(JournalError) {
        try file?.truncate(to: length)
        reserved = 0
    }

    func sync() throws(JournalError) {
        try file?.sync()
    }
}
