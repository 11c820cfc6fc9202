import Foundation
import Journal
import Testing
import TestSupport

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

/// The warning about a first password that would be sent in plain text.
@Suite struct SetupLinkTests {
    @Test(
        arguments: [
            ("https://town.example/setup#x", nil), ("http://127.0.0.1:8080/setup#x", nil),
            ("http://localhost:8080/setup#x", nil), ("http://[::1]:8080/setup#x", nil),
            ("http://town.example/setup#x", "https://town.example"),
            ("http://192.0.2.7:8080/setup#x", "https://192.0.2.7"),
            ("http://127.0.0.1.town.example/setup#x", "https://127.0.0.1.town.example"),
        ] as [(String, String?)])
    func isGivenWithoutTLS(link: String, url: String?) {
        let warning = SetupLink.warning(about: link)
        #expect((warning != nil) == (url != nil))
        if let url { #expect(warning?.hasSuffix("start the server with --url \(url)") == true) }
    }
}
