import Testing

@testable import sooke

/// Errors of `sooke user` and `sooke token` that are found before a folder is opened.
@Suite struct UserCommandTests {
    @Test(arguments: [
        ("user promote dan@slacktide.example", "user promote needs --role ROLE: what may they do?"),
        ("user promote", "user promote needs an EMAIL"),
        ("user list dan@slacktide.example", "user list takes no EMAIL"),
        ("token list till", "token list takes no NAME"),
        ("token create till", "token create needs --for EMAIL: whose token is it?"),
        ("token revoke till", "token revoke takes the ID that `sooke token list --data /nowhere` shows"),
    ])
    func refuses(line: String, message: String) throws {
        let captured = try CapturedConsole()
        let words = line.split(separator: " ").map(String.init)
        #expect(Program.sooke.run(words + ["--data", "/nowhere"], on: captured.console) == .usage)
        #expect(try captured.errorsText() == "sooke: \(message)\n")
    }
}
