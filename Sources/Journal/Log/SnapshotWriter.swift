import Bytes
import Platform

/// Writes a snapshot, on any thread, while the journal accepts further commits.
///
/// 1. The lines are written to a temporary file. They are synced in pieces, so that the syncs of the log never wait for
///    all of them.
/// 2. The file is synced, and read back: every line, the count and the checksum.
/// 3. It is renamed; the folder is synced.
/// 4. `Journal.install` lists it in the manifest.
/// 5. Only then are older files removed.
///
/// A crash before step 4 leaves a file that the manifest does not list; the next start removes it.
package struct SnapshotWriter: Sendable {
    package let sequence: Int
    package let origin: CheckedDocument.Origin

    let folder: StoreFolder
    /// Of the journal when the snapshot was prepared.
    let statistics: JournalStatistics

    /// - Parameter body: appends the lines of the body, the last of which ends in a comma. The same state must give the
    ///   same lines.
    /// - Throws: `JournalError`; the incomplete file is removed then. Unless the error is fatal, the log and all
    ///   earlier snapshots are unaffected.
    package func write(
        _ body: (inout SnapshotLines) throws(JournalError) -> Void
    ) throws(JournalError) -> FinishedSnapshot {
        let written = try folder.write(FileName.snapshot(sequence), origin, body)
        let file = Manifest.Snapshot(
            sequence: sequence, length: written.length, checksum: written.checksum, at: origin.at, chain: origin.chain)
        return FinishedSnapshot(file: file, statistics: statistics)
    }
}

extension StoreFolder {
    /// Steps 1 to 3.
    @discardableResult
    func write(
        _ name: String, _ origin: CheckedDocument.Origin,
        _ body: (inout SnapshotLines) throws(JournalError) -> Void
    ) throws(JournalError) -> DocumentScan.Sound {
        try write(name) { pending throws(JournalError) in
            var lines = SnapshotLines(origin: origin, file: pending.file)
            try body(&lines)
            let written = try lines.finish()
            try pending.sync()
            guard try DocumentScan.scan(open(pending.temporary), item: { _, _ in }) == .sound(written) else {
                throw .damaged(pending.temporary, "it gives other bytes when it is read back", in: path)
            }
            try pending.install()
            return written
        }
    }
}

package struct SnapshotLines {
    private var document: CheckedDocumentWriter
    private var written: DocumentScan.Sound
    /// nil only counts the bytes.
    private let file: FolderFile?

    /// A sync of the log may have to wait for all bytes that are not on the disk yet.
    private static let pieceBytes = 64 << 10

    init(origin: CheckedDocument.Origin, file: FolderFile?) {
        document = CheckedDocumentWriter(origin: origin)
        written = DocumentScan.Sound(origin: origin)
        self.file = file
    }

    /// Adds a line of the body, without its line feed; true when a piece was written: a good time for a pause.
    ///
    /// - Parameter syncsPieces: whether a complete piece is synced, because commits may be waiting for the disk.
    @discardableResult
    package mutating func append(_ line: [UInt8], syncsPieces: Bool = true) throws(JournalError) -> Bool {
        document.append(line: line)
        guard document.bytes.count >= Self.pieceBytes else { return false }
        try writePiece()
        if syncsPieces { try file?.sync() }
        return true
    }

    mutating func finish() throws(JournalError) -> DocumentScan.Sound {
        written.lines = document.lines
        written.checksum = document.checksum
        document.finish()
        try writePiece()
        return written
    }

    private mutating func writePiece() throws(JournalError) {
        let piece = document.takeBytes()
        written.length += piece.count
        try file?.append(piece)
    }
}

/// On stable storage, but not listed in the manifest yet.
package struct FinishedSnapshot: Sendable {
    let file: Manifest.Snapshot
    let statistics: JournalStatistics

    package var sequence: Int { file.sequence }
    package var length: Int { file.length }
}

/// Limits a thread to a quarter of the time. Pauses are limited: on a busy machine the work is slow already.
package struct DutyCycle: ~Copyable {
    private var pieceStart = ContinuousClock.now

    private static let longestPause = Duration.milliseconds(20)

    package init() {}

    package mutating func pause() {
        // A signal that ends a pause early is harmless.
        Thread.sleep(min(pieceStart.duration(to: .now) * 3, Self.longestPause))
        pieceStart = .now
    }
}
