import Platform
import Testing

@testable import sooke

@Suite struct ProgressDisplayTests {
    private static func display(_ label: String, unit: ProgressDisplay.Unit = .bytes, on term: String?)
        -> ProgressDisplay
    {
        let environment = Environment(term.map { ["TERM": $0, "NO_COLOR": "1"] } ?? [:])
        return ProgressDisplay(label, unit: unit, traits: TerminalTraits(isTerminal: term != nil, environment))
    }

    /// How wide the terminal is, and the bar at 1.2 of 2.8 MB after 12 s.
    @Test(arguments: [
        (
            90,
            "import  [" + String(repeating: "#", count: 17) + String(repeating: "-", count: 23)
                + "]  1.2 MB of 2.8 MB (43 %)  12 s"
        ),
        (60, "import  [#######-----------]  1.2 MB of 2.8 MB (43 %)  12 s"),
        (40, "import  1.2 MB of 2.8 MB (43 %)  12 s"),
        (20, "import  1.2 MB of 2"),
        (1, ""),
        (0, ""),
    ])
    func fitsTheWidth(columns: Int, bar: String) {
        var display = Self.display("import", on: "xterm")
        let text = display.update(done: 1_210_000, of: 2_800_000, after: .seconds(12), columns: columns)
        #expect(text == "\r\(bar)\u{1B}[K")
        #expect(bar.count < max(1, columns))
    }

    @Test func drawsTenTimesASecondAtMost() {
        var display = Self.display("import", on: "xterm")
        var drawn = 0
        for millisecond in 0..<1000 {
            let text = display.update(
                done: millisecond, of: 1000, after: .milliseconds(millisecond), columns: 80)
            drawn += text == nil ? 0 : 1
        }
        #expect(drawn == 10)
    }

    @Test func clearsTheBarAtTheEnd() {
        var display = Self.display("import", on: "xterm")
        #expect(display.clear() == nil)
        _ = display.update(done: 1, of: 2, after: .zero, columns: 80)
        #expect(display.finish(done: 2, after: .seconds(1)) == "\r\u{1B}[K")
        #expect(display.clear() == nil)
    }

    @Test func colorsOnlyTheBar() {
        var display = ProgressDisplay(
            "import", unit: .bytes, traits: TerminalTraits(isTerminal: true, Environment(["TERM": "xterm"])))
        let text = display.update(done: 1, of: 2, after: .zero, columns: 60)
        let bar = "[\u{1B}[32m###########\u{1B}[0m------------]"
        #expect(text == "\rimport  \(bar)  1 B of 2 B (50 %)  0.0 s\u{1B}[K")
    }

    @Test(arguments: [nil, "dumb"])
    func writesPlainLinesElsewhere(term: String?) {
        var display = Self.display("events.csv", unit: .things("row"), on: term)
        var lines: [String] = []
        for tenth in 0..<25 {
            let total = tenth < 15 ? nil : 2500
            if let line = display.update(done: tenth * 100, of: total, after: .milliseconds(tenth * 100), columns: 0) {
                lines.append(line)
            }
        }
        if let line = display.finish(done: 2500, after: .milliseconds(2500)) { lines.append(line) }
        #expect(
            lines == [
                "events.csv: 1,000 rows\n", "events.csv: 2,000 rows of 2,500 rows (80 %)\n",
                "events.csv: 2,500 rows in 2.5 s\n",
            ])
    }
}
