import Journal
import Testing

@testable import sooke

@Suite struct VersionCommandTests {
    @Test func namesWhatItWasBuiltFrom() throws {
        let captured = try CapturedConsole()
        #expect(Program.sooke.run(["version"], on: captured.console) == .success)
        let line = try captured.outputText()
        #expect(line.hasPrefix("sooke \(BuildInfo.version) ("))
        #expect(line.contains("disk format \(CheckedDocument.version), Swift "))
        if let commit = BuildInfo.commit {
            #expect(line.contains("(commit \(commit), "))
            #expect(commit.count == 12 && commit.allSatisfy(\.isHexDigit))
        }
    }
}
