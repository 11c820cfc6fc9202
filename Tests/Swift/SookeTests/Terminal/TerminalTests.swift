import Bytes
import Platform
import Testing

@testable import sooke

@Suite struct ConsoleTests {
    /// Lines have a priority where standard error is the journal, and not where it is a file beside it.
    @Test(arguments: [false, true], [false, true])
    func givesThePrioritiesOfTheJournal(isJournal: Bool, isJSON: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try OwnedDescriptor.open("\(folder.path)/errors", [.readWrite, .create])
        let identity = try file.descriptor.status().identity
        let stream = "\(identity.device):\(isJournal ? identity.number : identity.number + 1)"
        var console = Console(errors: file.descriptor, environment: Environment(["JOURNAL_STREAM": stream]))
        console.logsJSON = isJSON
        console.log(.info, "ready")
        console.log(.warning, "slow")
        console.log(.error, "full")
        console.report(CommandError(.inputOutput, "ended"))
        let starts = try folder.text(of: "errors").split(separator: "\n").map { $0.prefix(4) }
        let line = isJSON ? "{\"ti" : "sook"
        #expect(
            starts
                == (isJournal
                ? [line, "<4>\(line.prefix(1))", "<3>\(line.prefix(1))", "<3>\(line.prefix(1))"]
                : [line, line, line, line]).map { $0[...] })
    }
}

@Suite struct TerminalTraitsTests {
    /// Whether it is a terminal, the variables, and whether it can redraw and allows colour.
    @Test(arguments: [
        (true, ["TERM": "xterm"], true, true), (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
        (true, ["TERM": "xterm", "NO_COLOR": "1"], true, false), (true, ["TERM": "dumb"], false, false),
        (true, [:], false, false), (false, ["TERM": "xterm"], false, false),
    ])
    func heeds(isTerminal: Bool, variables: [String: String], canRedraw: Bool, allowsColor: Bool) {
        let traits = TerminalTraits(isTerminal: isTerminal, Environment(variables))
        #expect(traits.canRedraw == canRedraw)
        #expect(traits.allowsColor == allowsColor)
    }
}

@Suite struct FormattedNumberTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"), (9_949, "9.9 kB"),
        (9_950, "10 kB"), (12_345, "12 kB"), (999_499, "999 kB"), (999_950, "1.0 MB"), (1_234_567, "1.2 MB"),
        (64_000_000, "64 MB"), (2_500_000_000, "2.5 GB"), (Int.max, "9.2 EB"),
    ])
    func writesBytes(count: Int, text: String) {
        #expect(FormattedNumber.bytes(count) == text)
    }
}

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
        (40, "import  1.2 MB of 2.8 MB (43 %)  12 s"), (20, "import  1.2 MB of 2"), (1, ""), (0, ""),
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
        #expect(lines == ["events.csv: 1,000 rows\n", "events.csv: 2,000 rows of 2,500 rows (80 %)\n"])
    }
}
