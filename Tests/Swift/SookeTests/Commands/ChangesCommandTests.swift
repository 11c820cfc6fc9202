import Testing

@testable import sooke

@Suite struct ChangesCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ words: String...) throws -> (code: ExitCode, output: String, errors: String) {
        let captured = try CapturedConsole()
        let code = Program.sooke.run(["changes", "--data", folder.path] + words, on: captured.console)
        return (code, try captured.outputText(), try captured.errorsText())
    }

    @Test(arguments: ["x", "1200", "12.8f3c"])
    func refusesWhatIsNoPosition(text: String) throws {
        let result = try run("--since", text)
        #expect(result.code == .usage)
        #expect(result.errors.hasPrefix("sooke: --since takes a position such as 1200.8f3c5a7790d1e2b4, or 0, not"))
    }

    @Test func needsAServerToFollow() throws {
        try folder.write("", to: "manifest.json")
        let result = try run("--follow", "--since", "0")
        #expect(result.code == .unavailable)
        #expect(
            result.errors
                == "sooke: no server runs on \(folder.path); start one with: sooke serve --data \(folder.path)\n")
    }

    /// The position is for programs: people read what has changed.
    @Test(arguments: [
        (
            ["--format", "json"], #"{"kind":"business","action":"deleted","id":7,"slug":"zeds"}"#,
            "{\"position\":\"5.00112233445566aa\"}\n"
        ),
        ([], "deleted business zeds", ""),
    ])
    func showsAWholeTown(options: [String], line: String, position: String) throws {
        try folder.write("", to: "manifest.json")
        let server = try TinyServer(
            at: "\(folder.path)/admin.sock",
            response: Self.response(line.prefix(9), line.dropFirst(9), "\n{\"position\":\"5.00112233445566aa\"}\n"[...])
        )
        let captured = try CapturedConsole()
        let words = ["changes", "--data", folder.path, "--since", "0", "--topics", "business,zeds"] + options
        #expect(Program.sooke.run(words, on: captured.console) == .success)
        #expect(try captured.outputText() == line + "\n" + position)
        let format = options.last ?? "text"
        #expect(
            server.receivedRequest().hasPrefix(
                "GET /api/v1/admin/changes?format=\(format)&since=0&topics=business%2Czeds&follow=false HTTP/1.1\r\n"))
    }

    private static func response(_ pieces: Substring...) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    }

    @Test func saysHowToContinue() throws {
        try folder.write("", to: "manifest.json")
        let server = try TinyServer(
            at: "\(folder.path)/admin.sock",
            response: Self.response("{\"position\":\"5.00112233445566aa\"}\n"))
        let result = try run("--follow", "--since", "4.00112233445566bb")
        #expect(result.code == .unavailable)
        #expect(
            result.errors == "sooke: the server has ended the stream; once it runs again, continue with "
                + "--since 5.00112233445566aa\n")
        _ = server.receivedRequest()
    }
}
