import Bytes
import JSON
import Journal

/// The commits after a position as lines of JSON, in the form of the log without its checksums. They have everything,
/// also what is private:
///
/// ```
/// {"format":"sooke-commits/1","store":"8c…","after":"1200.8f3c5a7790d1e2b4"}
/// {"seq":1201,"at":"2026-11-21T09:30:00Z","by":"person:1","changes":[…]}
/// {"position":"1201.77d2a9e40b6e7f10","at":"2026-11-21T09:30:00Z","behind":0}
/// ```
///
/// The position follows after some commits, with the time of the last and the number of those that are still to come. A
/// commit of this process comes from memory, an older one from the log. A line is given only if the chain up to it is
/// that of the commit: a second store that appends the lines has the same history. `CommitLineReader` reads them.
package struct CommitLines {
    /// After the last line that was given.
    package private(set) var position: CommitPosition
    package let head: [UInt8]

    private let folder: String
    private let fileSystem: any FileSystem
    private var log: CommitReader?
    /// The time of the last commit that was given, in RFC 3339.
    private var time = ""

    /// The most bytes of lines at a time, unless one is longer.
    private static let pieceSize = 1 << 16
    /// The most commits of memory that are looked at, at a time.
    private static let pieceCommits = 256

    /// The lines after a position of a store; nil when the store does not have it: it is of another history, was
    /// dropped, or is not on stable storage yet.
    package init?(after position: CommitPosition, of store: Store, in version: Version) throws(JournalError) {
        (self.position, folder, fileSystem) = (position, store.folder, store.fileSystem)
        head = Self.line { writer in
            writer.member("format", "sooke-commits/1")
            writer.member("store", store.identity)
            writer.member("after", "\(position)")
        }
        guard version.commits(after: position, limit: 0) == nil else { return }
        log = try CommitReader.after(position, in: folder, fileSystem: fileSystem, through: version.sequence)
        if log == nil { return nil }
    }

    /// The position before the last commits of a version, or before all that the log has.
    package static func position(
        beforeLast count: Int, of store: Store, in version: Version
    ) throws(JournalError) -> CommitPosition {
        func position(after sequence: Int?) throws(JournalError) -> CommitPosition? {
            var commits = try CommitReader(
                store.folder, fileSystem: store.fileSystem, after: sequence, through: version.sequence)
            return try commits.next()?.previous
        }
        do throws(JournalError) {
            return try position(after: max(0, version.sequence - count)) ?? version.position
        } catch {
            guard error.kind == .historyDropped else { throw error }
            return try position(after: nil) ?? version.position
        }
    }

    /// The next lines, which end with a position; nil when all commits of a version were given.
    ///
    /// - Throws: `JournalError` when the log cannot be read, or no longer has what follows the last line.
    package mutating func next(in version: Version) throws(JournalError) -> [UInt8]? {
        guard position.sequence < version.sequence else { return nil }
        var lines: [UInt8] = []
        if log != nil { try appendLogged(to: &lines) }
        if lines.isEmpty { appendRecent(version, to: &lines) }
        if lines.isEmpty {
            log = try CommitReader.after(position, in: folder, fileSystem: fileSystem, through: version.sequence)
            try appendLogged(to: &lines)
        }
        guard !lines.isEmpty else { throw .historyEnds(after: position, in: folder) }
        return lines + Self.end(at: position, time, behind: version.sequence - position.sequence)
    }

    package static func end(of version: Version) -> [UInt8] {
        end(at: version.position, version.time.at.rfc3339, behind: 0)
    }

    private static func end(at position: CommitPosition, _ time: String, behind: Int) -> [UInt8] {
        line { writer in
            writer.member("position", "\(position)")
            writer.member("at", time)
            writer.member("behind", behind)
        }
    }

    private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        members(&writer)
        writer.endObject()
        return writer.bytes + [ASCII.lineFeed]
    }

    private mutating func appendRecent(_ version: Version, to lines: inout [UInt8]) {
        for commit in version.commits(after: position, limit: Self.pieceCommits) ?? [] {
            guard lines.count < Self.pieceSize, append(commit.payload, commit.position, to: &lines) else { return }
        }
    }

    private mutating func appendLogged(to lines: inout [UInt8]) throws(JournalError) {
        guard var reader = log.take() else { return }
        while lines.count < Self.pieceSize {
            guard let commit = try reader.next(), append(commit.payload, commit.position, to: &lines) else { return }
        }
        log = reader
    }

    /// Appends a line; false when it does not lead to the position of its commit.
    private mutating func append(
        _ payload: ArraySlice<UInt8>, _ reached: CommitPosition, to lines: inout [UInt8]
    ) -> Bool {
        guard position.advanced(by: payload.span) == reached else { return false }
        lines.append("{\"seq\":")
        lines.append(decimal: reached.sequence)
        lines.append(",")
        lines.append(contentsOf: payload)
        lines.append("}\n")
        (position, time) = (reached, Commit.timeText(of: payload))
        return true
    }
}
