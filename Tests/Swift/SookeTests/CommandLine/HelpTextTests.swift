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
}
