import Platform

struct Console: Sendable {
    var input = FileDescriptor.standardInput
    var output = FileDescriptor.standardOutput
    var errors = FileDescriptor.standardError
    var environment = Environment.process
    var logsJSON = false

    func print(_ text: String) throws(CommandError) {
        try print(Array(text.utf8))
    }

    func print(_ bytes: [UInt8]) throws(CommandError) {
        try CommandError.mapped("cannot write to standard output", .inputOutput) { try output.write(bytes) }
    }

    /// Writes that a server is ready to standard output; it serves without that too, as on a full disk.
    func announce(_ text: String) {
        do throws(CommandError) { try print(text) } catch { log(.warning, error.message) }
    }

    /// Writes a message to standard error. Errors are ignored.
    func report(_ text: String) {
        try? errors.write(Array(text.utf8))
    }

    func log(_ level: LogMessage.Level, _ message: String) {
        report(priority(level) + LogMessage(level, message).text(isJSON: logsJSON))
    }

    /// What begins a line that is more than information, where standard error is the journal (sd-daemon(3)).
    private func priority(_ level: LogMessage.Level) -> String {
        guard level != .info, let journal = environment["JOURNAL_STREAM"],
            let file = try? errors.status().identity, journal == "\(file.device):\(file.number)"
        else { return "" }
        return level == .error ? "<3>" : "<4>"
    }

    func report(_ error: CommandError) {
        guard !logsJSON else { return log(.error, error.message) }
        let name = TerminalTraits(of: errors, environment).allowsColor ? "\u{1B}[31msooke:\u{1B}[0m" : "sooke:"
        report("\(priority(.error))\(name) \(error.message.withoutControls)\n")
    }
}

extension String {
    /// The text with every control character as `\u{…}`, so that a name cannot move the cursor or start another line.
    var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.map { scalar in
            guard scalar.properties.generalCategory == .control else { return String(scalar) }
            return "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}

struct TerminalTraits: Sendable, Equatable {
    /// Whether a line can be redrawn: a terminal that is not `dumb`.
    let canRedraw: Bool
    /// Whether colour is used: on such a terminal, if `NO_COLOR` (no-color.org) is not set or empty.
    let allowsColor: Bool

    init(isTerminal: Bool, _ environment: Environment) {
        let kind = environment["TERM"] ?? ""
        canRedraw = isTerminal && !kind.isEmpty && kind != "dumb"
        allowsColor = canRedraw && (environment["NO_COLOR"] ?? "").isEmpty
    }

    init(of descriptor: FileDescriptor, _ environment: Environment) {
        self.init(isTerminal: descriptor.isTerminal, environment)
    }
}

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
        try CommandError.mapped("cannot read the password", .inputOutput) {
            while let byte = try console.input.read(upTo: 1).first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw CommandError(.badData, "there is no password on standard input")
        }
        return text
    }
}
