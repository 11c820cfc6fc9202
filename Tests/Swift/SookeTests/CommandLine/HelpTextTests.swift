import Foundation
import Platform
import Testing

@testable import sooke

@Suite struct HelpTextTests {
    static let commands = Program.sooke.commands + Sample.program.commands

    @Test(
        arguments: [
            HelpText.overview(of: .sooke), HelpText.overview(of: Sample.program), HelpText.environment(of: commands),
        ] + Program.sooke.topics.map(\.text) + commands.map { HelpText.text(for: $0) })
    func fitsTheTerminal(text: String) {
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
        for line in text.split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
            #expect(line.last != " ", "\(line)")
            #expect(line.allSatisfy { $0.isASCII }, "\(line)")
        }
    }

    @Test(arguments: Program.sooke.commands.map(\.name))
    func hasExamplesThatParse(name: String) throws {
        let command = try #require(Program.sooke.commands.first { $0.name == name })
        #expect(!command.examples.isEmpty)
        #expect(!command.summary.hasSuffix("."))
        #expect(command.summary.count <= 60)
        for example in command.examples {
            let start = try #require(example.line.range(of: "sooke \(name)"), "\(example.line)")
            let words = example.line[start.upperBound...].prefix { !")>|&".contains($0) }.split(separator: " ")
            #expect(throws: Never.self) {
                try ArgumentParser.parse(words.map(String.init), for: command, environment: Environment([:]))
            }
        }
    }

    @Test func describesEverything() {
        let text = HelpText.text(for: Sample.serve)
        #expect(
            text == """
                Serve the town.

                Usage: sooke serve [--data DIR] [--port PORT] [--now MOMENT] [--time-zone ZONE]
                                   [--cors-origin ORIGIN]... [--dry-run] [--format FORMAT]
                                   [TARGET]

                Arguments:
                  TARGET                  Where to. (default: -)

                Options:
                  --data DIR              The folder. It must exist. (default: ./town;
                                          environment: SAMPLE_DATA)
                  --port PORT             The port; 0 takes a free one. (default: 8080;
                                          environment: PORT)
                  --now MOMENT            What time it is [always].
                  --time-zone ZONE        Where the town's clocks are.
                  --cors-origin ORIGIN    Who may ask: the town's own pages. May be given more
                                          than once. (default: http://localhost:8080;
                                          environment: ORIGINS)
                  --dry-run               Only looks, isn't changing anything.
                  --format FORMAT         How it is written. One of json, ndjson, csv. (default:
                                          json)
                  -h, --help              Prints this help.

                Example:
                  sooke serve
                      Serves.

                Exit codes:
                  0   done
                  64  the command line is wrong; nothing was done

                """)
    }

    @Test(arguments: [
        ("", []), ("one", ["  one"]), ("one two three", ["  one two", "  three"]),
        ("incomprehensible two", ["  incomprehensible", "  two"]),
    ])
    func wraps(text: String, lines: [String]) {
        #expect(TextWrap.lines(text, indent: 2, width: 9) == lines)
    }
}
