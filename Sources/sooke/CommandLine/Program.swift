import Bytes

struct Program: Sendable {
    struct Topic: Sendable {
        let name, summary, text: String
    }

    let summary: String
    let commands: [Command]
    let topics: [Topic]

    /// - Parameter words: the command line without the program's name.
    func run(_ words: [String], on console: Console) -> ExitCode {
        do {
            return try dispatch(words, on: console)
        } catch let code as ExitCode {
            return code
        } catch {
            let error = CommandError(error)
            console.report(error)
            return error.code
        }
    }

    private func dispatch(_ words: [String], on console: Console) throws -> ExitCode {
        guard let first = words.first else {
            console.report(HelpText.overview(of: self))
            return .usage
        }
        if first == "--help" || first == "-h" {
            try console.print(HelpText.overview(of: self))
            return .success
        }
        let command = try command(named: first == "--version" ? "version" : first)
        let rest = words.dropFirst()
        if ArgumentParser.requestsHelp(rest) {
            try console.print(HelpText.text(for: command))
            return .success
        }
        let given = try ArgumentParser.parse(rest, for: command, environment: console.environment)
        try command.run(Invocation(console: console, given: given))
        return .success
    }

    func help(on subject: String?) throws(CommandError) -> String {
        guard let subject else { return HelpText.overview(of: self) }
        if let topic = topics.first(where: { $0.name == subject }) { return topic.text }
        return HelpText.text(for: try command(named: subject, or: topics.map(\.name)))
    }

    var subjects: [String] { commands.map(\.name) + topics.map(\.name) }

    private func command(named name: String, or others: [String] = []) throws(CommandError) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let what = name.hasPrefix("-") ? "option" : "command"
        let near = Suggestion.nearest(to: name, in: commands.map(\.name) + others)
        let advice = near.map { "did you mean \($0)?" } ?? "`sooke help` lists the commands"
        throw CommandError(.usage, "unknown \(what) \(name.isEmpty ? "\"\"" : name); \(advice)")
    }
}

/// A command of the program: parsing, errors, help and shell completion all use this value.
struct Command: Sendable {
    struct Example: Sendable {
        let line: String
        let explanation: String

        init(_ line: String, _ explanation: String) {
            (self.line, self.explanation) = (line, explanation)
        }
    }

    let name: String
    /// A summary in at most 60 columns, for lists.
    let summary: String
    var discussion: [String] = []
    /// Options and operands, in the order in which help lists them.
    var parameters: [any DescribedParameter] = []
    let examples: [Example]
    /// The exit codes that a script should expect, besides `usage`.
    var exitCodes = AdminCall.exitCodes
    var meanings: [ExitCode: String] = [:]
    /// Throws an `ExitCode` when all is said, and a script should know more.
    let run: @Sendable (Invocation) throws -> Void

    var options: [ParameterDescription] { parameters.map(\.description).filter { !$0.isOperand } }
    var operands: [ParameterDescription] { parameters.map(\.description).filter(\.isOperand) }
}

struct Invocation: Sendable {
    let console: Console
    let given: [String: [GivenText]]

    subscript<Value>(parameter: Parameter<Value>) -> Value {
        get throws(CommandError) {
            try parameter.read(given[parameter.description.spelling] ?? [])
        }
    }

    func fields(_ options: [any DescribedParameter]) -> [(name: String, text: String)] {
        options.map(\.description).compactMap { option in
            guard let text = given[option.spelling]?.last?.text ?? option.fallback else { return nil }
            let name = option.spelling.dropFirst(2).split(separator: "-").joined(separator: "_")
            return (name, option.placeholder.isEmpty ? "true" : text)
        }
    }

    func target(_ path: String, _ options: [any DescribedParameter]) -> String {
        path + "?" + fields(options).map { "\($0.name)=\(PercentCoding.encode($0.text.utf8))" }.joined(separator: "&")
    }
}
