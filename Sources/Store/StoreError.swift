import Bytes
import JSON
import Journal
import SookeModel

/// Why a change could not be made durable. It is rolled back.
package enum StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no room for the log. Reads continue, and writes succeed again once there is room.
    case diskFull(String)
    /// The disk failed. Its content is uncertain, so the process must end and recover at its next start.
    case failed(String)
    /// The data folder, its manifest or its log was moved, deleted or replaced. The process must end, because it must
    /// not write to it or to another one.
    case displaced(String)
    /// A snapshot could not be written. The log and all earlier snapshots are not affected.
    case snapshotNotTaken(String)
    /// There is no room for a snapshot; otherwise as `snapshotNotTaken`.
    case noRoomForSnapshot(String)
    /// A start could not read what was to be logged. The change alone is refused: with it in the log, the town would
    /// not start any more.
    case unreadable(String)
    case closed
    case readOnly(ReadOnlyState)

    package var description: String {
        switch self {
        case .diskFull(let detail): "the disk is full, so nothing can be changed: \(detail)"
        case .failed(let detail): "the disk failed: \(detail)"
        case .displaced(let detail): "\(detail). Nothing more is written to it"
        case .snapshotNotTaken(let detail): "the snapshot could not be written, the log continues: \(detail)"
        case .noRoomForSnapshot(let detail):
            "the disk is full, so the snapshot could not be written, the log continues: \(detail)"
        case .unreadable(let detail): "a change was refused, because the next start could not read it: \(detail)"
        case .closed: "the store has been closed"
        case .readOnly(let state): "the town is read-only\(state.reason.map { ": \($0)" } ?? "")"
        }
    }

    var isFinal: Bool {
        switch self {
        case .failed, .displaced: true
        case .diskFull, .snapshotNotTaken, .noRoomForSnapshot, .unreadable, .closed, .readOnly: false
        }
    }
}

extension StoreError {
    /// Why a batch was not written.
    init(_ error: JournalError) {
        let fatal = error.isDisplaced ? StoreError.displaced(error.detail) : .failed(error.detail)
        self = error.isFatal ? fatal : .diskFull(error.detail)
    }

    init(ofSnapshot error: JournalError) {
        if error.isDisplaced {
            self = .displaced(error.detail)
            return
        }
        self = error.isNoSpace ? .noRoomForSnapshot(error.detail) : .snapshotNotTaken(error.detail)
    }
}

/// The current problems of a store, for health and status. Reads continue in spite of them.
package struct StoreProblems: Sendable {
    package struct Trouble: Sendable, Hashable {
        package let since: Timestamp
        /// A description for the owner of the server only: it may contain names of files.
        package let detail: String
    }

    package internal(set) var writes: StoreError?
    /// How many events have instants that could not be stored yet, after a change of zone data.
    package internal(set) var unstoredTimes = 0
    /// Nil when the last snapshot succeeded. The log continues without them.
    package internal(set) var snapshots: Trouble?
    /// The damage that the last check of the files found; nil when it found none, or there was no check yet.
    package internal(set) var files: Trouble?

    package var text: String? {
        let texts = [writes.map { "\($0)" }, snapshots?.detail, files?.detail].compactMap { $0 }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

extension StoreProblems.Trouble {
    /// It began when an equal earlier one did.
    init(_ detail: String, after earlier: Self?, now: Timestamp) {
        self.init(since: earlier?.since ?? now, detail: detail)
    }
}

/// A line of the log or of a snapshot has a valid checksum, but content that the store does not write.
///
/// The disk is not damaged: another program, or a newer version of this one, wrote the line.
package struct StoredRecordError: Error, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    init(_ error: any Error) {
        message = (error as? StoredRecordError)?.message ?? "\(error)"
    }

    fileprivate init(_ problems: FieldProblems) {
        message = problems.all.map(\.description).joined(separator: "; ")
    }

    package var description: String { message }
}

extension StoredRecord {
    /// From the log, a snapshot or a backup. It refuses unknown fields and what breaks a stored invariant.
    init(stored reader: inout JSONReader) throws(StoredRecordError) {
        self.init()
        var problems = FieldProblems()
        do {
            _ = try readFields(from: &reader, unknown: .refused, &problems)
        } catch {
            throw StoredRecordError(error)
        }
        if problems.isEmpty { validateStored(&problems) }
        if !problems.isEmpty { throw StoredRecordError(problems) }
    }
}
