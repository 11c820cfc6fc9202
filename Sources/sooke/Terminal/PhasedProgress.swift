import Platform
import Synchronization

/// Progress of work in phases, which any thread can update. Its time goes on while a phase reports nothing.
final class PhasedProgress: Sendable {
    private struct State: ~Copyable {
        var label = ""
        var progress: Progress?
        var isEnded = false
        var isServed = false
    }

    private let state = Mutex(State())
    private let console: Console
    private let ending: Wakeup
    /// From one drawing to the next without news, in milliseconds.
    private static let interval: Int32 = 250

    /// Work that begins now.
    init(on console: Console) throws(CommandError) {
        self.console = console
        do throws(SystemError) {
            ending = try Wakeup()
            try Thread.start { [self] in
                while draw() { _ = ending.wait(milliseconds: Self.interval) }
            }
        } catch {
            throw CommandError(.inputOutput, "cannot start a thread: \(error)")
        }
    }

    /// The phase that is under way; empty before the first one.
    var phase: String { state.withLock { $0.label } }

    /// Whether a server does the work, which goes on without this process.
    var isServed: Bool {
        get { state.withLock { $0.isServed } }
        set { state.withLock { $0.isServed = newValue } }
    }

    /// Updates a phase, with the total if it is known. Another one than before begins.
    func update(_ label: String, _ unit: ProgressDisplay.Unit, done: Int, of total: Int?) {
        state.withLock { state in
            if state.isEnded { return }
            if state.label != label {
                state.label = label
                state.progress = Progress(label, unit: unit, on: console)
            }
            state.progress?.update(done: done, of: total)
        }
    }

    /// The work has ended; later updates are ignored.
    func finish() {
        state.withLock { state in
            state.progress = nil
            state.isEnded = true
        }
        ending.signal()
    }

    /// Draws the time; false at the end.
    private func draw() -> Bool {
        state.withLock { state in
            state.progress?.draw()
            return !state.isEnded
        }
    }
}
