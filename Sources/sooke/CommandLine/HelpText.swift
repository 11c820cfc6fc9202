/// The help of the program and of its commands: plain text of at most 80 columns.
enum HelpText {
    static func overview(of program: Program) -> String {
        var lines = TextWrap.lines(program.summary)
        lines += ["", "Usage: sooke COMMAND [OPTION]...", "", "Commands:"]
        for command in program.commands { lines += TextWrap.row(command.name, command.summary, column: 16) }
        lines += ["", "More to read:"]
        for topic in program.topics { lines += TextWrap.row("help \(topic.name)", topic.summary, column: 22) }
        lines += ["", "Example:", "  sooke demo", ""]
        lines += TextWrap.lines("`sooke help COMMAND` or `sooke COMMAND --help` shows the help of a command.")
        return joined(lines)
    }

    static func text(for command: Command) -> String {
        var lines = TextWrap.lines(command.summary + ".")
        lines.append("")
        lines += usage(of: command)
        for paragraph in command.discussion {
            lines.append("")
            lines += TextWrap.lines(paragraph)
        }
        lines += section("Arguments:", command.operands)
        lines += section("Options:", command.options)
        if command.options.isEmpty { lines += ["", "Options:"] }
        lines += TextWrap.row("-h, --help", "Prints this help.", column: column)
        lines += ["", command.examples.count == 1 ? "Example:" : "Examples:"]
        for example in command.examples {
            lines.append("  " + example.line)
            lines += TextWrap.lines(example.explanation, indent: 6)
        }
        lines += ["", "Exit codes:"]
        for code in command.exitCodes + [.usage] {
            lines += TextWrap.row("\(code.rawValue)", command.meanings[code] ?? code.meaning, column: 6)
        }
        return joined(lines)
    }

    static var exitCodes: String {
        var lines = TextWrap.lines(
            "How a command ends, for scripts. From 64 on the numbers are those of BSD's sysexits.")
        lines.append("")
        for code in ExitCode.allCases { lines += TextWrap.row("\(code.rawValue)", code.meaning, column: 6) }
        return joined(lines)
    }

    static func environment(of commands: [Command]) -> String {
        var lines = TextWrap.lines("Variables that replace options that are not given, and other variables.")
        lines.append("")
        var seen: Set<String> = []
        for option in commands.flatMap(\.options) {
            guard let name = option.environment, seen.insert(name).inserted else { continue }
            lines += TextWrap.row(name, "\(option.spelling): \(option.help)", column: column)
        }
        lines += TextWrap.row("NO_COLOR", "When it is set and not empty, nothing is coloured.", column: column)
        lines += TextWrap.row(
            "NOTIFY_SOCKET", "Where the server reports to systemd that it is ready, and that it stops.", column: column)
        lines += TextWrap.row("TERM", "When it is `dumb`, nothing is coloured or redrawn.", column: column)
        return joined(lines)
    }

    private static let column = 26

    private static func usage(of command: Command) -> [String] {
        let prefix = "Usage: sooke \(command.name) "
        let words = command.options.map(\.usage) + command.operands.map(\.usage)
        if words.isEmpty { return [String(prefix.dropLast())] }
        return TextWrap.lines(words, firstPrefix: prefix, indent: prefix.count)
    }

    private static func section(_ title: String, _ parameters: [ParameterDescription]) -> [String] {
        guard !parameters.isEmpty else { return [] }
        return ["", title]
            + parameters.flatMap { parameter in
                let left = parameter.isOperand ? parameter.spelling : "\(parameter.spelling) \(parameter.placeholder)"
                return TextWrap.row(left, sentences(of: parameter), column: column)
            }
    }

    private static func sentences(of parameter: ParameterDescription) -> String {
        var text = parameter.help
        if case .words(let words) = parameter.completion { text += " One of \(words.joined(separator: ", "))." }
        if parameter.isRepeatable { text += " May be given more than once." }
        let notes = [
            parameter.fallback.map { "default: \($0)" }, parameter.environment.map { "environment: \($0)" },
        ].compactMap { $0 }
        if !notes.isEmpty { text += " (\(notes.joined(separator: "; ")))" }
        return text
    }

    private static func joined(_ lines: [String]) -> String {
        lines.map { $0 + "\n" }.joined()
    }
}

enum TextWrap {
    static let width = 80

    /// Lines of at most `width` columns, indented by `indent` spaces. A longer word gets a line of its own.
    static func lines(_ text: String, indent: Int = 0) -> [String] {
        lines(text.split(separator: " ").map(String.init), firstPrefix: spaces(indent), indent: indent)
    }

    /// Lines of unbreakable words; the first line starts with a prefix instead of the indent.
    static func lines(_ words: [String], firstPrefix: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = firstPrefix
        var isEmpty = true
        for word in words {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = spaces(indent)
                isEmpty = true
            }
            line += isEmpty ? word : " " + word
            isEmpty = false
        }
        return lines + (isEmpty ? [] : [line])
    }

    /// Two columns: the left one gets a line of its own when it is too wide.
    static func row(_ left: String, _ right: String, column: Int) -> [String] {
        let texts = lines(right, indent: column)
        guard left.count + 2 + 2 <= column, let first = texts.first else { return ["  " + left] + texts }
        let filled = "  " + left + spaces(column - 2 - left.count)
        return [filled + first.dropFirst(column)] + texts.dropFirst()
    }

    static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}
