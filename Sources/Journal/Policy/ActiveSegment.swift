/// The segment of the log that is written to.
struct ActiveSegment {
    let file: any OpenFile
    let first: Int
    /// Bytes in it.
    var length: Int
    /// The checksum of its last line.
    var checksum: UInt32

    /// Makes a new segment under its name, with its first line on stable storage.
    init(begin header: SegmentHeader, in folder: DataFolder, _ options: JournalOptions) throws(FileSystemError) {
        let line = header.line(sectorBytes: options.sectorBytes)
        file = try folder.replace(FileName.segment(header.first), with: line.bytes)
        first = header.first
        length = line.bytes.count
        checksum = line.checksum
    }
}
