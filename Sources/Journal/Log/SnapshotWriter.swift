import Bytes

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
    /// The state, as in its first line.
    package let origin: CheckedDocument.Origin

    let folder: DataFolder
    /// The totals of the journal when the snapshot was prepared.
    let mark: SnapshotMark

    /// Writes the file.
    ///
    /// - Parameter body: appends the lines of the body, the last of which ends in a comma. The same state must give the
    ///   same lines.
    /// - Returns: the argument for `Journal.install`.
    /// - Throws: `SnapshotFailure`; the incomplete file is removed then.
    package func write(
        _ body: (inout SnapshotLines) throws(SnapshotFailure) -> Void
    ) throws(SnapshotFailure) -> FinishedSnapshot {
        let name = FileName.snapshot(sequence)
        let pending = try SnapshotFailure.mapped { () throws(FileSystemError) in try folder.begin(name) }
        do throws(SnapshotFailure) {
            var lines = SnapshotLines(origin: origin, file: pending.file)
            try body(&lines)
            let written = try lines.finish()
            try SnapshotFailure.mapped(pending.sync)
            try readBack(pending, expecting: written)
            try SnapshotFailure.mapped(pending.install)
            let file = Manifest.Snapshot(
                sequence: sequence, length: written.length, checksum: written.checksum, at: origin.at,
                chain: origin.chain)
            return FinishedSnapshot(file: file, mark: mark)
        } catch {
            pending.discard()
            throw error
        }
    }

    private func readBack(_ pending: PendingFile, expecting written: DocumentScan.Sound) throws(SnapshotFailure) {
        let outcome = try SnapshotFailure.mapped { () throws(FileSystemError) in
            try DocumentScan.scan(folder.open(pending.temporary)) { _, _ in }
        }
        guard outcome == .sound(written) else {
            throw SnapshotFailure(notTaken: "\(pending.temporary) gives other bytes when it is read back")
        }
    }
}

/// Receives the lines of a snapshot.
package struct SnapshotLines {
    private var document: CheckedDocumentWriter
    private var written: DocumentScan.Sound
    private let file: any OpenFile

    /// A sync of the log may have to wait for all bytes that are not on the disk yet.
    private static let pieceBytes = 64 << 10

    init(origin: CheckedDocument.Origin, file: any OpenFile) {
        document = CheckedDocumentWriter(origin: origin)
        written = DocumentScan.Sound(origin: origin)
        self.file = file
    }

    /// Adds a line of the body, without its line feed.
    ///
    /// - Parameter syncsPieces: whether a complete piece is synced, because commits may be waiting for the disk.
    /// - Returns: whether a piece was written: a good moment for a pause.
    /// - Throws: `SnapshotFailure`, which the caller passes on.
    @discardableResult
    package mutating func append(_ line: [UInt8], syncsPieces: Bool = true) throws(SnapshotFailure) -> Bool {
        document.append(line: line)
        guard document.bytes.count >= Self.pieceBytes else { return false }
        try writePiece()
        if syncsPieces { try SnapshotFailure.mapped(file.sync) }
        return true
    }

    mutating func finish() throws(SnapshotFailure) -> DocumentScan.Sound {
        written.lines = document.lines
        written.checksum = document.checksum
        document.finish()
        try writePiece()
        return written
    }

    private mutating func writePiece() throws(SnapshotFailure) {
        let piece = document.takeBytes()
        written.length += piece.count
        try SnapshotFailure.mapped { () throws(FileSystemError) in try file.append(piece) }
    }
}

/// A snapshot that is on stable storage, but not listed in the manifest yet.
package struct FinishedSnapshot: Sendable {
    let file: Manifest.Snapshot
    let mark: SnapshotMark

    package var sequence: Int { file.sequence }
    /// Its length in bytes.
    package var length: Int { file.length }
}

/// The totals of the journal when a snapshot was prepared.
struct SnapshotMark: Sendable {
    let bytes: Int
    let commits: Int
}

extension SnapshotFailure {
    static func mapped<Value>(
        _ call: () throws(FileSystemError) -> Value
    ) throws(SnapshotFailure) -> Value {
        do throws(FileSystemError) {
            return try call()
        } catch {
            throw SnapshotFailure(error)
        }
    }
}
