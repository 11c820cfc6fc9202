import Bytes
import Testing

@testable import sooke

@Suite struct ArgumentParserTests {
    @Test func readsEveryKindOfParameter() throws {
        let line =
            "serve --port 80 --now=2026-11-21T09:30:00Z --cors-origin a --cors-origin=b --dry-run --format csv out"
        let invocation = try Sample.parse(line)
        #expect(try invocation[Sample.port] == 80)
        #expect(try invocation[Sample.now] == Timestamp(rfc3339: "2026-11-21T09:30:00Z"))
        #expect(try invocation[Sample.origins] == ["a", "b"])
        #expect(try invocation[Sample.dryRun])
        #expect(try invocation[Sample.format] == .csv)
        #expect(try invocation[Sample.target] == "out")
    }

    @Test func fallsBackToDefaults() throws {
        let invocation = try Sample.parse("serve")
        #expect(try invocation[Sample.data] == "./town")
        #expect(try invocation[Sample.port] == 8080)
        #expect(try invocation[Sample.now] == nil)
        #expect(try invocation[Sample.origins] == ["http://localhost:8080"])
        #expect(try !invocation[Sample.dryRun])
        #expect(try invocation[Sample.target] == "-")
    }

    @Test func takesOptionBeforeVariableBeforeDefault() throws {
        let variables = ["PORT": "81", "SAMPLE_DATA": "", "ORIGINS": "a, b,,c "]
        #expect(try Sample.parse("serve --port 82", variables)[Sample.port] == 82)
        #expect(try Sample.parse("serve", variables)[Sample.port] == 81)
        #expect(try Sample.parse("serve", variables)[Sample.data] == "./town")
        #expect(try Sample.parse("serve", variables)[Sample.origins] == ["a", "b", "c"])
    }

    @Test(arguments: [
        ("load a b", ["a", "b"]), ("load a --data d b", ["a", "b"]), ("load -", ["-"]),
        ("load -- --data -x", ["--data", "-x"]), ("load a -- -- b", ["a", "--", "b"]),
    ])
    func takesOperands(line: String, files: [String]) throws {
        #expect(try Sample.parse(line)[Sample.files] == files)
    }

    @Test(arguments: [
        ("serve --prot 80", "unknown option --prot for `sooke serve`; did you mean --port?"),
        ("serve --dta=x", "unknown option --dta for `sooke serve`; did you mean --data?"),
        ("serve --cors x", "unknown option --cors for `sooke serve`; did you mean --cors-origin?"),
        ("serve --verbose", "unknown option --verbose for `sooke serve`; see `sooke serve --help`"),
        ("serve -p 80", "unknown option -p for `sooke serve`; see `sooke serve --help`"),
        ("serve --port", "--port needs a value: --port PORT"), ("serve --port=", "--port needs a value: --port PORT"),
        ("serve --data --port 80", "--data needs a value: --data DIR"),
        ("serve --port 80 --port 81", "--port is given twice; leave one out"),
        ("serve --dry-run --dry-run", "--dry-run is given twice; leave one out"),
        ("serve --dry-run=yes", "--dry-run takes no value; leave out \"=yes\""),
        ("serve --port 65536", "--port takes a number from 0 to 65535, not \"65536\""),
        ("serve --port +80", "--port takes a number from 0 to 65535, not \"+80\""),
        ("serve --now today", "--now takes a time such as 2026-11-21T09:30:00Z, not \"today\""),
        ("serve --format cvs", "--format takes json, ndjson or csv, not \"cvs\"; did you mean csv?"),
        ("serve a b", "`sooke serve` has no use for \"b\"; see `sooke serve --help`"),
        ("load", "`sooke load` needs FILE; see `sooke load --help`"),
    ])
    func refuses(line: String, message: String) {
        #expect(throws: CommandError(.usage, message)) { try Sample.parse(line) }
    }
}

@Suite struct ValueSyntaxTests {
    @Test(arguments: [
        ("1d", 86_400), ("36h", 129_600), ("90m", 5400), ("3653d", 315_619_200), ("007m", 420), ("1", nil), ("d", nil),
        ("", nil), ("0d", nil), ("-1d", nil), ("1.5h", nil), ("1 d", nil), ("1s", nil), ("1D", nil), ("3654d", nil),
        ("99999999999999999999m", nil), ("9223372036854775807d", nil), ("１d", nil),
    ])
    func anAgeHasAUnit(text: String, seconds: Int?) {
        #expect(ValueSyntax.age.read(text) == seconds.map { .seconds($0) })
    }
}
