import Bytes
import Foundation
import Testing

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("town", "town"), ("/var/lib/sooke", "/var/lib/sooke"), ("", "''"), ("my town", "'my town'"),
        ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("~", "'~'"), ("a;b", "'a;b'"), ("a\nb", "'a\nb'"),
        ("caf\u{E9}", "caf\u{E9}"),
    ])
    func quotes(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }

    /// The shell reads a quoted word as the text.
    @Test func aShellReadsTheText() throws {
        let text = "it's \"my\" $HOME `town` \\ *"
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "printf %s \(ShellWord.quoted(text))"]
        shell.standardOutput = output
        try shell.run()
        let word = try #require(try output.fileHandleForReading.readToEnd())
        #expect(String(decoding: word, as: UTF8.self) == text)
    }
}
