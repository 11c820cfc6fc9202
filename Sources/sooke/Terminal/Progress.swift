import Bytes
import Platform
import Synchronization

/// Shows the progress of work on standard error. The bar is removed when the work ends in any way.
struct Progress: ~Copyable {
    private var display: ProgressDisplay
    private let console: Console
    private let start = ContinuousClock.now
    private var done = 0
    private var total: Int?

    init(_ label: String, unit: ProgressDisplay.Unit, on console: Console) {
        self.console = console
        display = ProgressDisplay(
            label, unit: unit, traits: TerminalTraits(of: console.errors, console.environment))
    }

    deinit {
        var display = display
        if let text = display.clear() { console.report(text) }
    }

    mutating func update(done: Int, of total: Int?) {
        (self.done, self.total) = (done, total)
        draw()
    }

    mutating func draw() {
        let columns = display.traits.canRedraw ? console.errors.columns ?? TextWrap.width : 0
        let text = display.update(done: done, of: total, after: start.duration(to: .now), columns: columns)
        if let text { console.report(text) }
    }
}

/// Formats progress: a bar that is redrawn on a terminal, occasional plain lines elsewhere.
///
/// It has no I/O and no clock: it receives the progress and the elapsed time, and returns the text to write.
struct ProgressDisplay: Sendable {
    enum Unit: Sendable {
        case bytes
        /// Things with a name in the singular, such as `row`.
        case things(String)

        func text(_ count: Int) -> String {
            switch self {
            case .bytes: FormattedNumber.bytes(count)
            case .things(let name): "\(Count(count, name))"
            }
        }
    }

    let label: String
    let unit: Unit
    let traits: TerminalTraits
    private var nextAt = Duration.zero
    private var isDrawn = false

    init(_ label: String, unit: Unit, traits: TerminalTraits) {
        (self.label, self.unit, self.traits) = (label, unit, traits)
    }

    /// The text to write now, if any: a bar at most ten times a second, a line at most once a second after the first.
    /// The elapsed time never goes back.
    mutating func update(done: Int, of total: Int?, after elapsed: Duration, columns: Int) -> String? {
        guard traits.canRedraw else {
            // Work that ends within a second needs none.
            if nextAt == .zero { nextAt = .seconds(1) }
            guard elapsed >= nextAt else { return nil }
            nextAt = elapsed + .seconds(1)
            return "\(label): \(amount(done, of: total))\n"
        }
        guard elapsed >= nextAt else { return nil }
        nextAt = elapsed + .milliseconds(100)
        isDrawn = true
        return "\r" + bar(done, of: total, after: elapsed, columns: columns) + "\u{1B}[K"
    }

    mutating func clear() -> String? {
        defer { isDrawn = false }
        return isDrawn ? "\r\u{1B}[K" : nil
    }

    /// `1.2 MB of 2.8 MB (43 %)`
    private func amount(_ done: Int, of total: Int?) -> String {
        guard let total, total > 0 else { return unit.text(done) }
        return "\(unit.text(done)) of \(unit.text(total)) (\(Self.percent(done, of: total)) %)"
    }

    /// The label and the numbers, with a bar between them if there is room; truncated at the end of the line.
    private func bar(_ done: Int, of total: Int?, after elapsed: Duration, columns: Int) -> String {
        // The last column stays free: some terminals wrap the line when it is filled.
        let width = max(0, columns - 1)
        let numbers = "\(amount(done, of: total))  \(FormattedNumber.duration(elapsed))"
        let room = min(40, width - label.count - numbers.count - 6)
        guard let total, total > 0, room >= 8 else { return String("\(label)  \(numbers)".prefix(width)) }
        let filled = room * Self.percent(done, of: total) / 100
        let full = String(repeating: "#", count: filled)
        let empty = String(repeating: "-", count: room - filled)
        let drawn = traits.allowsColor ? "\u{1B}[32m\(full)\u{1B}[0m\(empty)" : full + empty
        return "\(label)  [\(drawn)]  \(numbers)"
    }

    private static func percent(_ done: Int, of total: Int) -> Int {
        Int(clamping: 100 * (Double(min(max(0, done), total)) / Double(total)))
    }
}

/// Progress of work in phases, which any thread can update. Its time goes on while it is drawn.
final class PhasedProgress: Sendable {
    private struct State: ~Copyable {
        var label = ""
        var progress: Progress?
        var isEnded = false
        var isServed = false
    }

    private let state = Mutex(State())
    private let console: Console

    init(on console: Console) { self.console = console }

    var phase: String { state.withLock { $0.label } }

    /// Whether a server does the work, which goes on without this process.
    var isServed: Bool {
        get { state.withLock { $0.isServed } }
        set { state.withLock { $0.isServed = newValue } }
    }

    /// Another label than before begins a phase.
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
    }

    func draw() { state.withLock { $0.progress?.draw() } }
}
