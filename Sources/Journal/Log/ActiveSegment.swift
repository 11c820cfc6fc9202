/// The segment of the log that is written to. Zeros follow its last line, reserved for the next ones; a sealed or
/// closed segment has none.
struct ActiveSegment {
    /// nil when there is no segment to write to; nothing is appended then.
    private let file: (any OpenFile)?
    private let path: String
    /// The offset after its last line; only zeros follow.
    private(set) var length: Int
    /// The checksum of its last line.
    private(set) var checksum: UInt32
    /// The chain up to its last commit.
    private(set) var chain: CommitChain
    private let reservation: Int
    /// The offset after the zeros, including zeros that could not be written.
    private var reserved = 0

    /// Creates a segment under its name, with its first line on stable storage.
    init(begin header: SegmentHeader, in folder: DataFolder, _ options: JournalOptions) throws(FileSystemError) {
        let line = header.line(sectorBytes: options.sectorBytes)
        let name = FileName.segment(header.first)
        file = try folder.replace(name, with: line.bytes)
        path = folder.path(of: name)
        length = line.bytes.count
        (checksum, chain) = (line.checksum, header.chain)
        reservation = options.reservedBytes
    }

    /// A placeholder, after a segment with commits of this chain and of this length, while the disk has no room for a
    /// segment.
    init(missingAfter chain: CommitChain, length: Int) {
        (file, path, self.length, checksum, reservation) = (nil, "", length, 0, 0)
        self.chain = chain
    }

    func end(last: Int) -> Manifest.End {
        Manifest.End(last: last, length: length, checksum: checksum, chain: chain)
    }

    /// Appends the lines of a batch. When it throws, the file may contain any part of them.
    mutating func append(_ batch: LogBatch) throws(FileSystemError) {
        try append(batch.bytes, checksum: batch.checksum)
        chain = batch.chain
    }

    /// Appends lines without commits. The last one has this checksum. When it throws, the file may contain any part of
    /// them.
    mutating func append(_ lines: [UInt8], checksum: UInt32) throws(FileSystemError) {
        try named { file throws(FileSystemError) in try file.append(lines) }
        length += lines.count
        self.checksum = checksum
        if length > reserved, reservation > 0 {
            reserved = length + reservation
            file?.reserve(reservation)
        }
    }

    /// Truncates the file after its last line: removes reserved space, and what a failed `append` has written.
    mutating func cutBack() throws(FileSystemError) {
        try named { file throws(FileSystemError) in try file.truncate(to: length) }
        reserved = 0
    }

    func sync() throws(FileSystemError) {
        try named { file throws(FileSystemError) in try file.sync() }
    }

    /// Errors state the current name of the file, which was opened under a temporary one.
    private func named(_ call: (any OpenFile) throws(FileSystemError) -> Void) throws(FileSystemError) {
        guard let file else { return }
        do throws(FileSystemError) {
            try call(file)
        } catch {
            throw FileSystemError(error.operation, path: path, code: error.code)
        }
    }
}
