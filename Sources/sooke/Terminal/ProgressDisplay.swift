/// What to show of work under way: a bar that is drawn over on a terminal, now and then a plain line elsewhere.
///
/// It does no input or output and looks at no clock: it is told how far the work is and how long it has taken, and says
/// what to write.
struct ProgressDisplay: Sendable {
    /// What the numbers count.
    enum Unit: Sendable {
        case bytes
        /// Things with a name in the plural, such as `rows`.
        case things(String)

        func text(_ count: Int) -> String {
            switch self {
            case .bytes: FormattedNumber.bytes(count)
            case .things(let name): "\(FormattedNumber.grouped(count)) \(name)"
            }
        }
    }

    /// What is going on, such as `reading events.csv`.
    let label: String
    let unit: Unit
    let traits: TerminalTraits
    private var nextAt = Duration.zero
    private var isDrawn = false

    init(_ label: String, unit: Unit, traits: TerminalTraits) {
        (self.label, self.unit, self.traits) = (label, unit, traits)
    }

    /// What to write now, if anything: a bar at most ten times a second, a line at most once a second after the first.
    ///
    /// - Parameters:
    ///   - total: how much there is to do, when that is known.
    ///   - elapsed: time since the work began; never goes back.
    ///   - columns: the width of the terminal.
    mutating func update(done: Int, of total: Int?, after elapsed: Duration, columns: Int) -> String? {
        guard traits.canRedraw else {
            // Work that is over within a second needs no line but its last.
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

    /// What to write at the end: the bar goes away; elsewhere a last line says what was done.
    mutating func finish(done: Int, after elapsed: Duration) -> String? {
        guard traits.canRedraw else { return "\(label): \(unit.text(done)) in \(FormattedNumber.duration(elapsed))\n" }
        return clear()
    }

    /// What to write when the work ends without having come to its end.
    mutating func clear() -> String? {
        defer { isDrawn = false }
        return isDrawn ? "\r\u{1B}[K" : nil
    }

    /// `1.2 MB of 2.8 MB (43 %)`
    private func amount(_ done: Int, of total: Int?) -> String {
        guard let total, total > 0 else { return unit.text(done) }
        return "\(unit.text(done)) of \(unit.text(total)) (\(Self.percent(done, of: total)) %)"
    }

    /// The label and the numbers, with a bar between them as long as there is room; cut where the line ends.
    private func bar(_ done: Int, of total: Int?, after elapsed: Duration, columns: Int) -> String {
        // The last column stays free: some terminals go on to the next line when it is filled.
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
        Int(100 * (Double(min(max(0, done), total)) / Double(total)))
    }
}
