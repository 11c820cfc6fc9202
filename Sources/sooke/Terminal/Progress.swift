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
        if let text = display.clear() { console.note(text) }
    }

    /// So much is done, of so much when that is known.
    mutating func update(done: Int, of total: Int?) {
        self.done = done
        let columns = display.traits.canRedraw ? TerminalTraits.columns(of: console.errors) : 0
        let text = display.update(done: done, of: total, after: start.duration(to: .now), columns: columns)
        if let text { console.note(text) }
    }

    /// All is done.
    consuming func finish() {
        if let text = display.finish(done: done, after: start.duration(to: .now)) { console.note(text) }
    }
}
