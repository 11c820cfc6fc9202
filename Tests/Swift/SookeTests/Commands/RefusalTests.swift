import Testing

@testable import sooke

/// Errors of command lines that are found before a folder is opened.
@Suite struct RefusalTests {
    @Test(arguments: [
        ("user promote dan@slacktide.example", "missing option --role ROLE"),
        ("user promote", "user promote needs an EMAIL"),
        ("user list dan@slacktide.example", "user list takes no EMAIL"),
        ("token list till", "token list takes no NAME"),
        ("token create till", "missing option --for EMAIL (the account that owns the token)"),
        ("token revoke till", "token revoke takes the ID that `sooke token list --data /nowhere` shows"),
        ("calendar list 3", "calendar list takes no ID"),
        ("calendar add", "calendar add needs an ADDRESS, or --file LIST"),
        ("calendar check", "calendar check needs an ADDRESS"), ("calendar pause", "calendar pause needs an ID"),
        ("calendar gone x", "calendar gone takes the ID that `sooke calendar list --data /nowhere` shows"),
        ("serve", "the environment variable HOST takes an address such as 127.0.0.1, not \"my.laptop\""),
    ])
    func refuses(line: String, message: String) throws {
        let captured = try CapturedConsole(["HOST": "my.laptop"])
        let words = line.split(separator: " ").map(String.init)
        #expect(Program.sooke.run(words + ["--data", "/nowhere"], on: captured.console) == .usage)
        #expect(try captured.errorsText() == "sooke: \(message)\n")
    }
}
