/// Shows the progress of work on standard error. The bar is removed when the work ends in any way.
struct Progress: ~Copyable {
    private var display: ProgressDisplay
    private let console: Console
    private let start = ContinuousClock.now
    private var done = 0
    private var total: Int?

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

    /// Updates the progress, with the total if it is known.
    mutating func update(done: Int, of total: Int?) {
        (self.done, self.total) = (done, total)
        draw()
    }

    /// Draws the progress again, with the time that has passed.
    mutating func draw() {
        let columns = display.traits.canRedraw ? TerminalTraits.columns(of: console.errors) : 0
        let text = display.update(done: done, of: total, after: start.duration(to: .now), columns: columns)
        if let text { console.report(text) }
    }

    /// The work is complete.
    consuming func finish() {
        if let text = display.finish(done: done, after: start.duration(to: .now)) { console.report(text) }
    }
}
