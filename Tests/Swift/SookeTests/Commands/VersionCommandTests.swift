import Foundation
import Journal
import TestSupport
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

    /// The pages name the version, with what it has changed, and the disk format.
    @Test func isInTheChangelog() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: ProjectFolder.file(path), encoding: .utf8)
        }
        let changes = try #require(try text("Sources/sooke/README.md").components(separatedBy: "\n## CHANGELOG\n").last)
        let rows = changes.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        let newest = try #require(rows.dropFirst().first)
        #expect(newest.hasPrefix("| \(BuildInfo.version) |"))
        #expect(newest.contains("disk format \(CheckedDocument.version)"))
        #expect(try text("Sources/SookeClient/README.md").contains("from: \"\(BuildInfo.version)\""))
    }
}
