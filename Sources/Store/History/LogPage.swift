import Bytes
import Journal
import Platform

/// What the newest commits of a log have that a search looks for, the newest first.
package struct LogPage<Found> {
    let found: [Found]
    let next: Int?

    /// The number of bytes of the log that are searched at a time; or one segment, if that is longer.
    package static var bytesAtATime: Int { 64 << 20 }
    /// The most bytes of commits that a page is made of, unless one alone has more.
    private static var mostBytes: Int { 16 << 20 }

    /// Searches the newest part of the log of a data folder. Nearly all commits are about something else, and are
    /// skipped by their bytes before any JSON is parsed.
    ///
    /// - Parameters:
    ///   - through: the last commit to search. While a server runs it must be a published one.
    ///   - marks: one of them is in each commit of interest; quotes in texts are escaped.
    ///   - isWanted: called now and then; false cancels the search.
    /// - Throws: `CancellationError` when it was cancelled; `JournalError` when the log cannot be read.
    init(
        in directory: String, fileSystem: any FileSystem, through: Int, before: Int?, limit: Int, with marks: [String],
        reading bytes: Int, isWanted: () -> Bool, _ read: (LoggedCommit) throws -> Found?
    ) throws {
        guard isWanted() else { throw CancellationError() }
        let last = min(through, before.map { $0 > 0 ? $0 - 1 : 0 } ?? through)
        guard last > 0, limit > 0 else {
            (found, next) = ([], nil)
            return
        }
        let marks = marks.map { ByteSearch(for: Array($0.utf8)) }
        var reader = try CommitReader(directory, fileSystem: fileSystem, through: last, reading: bytes)
        let start = reader.nextSequence
        var (all, first, size) = ([(found: Found, sequence: Int, bytes: Int)](), 0, 0)
        try reader.forEach(while: isWanted) { commit in
            guard marks.contains(where: { $0.firstMatch(in: commit.payload.span) != nil }),
                let found = try read(commit)
            else { return }
            all.append((found, commit.sequence, commit.payload.count))
            size += commit.payload.count
            while all.count - first > limit || size > Self.mostBytes && all.count - first > 1 {
                size -= all[first].bytes
                first += 1
            }
        }
        found = all[first...].reversed().map(\.found)
        next = first > 0 ? all[first].sequence : start > reader.firstKept ? start : nil
    }
}

extension CommitReader {
    /// How much of the log is read between two checks whether the client still waits.
    private static let bytesBetweenQuestions = 1 << 20

    /// Throws `CancellationError` when the client no longer waits.
    mutating func forEach(while isWanted: () -> Bool, _ body: (LoggedCommit) throws -> Void) throws {
        var bytes = 0
        while let commit = try next() {
            try body(commit)
            bytes += commit.payload.count
            guard bytes >= Self.bytesBetweenQuestions else { continue }
            guard isWanted() else { throw CancellationError() }
            bytes = 0
        }
    }
}

/// Reads the log on a thread of its own, so that commits and responses do not wait for it.
actor HistoryThread {
    let thread = ThreadExecutor(name: "history")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() {
        thread.start {}
    }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
        try TaskWork.measured(body)
    }

    nonisolated func stop() {
        thread.stop()
    }
}
