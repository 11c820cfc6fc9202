/// Reads commits from the log of a data folder, in order, without the lock: also while a server writes to it.
///
/// ```swift
/// var commits = try CommitReader("data", after: 1200, through: journal.durableSequence)
/// while let commit = try commits.next() { … }
/// ```
package struct CommitReader {
    /// The first commit in the log.
    package let firstKept: Int

    private let folder: DataFolder
    private let through: Int
    private var last: Int
    private var segment: Manifest.Segment?
    private var reader: SegmentReader?
    private var isSecondReading = false

    /// Begins after a commit.
    ///
    /// - Parameters:
    ///   - directory: the path of the data folder.
    /// - fileSystem: the file system; that of the operating system by default.
    /// - after: the sequence number before the first one to read; 0 for all commits ever, nil for all that are stored.
    ///   - through: the last one to read. While a server runs this should be `Journal.durableSequence`, since the file
    ///     may contain commits that are not durable yet.
    /// - Throws: `JournalError`; of the kind `historyDropped` when the log begins later.
    package init(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), after: Int? = 0, through: Int = .max
    ) throws(JournalError) {
        folder = try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            try DataFolder(directory, fileSystem: fileSystem)
        }
        let segments = try Manifest.read(from: folder).segments
        let first = segments.first?.first ?? 1
        (firstKept, last, self.through) = (first, after ?? first - 1, through)
        if first > last + 1 { throw .historyDropped(after: last, first: first) }
        segment = segments.last { [last] in $0.first <= last + 1 }
    }

    /// Begins before a commit so that about this many bytes are read up to it. It begins with a whole segment and
    /// always includes the segment of the commit.
    ///
    /// - Parameters:
    ///   - directory: the path of the data folder.
    /// - fileSystem: the file system; that of the operating system by default.
    ///   - through: the last commit to read; see the other initializer.
    /// - bytes: the maximum length of the segments that are read, unless the segment of the commit is longer.
    /// - Throws: `JournalError`.
    package init(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), through: Int, reading bytes: Int
    ) throws(JournalError) {
        let after = try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            try DataFolder(directory, fileSystem: fileSystem)
        }.start(reading: bytes, through: through)
        try self.init(directory, fileSystem: fileSystem, after: after, through: through)
    }

    /// Begins after a position; nil when the log does not contain it: it is too old, or from another history.
    package static func after(
        _ position: CommitPosition, in directory: String, fileSystem: any FileSystem = POSIXFileSystem(), through: Int
    ) throws(JournalError) -> CommitReader? {
        // A client may send any number.
        guard position.sequence <= through, position.sequence < .max else { return nil }
        do throws(JournalError) {
            var reader = try CommitReader(directory, fileSystem: fileSystem, after: position.sequence, through: through)
            // The first line of a segment has the chain before it, also where the commit is in a segment that was
            // dropped.
            if reader.segment?.first == position.sequence + 1 {
                return try reader.chainBefore() == position.chain ? reader : nil
            }
            guard position.sequence > 0 else { return nil }
            // Otherwise the commit itself is read too, for its chain.
            reader = try CommitReader(
                directory, fileSystem: fileSystem, after: position.sequence - 1, through: through)
            return try reader.next()?.position == position ? reader : nil
        } catch {
            if error.kind == .historyDropped { return nil }
            throw error
        }
    }

    /// The chain before the first commit of the first segment to read.
    private mutating func chainBefore() throws(JournalError) -> CommitChain? {
        guard let segment else { return nil }
        let begun = try begin(segment)
        reader = begun
        return begun.position.chain
    }

    package var nextSequence: Int { last + 1 }

    /// The next commit; nil when no complete one follows. To read later commits, begin again after the last.
    ///
    /// - Throws: `JournalError`; of the kind `historyDropped` when the log was shortened meanwhile.
    package mutating func next() throws(JournalError) -> LoggedCommit? {
        while last < through, let segment {
            switch try nextItem(of: segment) {
            case .commit(let commit):
                guard commit.sequence > last else { continue }
                last = commit.sequence
                return commit
            case .mark: continue
            case .damage(let damage):
                // The active segment may end in the middle of a line.
                let segments = try Manifest.read(from: folder).segments
                let seal = segments.first { $0.first == segment.first }?.seal
                guard let seal, seal.end.last >= damage.sequence else { return nil }
                guard readAgain() else {
                    throw .damaged(segment.name, damage, because: "the segment was sealed", in: folder.path)
                }
            case .end:
                guard try goOn(behind: segment) else { return nil }
            }
        }
        return nil
    }

    /// Opens the next segment; false when there is none.
    private mutating func goOn(behind segment: Manifest.Segment) throws(JournalError) -> Bool {
        let segments = try Manifest.read(from: folder).segments
        guard let following = segments.first(where: { $0.first > segment.first }) else { return false }
        if following.first <= last + 1 {
            self.segment = following
            (reader, isSecondReading) = (nil, false)
        } else if !segments.contains(where: { $0.first == segment.first }) || !readAgain() {
            throw .historyDropped(after: last, first: following.first)
        }
        return true
    }

    /// Reads the segment once more: it may have grown, and been sealed, since its end was read.
    private mutating func readAgain() -> Bool {
        defer { (reader, isSecondReading) = (nil, true) }
        return !isSecondReading
    }

    private mutating func nextItem(of segment: Manifest.Segment) throws(JournalError) -> SegmentReader.Item {
        var lines = if let reader { reader } else { try begin(segment) }
        reader = nil  // avoids a copy of the lines
        let item = try FileSystemError.mapped(folder.path) { () throws(FileSystemError) in try lines.next() }
        reader = lines
        return item
    }

    private func begin(_ segment: Manifest.Segment) throws(JournalError) -> SegmentReader {
        var reader = try FileSystemError.mapped(folder.path) { () throws(FileSystemError) in
            SegmentReader(try folder.open(segment.name))
        }
        switch try FileSystemError.mapped(folder.path, { () throws(FileSystemError) in try reader.readHeader() }) {
        case .header: return reader
        case .version(let version): throw .newerFormat(segment.name, version: version)
        case .damage(let damage):
            throw .damaged(
                segment.name, damage, because: "the first line is written before all others", in: folder.path)
        }
    }
}

extension DataFolder {
    /// The commit after which to begin, to read about this many bytes of the log up to a commit; nil for all that are
    /// stored.
    fileprivate func start(reading bytes: Int, through: Int) throws(JournalError) -> Int? {
        var start: Int?
        var rest = bytes
        for segment in try Manifest.read(from: self).segments.reversed() where segment.first <= through {
            let length: Int
            if let seal = segment.seal {
                length = seal.end.length
            } else {
                length = try FileSystemError.mapped(path) { () throws(FileSystemError) in
                    try open(segment.name).length()
                }
            }
            if start != nil, length > rest { break }
            start = segment.first - 1
            rest -= length
        }
        return start
    }
}
