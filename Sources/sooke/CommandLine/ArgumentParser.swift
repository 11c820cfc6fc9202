import Bytes
import Platform
import SookeModel

/// Parses the words after a command's name according to the command's description.
///
/// Options and operands may have any order; `--` ends the options; the value of an option is the next word or follows
/// `=`. A value that starts with `-` needs the `=`, unless it is `-` alone, so that a forgotten value is detected.
/// Options that are not given are read from the environment.
struct ArgumentParser {
    private let command: Command
    private var given: [String: [GivenText]] = [:]
    private var operands: [String] = []

    private init(_ command: Command) {
        self.command = command
    }

    static func requestsHelp(_ words: some Sequence<String>) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    static func parse(
        _ words: some Sequence<String>, for command: Command, environment: Environment
    ) throws(CommandError) -> [String: [GivenText]] {
        var parser = ArgumentParser(command)
        var rest = words.makeIterator()
        while let word = rest.next() {
            if word == "--" {
                while let operand = rest.next() { parser.operands.append(operand) }
            } else if word.hasPrefix("-"), word != "-" {
                try parser.takeOption(word, next: { rest.next() })
            } else {
                parser.operands.append(word)
            }
        }
        try parser.placeOperands()
        parser.takeEnvironment(environment)
        try parser.check()
        return parser.given
    }

    private mutating func takeOption(_ word: String, next: () -> String?) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let spelling = parts[0]
        guard let option = command.options.first(where: { $0.spelling == spelling }) else {
            throw unknown(spelling)
        }
        if !option.isRepeatable, given[spelling] != nil {
            throw CommandError(.usage, "\(spelling) is given twice; leave one out")
        }
        if case .flag = option.kind {
            guard parts.count == 1 else {
                throw CommandError(.usage, "\(spelling) takes no value; leave out \"=\(parts[1])\"")
            }
            given[spelling] = [GivenText(text: "", spelling: spelling)]
            return
        }
        let value = parts.count == 2 ? parts[1] : next()
        guard let value, !value.isEmpty, parts.count == 2 || value == "-" || !value.hasPrefix("-") else {
            throw CommandError(.usage, "\(spelling) needs a value: \(spelling) \(option.placeholder)")
        }
        given[spelling, default: []].append(GivenText(text: value, spelling: spelling))
    }

    private func unknown(_ spelling: String) -> CommandError {
        let known = command.options.map(\.spelling) + ["--help"]
        let advice = Suggestion.nearest(to: spelling, in: known).map { "did you mean \($0)?" }
        return CommandError(.usage, "unknown option \(spelling) for `sooke \(command.name)`; \(advice ?? seeHelp)")
    }

    private mutating func placeOperands() throws(CommandError) {
        var rest = operands[...]
        for operand in command.operands {
            let taken = operand.isRepeatable ? rest : rest.prefix(1)
            rest = rest.dropFirst(taken.count)
            if !taken.isEmpty {
                given[operand.spelling] = taken.map { GivenText(text: $0, spelling: operand.spelling) }
            } else if operand.isRequired {
                throw CommandError(.usage, "`sooke \(command.name)` needs \(operand.placeholder); \(seeHelp)")
            }
        }
        if let surplus = rest.first {
            throw CommandError(.usage, "`sooke \(command.name)` has no use for \"\(surplus)\"; \(seeHelp)")
        }
    }

    /// An empty variable counts as not set.
    private mutating func takeEnvironment(_ environment: Environment) {
        for option in command.options where given[option.spelling] == nil {
            guard let name = option.environment, let text = environment[name], !text.isEmpty else { continue }
            let texts = option.isRepeatable ? text.split(separator: ",").map { String($0).trimmed } : [text]
            given[option.spelling] = texts.map { GivenText(text: $0, spelling: "the environment variable \(name)") }
        }
    }

    private func check() throws(CommandError) {
        for parameter in command.parameters.map(\.description) {
            if let texts = given[parameter.spelling] { try parameter.check(texts) }
        }
    }

    private var seeHelp: String { "see `sooke \(command.name) --help`" }
}
