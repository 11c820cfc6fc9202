import Testing

@testable import sooke

/// `sooke backup --if-changed`, `sooke restore --check` and the limits of IDs in an import, as somebody runs them.
@Suite struct BackupCommandTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try folder.write("name,address,latitude,longitude\nShop,1 Wharf Road,48.37,-123.73\n", to: "shops.csv")
        try #require(try await run(["import", "\(folder.path)/shops.csv"]).code == .success)
    }

    private func run(_ words: [String]) async throws -> (code: ExitCode, said: String) {
        try await CapturedConsole.run(words, on: folder)
    }

    /// A file is written after a change, and neither written nor mentioned without one.
    @Test func ifChangedWritesOnlyAfterAChange() async throws {
        let file = "\(folder.path)/town.json"
        for (words, writes) in [
            ([], true), ([], false), (["user", "add", "ada@town.example"], true), ([], false),
        ] as [([String], Bool)] {
            if !words.isEmpty { try #require(try await run(words).code == .success) }
            let result = try await run(["backup", "--if-changed", file])
            #expect(result.code == .success)
            #expect(result.said.isEmpty != writes, "\(result.said)")
        }
        try folder.write(String(try folder.text(of: "town.json").dropLast(40)), to: "town.json")
        #expect(try await run(["backup", "--if-changed", file]).said.contains("the town after change"))
        #expect(try await run(["backup", "--if-changed", "-"]).code == .usage)
    }

    @Test func checkAcceptsWhatARestoreAccepts() async throws {
        let file = "\(folder.path)/town.json"
        try #require(try await run(["backup", file]).code == .success)
        let text = try folder.text(of: "town.json")
        #expect(try await run(["restore", "--check", "--max-age", "1d", file]).said.contains("restores: "))
        for damaged in ["", "{}\n", String(text.dropLast(40)), text.replacing("Wharf", with: "Whorf")] {
            try folder.write(damaged, to: "town.json")
            #expect(try await run(["restore", "--check", file]).code == .badData, "\(damaged.prefix(40))")
        }
        #expect(!DataFolder.exists("\(folder.path)/new"))
    }

    /// Of the files that a name matches the one is tried that was written last; once a day, or again after a failure.
    @Test func checkTriesTheNewest() async throws {
        let check = ["backup", "--check", "\(folder.path)/now-%Y.json"]
        #expect(try await run(check).code == .noInput)
        try folder.write("{}", to: "now-2020.json")
        #expect(try await run(check + ["--if-missing"]).code == .badData)
        #expect(try await run(["status"]).said.contains("broken: The newest backup does not restore"))
        try #require(try await run(["backup", "\(folder.path)/now-2021.json"]).code == .success)
        #expect(try await run(check + ["--if-missing"]).said.contains("now-2021.json restores: 1 business, 0 events"))
        #expect(try await run(check + ["--if-missing"]).said.isEmpty)
        #expect(try await run(["status"]).said.contains("restore      Tried less than a minute ago: "))
        #expect(try await run(check + ["--keep", "3"]).code == .usage)
        #expect(!DataFolder.exists("\(folder.path)/now-2026.json"), "none is written")
    }

    /// An import cannot take an ID so high that none is left for what comes after it.
    @Test(arguments: [(1 << 52, ExitCode.success), (1 << 52 + 1, .badData), (1 << 53 - 1, .badData)])
    func theHighestIDs(id: Int, code: ExitCode) async throws {
        try folder.write(#"{"categories":[{"id":\#(id),"name":"Pubs","slug":"pubs"}]}"#, to: "town.json")
        let result = try await run(["import", "\(folder.path)/town.json"])
        #expect(result.code == code && (code == .success || result.said.contains("id: must")), "\(result.said)")
    }
}
