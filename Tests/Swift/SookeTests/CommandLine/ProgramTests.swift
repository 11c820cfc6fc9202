import Platform
import Testing

@testable import sooke

@Suite struct ProgramTests {
    /// A command line and its result: the exit code, the start of standard output and of standard error.
    @Test(arguments: [
        ("serve --port 90", ExitCode.damaged, "port 90\n", ""),
        ("serve --help --nonsense", .success, "Serve the town.\n", ""), ("--help", .success, "A sample.\n", ""),
        ("-h", .success, "A sample.\n", ""), ("", .usage, "", "A sample.\n"),
        ("sevre", .usage, "", "sooke: unknown command sevre; did you mean serve?\n"),
        ("backup", .usage, "", "sooke: unknown command backup; `sooke help` lists the commands\n"),
        ("--port", .usage, "", "sooke: unknown option --port; `sooke help` lists the commands\n"),
        ("serve --prot 80", .usage, "", "sooke: unknown option --prot for `sooke serve`; did you mean --port?\n"),
        ("load \u{1B}[2J\nx --y", .usage, "", "sooke: unknown option --y for `sooke load`; see `sooke load --help`\n"),
        ("se\u{1B}[2J\rve", .usage, "", "sooke: unknown command se\\u{1b}[2J\\u{d}ve; "),
    ])
    func runs(line: String, code: ExitCode, output: String, errors: String) throws {
        let captured = try CapturedConsole()
        let words = line.split(separator: " ").map(String.init)
        #expect(Sample.program.run(words, on: captured.console) == code)
        #expect(try captured.outputText().hasPrefix(output))
        #expect(try captured.errorsText().hasPrefix(errors))
        #expect(try output.isEmpty == captured.outputText().isEmpty)
        #expect(try errors.isEmpty == captured.errorsText().isEmpty)
    }

    @Test func failsWhenOutputCannotBeWritten() throws {
        let full = try OwnedDescriptor.open("/dev/full", .write)
        let captured = try CapturedConsole()
        var console = captured.console
        console.output = full.descriptor
        #expect(Sample.program.run(["serve"], on: console) == .inputOutput)
        #expect(
            try captured.errorsText() == "sooke: cannot write to standard output: No space left on device\n")
    }
}
