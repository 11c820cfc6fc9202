/// The newest commits of a log, segment by segment, the newest segment first: for a reader that wants the last ones.
///
/// ```swift
/// var tail = try LogTail("data", through: 1200, longestSegment: 64 << 20)
/// while var commits = try tail.next() { … }
/// ```
package struct LogTail {
    private let directory: String
    private let fileSystem: any FileSystem
    private let through: Int
    private let longestSegment: Int
    private var segments: ArraySlice<Manifest.Segment>

    /// Begins with the segment of a commit.
    ///
    /// - Parameters:
    ///   - directory: the path of the data folder.
    ///   - fileSystem: the file system; that of the operating system by default.
    ///   - through: the last commit to read.
    ///   - longestSegment: the longest segment that is read, in bytes: one ends at the size at which it is sealed, and
    ///     with one batch more, so that a longer one ends with a batch of which the reader wants nothing.
    /// - Throws: `JournalError`.
    package init(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), through: Int, longestSegment: Int
    ) throws(JournalError) {
        (self.directory, self.fileSystem) = (directory, fileSystem)
        (self.through, self.longestSegment) = (through, longestSegment)
        let folder = try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            try DataFolder(directory, fileSystem: fileSystem)
        }
        segments = try Manifest.read(from: folder).segments.prefix { $0.first <= through }
    }

    /// The commits of the next older segment; nil when there is none, or it is too long.
    package mutating func next() throws(JournalError) -> CommitReader? {
        guard let segment = segments.popLast(), segment.seal.map({ $0.end.length <= longestSegment }) ?? true else {
            return nil
        }
        return try CommitReader(
            directory, fileSystem: fileSystem, after: segment.first - 1,
            through: min(through, segment.seal?.end.last ?? through))
    }
}
