import Foundation
import TestSupport
import Testing

@testable import sooke

/// The first command that writes to a folder of disk format 3.
@Suite struct FormatUpgradeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let archive = ProjectFolder.file("Tests/Binary/Faults/format-3.tar.gz").path
        let names = ["-C", folder.path, "--no-same-owner", "--transform", "s/format-3/town/"]
        try ChildProcess("/usr/bin/env", ["tar", "-xzf", archive] + names).succeed()
    }

    private func run(_ words: String...) async throws -> String {
        let result = try await CapturedConsole.run(words, on: folder)
        #expect(result.code == .success, "\(result.said)")
        return result.said
    }

    @Test func namesTheBackupThatItMakes() async throws {
        let way = "before-format-4.json has the town"
        #expect(try await !run("status").contains("before-format"))
        try folder.write("name,address,latitude,longitude\nShop,1 Wharf Road,48.37,-123.73\n", to: "shops.csv")
        let message = "before-format-4.json: the folder had disk format 3, and has 4 from now on."
        let file = "\(folder.path)/shops.csv"
        #expect(try await run("import", file).contains(message))
        let status = try await run("status").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(status.contains(way))
        #expect(try folder.text(of: "town/before-format-4.json").hasPrefix(#"{"format":"sooke/3","#))
        #expect(try await run("verify").contains("all is sound"))
        #expect(try await !run("import", "--dry-run", file).contains(message))

        // The import says what it was.
        let log = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/town").filter {
            $0.hasPrefix("wal-")
        }
        let acts = try log.map { try folder.text(of: "town/\($0)") }.filter {
            $0.contains(#""act":{"verb":"import","file":"shops.csv"},"changes":[{"#)
        }
        #expect(acts.count == 1)

        try FileManager.default.removeItem(atPath: "\(folder.path)/town/before-format-4.json")
        #expect(try await !run("status").contains("way back"))
    }
}
