import Testing

@testable import sooke

/// The time of `sooke restore --at`.
@Suite struct RestoreCommandTests {
    private let folder: TemporaryFolder

    /// A town whose clocks are those of Vancouver.
    init() async throws {
        folder = try TemporaryFolder()
        try folder.write("name,address,latitude,longitude\nShop,1 Wharf Road,48.37,-123.73\n", to: "shops.csv")
        let made = try await CapturedConsole.run(
            ["import", "--time-zone", "America/Vancouver", "\(folder.path)/shops.csv"], on: folder)
        try #require(made.code == .success, "\(made.said)")
    }

    @Test(arguments: [
        ("2027-13-01 12:00", ExitCode.usage, "--at takes a time of the town such as '2026-11-20 18:00'"),
        ("2026-11-20", .usage, "--at takes"),
        ("2500-06-01 12:00", .usage, "--at: 2500-06-01T19:00:00Z is in the future; it is "),
        ("2500-06-01T12:00:00+01:00", .usage, "--at: 2500-06-01T11:00:00Z is in the future; it is "),
        (
            "2025-03-09 02:30", .usage,
            "--at: the clocks of America/Vancouver showed that never; write it with its offset"
        ),
        (
            "2025-11-02T01:30:00", .usage,
            "--at: the clocks of America/Vancouver showed that twice; write it with its offset"
        ),
        ("2025-11-02T01:30:00-08:00", .noInput, "there was no town yet"),
        ("2025-06-01 12:00:30", .noInput, "there was no town yet"),
    ])
    func refuses(moment: String, code: ExitCode, message: String) async throws {
        let result = try await CapturedConsole.run(
            ["restore", "--at", moment, "--to", "\(folder.path)/new"], on: folder)
        #expect(result.code == code)
        #expect(result.said.contains(message), "\(result.said)")
        #expect(!DataFolder.exists("\(folder.path)/new/manifest.json"))
    }
}
