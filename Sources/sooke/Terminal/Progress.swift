import Synchronization

/// Shows on standard error how far work is. A bar does not outlive its work, however that ends.
struct Progress: ~Copyable {
    private var display: ProgressDisplay
    private let console: Console
    private let start = ContinuousClock.now
    private var done = 0

    /// Work that begins now.
    init(_ label: String, unit: ProgressDisplay.Unit, on console: Console) {
        self.console = console
        display = ProgressDisplay(
            label, unit: unit, traits: TerminalTraits(of: console.errors, console.environment))
    }

    deinit {
        var display = display
        if let text = display.clear() { console.report(text) }
    }

    /// So much is done, of so much when that is known.
    mutating func update(done: Int, of total: Int?) {
        self.done = done
        let columns = display.traits.canRedraw ? TerminalTraits.columns(of: console.errors) : 0
        let text = display.update(done: done, of: total, after: start.duration(to: .now), columns: columns)
        if let text { console.report(text) }
    }

    /// All is done.
    consuming func finish() {
        if let text = display.finish(done: done, after: start.duration(to: .now)) { console.report(text) }
    }
}

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
