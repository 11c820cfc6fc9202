import Synchronization

/// Progress that is told from whatever thread does the work.
final class SharedProgress: Sendable {
    private let progress: Mutex<Progress?>

    /// Work that begins now.
    init(_ label: String, unit: ProgressDisplay.Unit, on console: Console) {
        progress = Mutex(Progress(label, unit: unit, on: console))
    }

    /// So much is done, of so much when that is known.
    func update(done: Int, of total: Int?) {
        progress.withLock { $0?.update(done: done, of: total) }
    }

    /// The work has ended.
    func finish() {
        progress.withLock { $0 = nil }
    }
}
