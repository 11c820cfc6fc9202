/// Reads commits from the log of a data folder, in order, without the lock: also while a server writes to it.
package struct CommitReader {
    package let firstKept: Int

    private let folder: StoreFolder
    private let through: Int
    private var last: Int
    private var manifest: Manifest
    private var walk: LogWalk

    /// - Parameters:
    ///   - after: 0 for all commits ever, nil for all that are stored.
    ///   - through: while a server runs, `Journal.durableSequence`: the file may contain commits that are not durable
    ///     yet.
    /// - Throws: of the kind `historyDropped` when the log begins later.
    package init(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), after: Int? = 0, through: Int = .max
    ) throws(JournalError) {
        try self.init(StoreFolder(directory, fileSystem: fileSystem), after: after, through: through)
    }

    fileprivate init(_ folder: StoreFolder, after: Int?, through: Int) throws(JournalError) {
        (self.folder, self.through) = (folder, through)
        manifest = try Manifest.read(from: folder)
        firstKept = manifest.segments.first?.first ?? 1
        last = after ?? firstKept - 1
        walk = LogWalk(of: nil, [], in: folder)
        try begin()
    }

    /// Reads about this many bytes up to a commit: whole segments, always with that of the commit.
    package init(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), through: Int, reading bytes: Int
    ) throws(JournalError) {
        let folder = try StoreFolder(directory, fileSystem: fileSystem)
        var start: Int?
        var rest = bytes
        for segment in try Manifest.read(from: folder).segments.reversed() where segment.first <= through {
            let length = if let seal = segment.seal { seal.end.length } else { try folder.open(segment.name).length() }
            if start != nil, length > rest { break }
            start = segment.first - 1
            rest -= length
        }
        try self.init(folder, after: start, through: through)
    }

    /// nil when the log does not contain the position: it is too old, or from another history.
    package static func after(
        _ position: CommitPosition, in directory: String, fileSystem: any FileSystem = POSIXFileSystem(), through: Int
    ) throws(JournalError) -> CommitReader? {
        // A client may send any number.
        guard position.sequence <= through, position.sequence < .max else { return nil }
        do throws(JournalError) {
            var reader = try CommitReader(directory, fileSystem: fileSystem, after: position.sequence, through: through)
            // The first line of a segment has the chain before it, also where the commit was dropped.
            while reader.walk.header == nil || reader.walk.position.last < position.sequence {
                guard try reader.nextLine() != nil else { return nil }
            }
            return reader.walk.position.commit == position ? reader : nil
        } catch {
            if error.kind == .historyDropped { return nil }
            throw error
        }
    }

    package var nextSequence: Int { last + 1 }

    /// nil when no complete commit follows. To read later ones, make a new reader after the last.
    ///
    /// - Throws: of the kind `historyDropped` when the log was shortened meanwhile.
    package mutating func next() throws(JournalError) -> LoggedCommit? {
        while last < through {
            guard let line = try nextLine() else { return nil }
            guard case .commit(let commit) = line, commit.sequence > last else { continue }
            last = commit.sequence
            return commit
        }
        return nil
    }

    /// Without damage; nil when the log does not go on.
    private mutating func nextLine() throws(JournalError) -> SegmentReader.Item? {
        while true {
            switch try walk.next() {
            case .damage(let damage)?:
                if try beginAgain() { continue }
                // The active segment may end in the middle of a line.
                if walk.header != nil, walk.segment.seal.map({ $0.end.last < damage.sequence }) ?? true { return nil }
                throw walk.error(damage, because: "the segment was sealed")
            case .header(let header)? where header.first > last + 1:
                guard try beginAgain() else { throw .historyDropped(after: last, first: header.first) }
            case nil:
                guard try beginAgain() else { return nil }
            case let line: return line
            }
        }
    }

    private mutating func begin() throws(JournalError) {
        let first = manifest.segments.first?.first ?? 1
        if first > last + 1 { throw .historyDropped(after: last, first: first) }
        let index = manifest.segments.lastIndex { $0.first <= last + 1 } ?? 0
        walk = LogWalk(of: manifest.store, manifest.segments, from: index, in: folder)
    }

    /// With the manifest as it is now: the segment may have grown, and been sealed, since its end was read. False when
    /// the manifest has not changed.
    private mutating func beginAgain() throws(JournalError) -> Bool {
        let found = try Manifest.read(from: folder)
        guard found.segments != manifest.segments else { return false }
        manifest = found
        try begin()
        return true
    }
}

/// The newest commits of a log, segment by segment, the newest segment first.
package struct LogTail {
    private let folder: StoreFolder
    private let through: Int
    private let longestSegment: Int
    private var segments: ArraySlice<Manifest.Segment>

    /// - Parameter longestSegment: in bytes. A segment ends at the size at which it is sealed, and with one batch more,
    ///   so a longer one ends with a batch of which the reader wants nothing.
    package init(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), through: Int, longestSegment: Int
    ) throws(JournalError) {
        (self.through, self.longestSegment) = (through, longestSegment)
        folder = try StoreFolder(directory, fileSystem: fileSystem)
        segments = try Manifest.read(from: folder).segments.prefix { $0.first <= through }
    }

    /// Of the next older segment; nil when there is none, or it is too long.
    package mutating func next() throws(JournalError) -> CommitReader? {
        guard let segment = segments.popLast(), segment.seal.map({ $0.end.length <= longestSegment }) ?? true else {
            return nil
        }
        return try CommitReader(
            folder, after: segment.first - 1, through: min(through, segment.seal?.end.last ?? through))
    }
}
