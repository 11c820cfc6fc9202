/// The segment of the log that is written to. Behind its last line are zeros, room for the next ones; a segment that is
/// sealed or closed has none.
struct ActiveSegment {
    /// nil where there is no segment to write to; nothing is appended then.
    private let file: (any OpenFile)?
    private let path: String
    /// Where its last line ends; behind that the file has nothing but zeros.
    private(set) var length: Int
    /// The checksum of its last line.
    private(set) var checksum: UInt32
    /// The chain up to its last commit; nil in a segment of version 1.
    private(set) var chain: CommitChain?
    private let reservation: Int
    /// Where the zeros end, or were to end.
    private var reserved = 0

    /// Makes a new segment under its name, with its first line on stable storage.
    init(begin header: SegmentHeader, in folder: DataFolder, _ options: JournalOptions) throws(FileSystemError) {
        let line = header.line(sectorBytes: options.sectorBytes)
        let name = FileName.segment(header.first)
        file = try folder.replace(name, with: line.bytes)
        path = folder.path(of: name)
        length = line.bytes.count
        (checksum, chain) = (line.checksum, header.chain)
        reservation = options.reservedBytes
    }

    /// What stands for a segment that there is no room for yet, behind commits of this chain.
    init(missingAfter chain: CommitChain) {
        (file, path, length, checksum, reservation) = (nil, "", 0, 0, 0)
        self.chain = chain
    }

    /// Where it ends, behind its last commit.
    func end(last: Int) -> Manifest.End {
        Manifest.End(last: last, length: length, checksum: checksum, chain: chain)
    }

    /// Appends the lines of a batch. When it throws, any part of them may be in the file.
    mutating func append(_ batch: LogBatch) throws(FileSystemError) {
        try append(batch.bytes, checksum: batch.checksum)
        chain = batch.chain
    }

    /// Appends lines without commits, the last of which has this checksum. When it throws, any part may be in the file.
    mutating func append(_ lines: [UInt8], checksum: UInt32) throws(FileSystemError) {
        try named { file throws(FileSystemError) in try file.append(lines) }
        length += lines.count
        self.checksum = checksum
        if length > reserved, reservation > 0 {
            reserved = length + reservation
            file?.reserve(reservation)
        }
    }

    /// Cuts off what is reserved, and what an `append` that threw has left.
    mutating func cutBack() throws(FileSystemError) {
        try named { file throws(FileSystemError) in try file.truncate(to: length) }
        reserved = 0
    }

    func sync() throws(FileSystemError) {
        try named { file throws(FileSystemError) in try file.sync() }
    }

    /// The file was opened under another name; people are told the one that it has.
    private func named(_ call: (any OpenFile) throws(FileSystemError) -> Void) throws(FileSystemError) {
        guard let file else { return }
        do throws(FileSystemError) {
            try call(file)
        } catch {
            throw FileSystemError(error.operation, path: path, code: error.code)
        }
    }
}
