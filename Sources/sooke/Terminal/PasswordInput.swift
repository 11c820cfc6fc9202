import Platform

/// Reads a new password: on a terminal without echo, twice; else the first line of standard input.
enum PasswordInput {
    static func read(_ console: Console, for email: String) throws(CommandError) -> String {
        guard console.input.isTerminal else { return try line(console) }
        let first = try prompt("New password for \(email): ", console)
        guard try prompt("The same once more: ", console) == first else {
            throw CommandError(.badData, "the two passwords differ; nothing was changed")
        }
        return first
    }

    private static func prompt(_ question: String, _ console: Console) throws(CommandError) -> String {
        console.report(question)
        guard let terminal = console.input.silence() else { return try line(console) }
        defer {
            terminal.restore()
            console.report("\n")
        }
        return try line(console)
    }

    private static func line(_ console: Console) throws(CommandError) -> String {
        var bytes: [UInt8] = []
        do throws(SystemError) {
            while let byte = try console.input.read(upTo: 1).first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        } catch {
            throw CommandError(.inputOutput, "cannot read the password: \(error)")
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw CommandError(.badData, "there is no password on standard input")
        }
        return text
    }
}
