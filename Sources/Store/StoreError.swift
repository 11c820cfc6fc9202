import Journal

/// Why a change could not be made durable. Nothing of it remains.
public enum StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no room for the log. Reading goes on, and the next write that finds room succeeds.
    case diskFull(String)
    /// The disk failed. What it holds is not certain, so the process must end and recover at its next start.
    case failed(String)
    /// A snapshot could not be written. The log, and all earlier snapshots, are as good as before.
    case snapshotNotTaken(String)
    /// There is no room for a snapshot; else as `snapshotNotTaken`.
    case noRoomForSnapshot(String)
    /// The store has been closed.
    case closed

    /// What happened, for the owner of the server.
    public var description: String {
        switch self {
        case .diskFull(let detail): "the disk is full, so nothing can be changed: \(detail)"
        case .failed(let detail): "the disk failed: \(detail)"
        case .snapshotNotTaken(let detail): "the snapshot could not be written, the log goes on: \(detail)"
        case .noRoomForSnapshot(let detail):
            "the disk is full, so the snapshot could not be written, the log goes on: \(detail)"
        case .closed: "the store has been closed"
        }
    }
}

extension StoreError {
    init(_ failure: FlushFailure) {
        switch failure.kind {
        case .noSpace: self = .diskFull("\(failure)")
        case .fatal: self = .failed("\(failure)")
        }
    }

    init(_ failure: SnapshotFailure) {
        self = failure.isNoSpace ? .noRoomForSnapshot("\(failure)") : .snapshotNotTaken("\(failure)")
    }
}
