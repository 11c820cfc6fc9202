/// A word of a command line for the shell, for commands in messages.
public enum ShellWord {
    /// The text as one word of a POSIX shell; in quotes if it needs them.
    public static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 || "/._-+:@%,=".utf8.contains(byte)
        }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
