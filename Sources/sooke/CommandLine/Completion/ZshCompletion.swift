/// Writes the script with which zsh completes command lines: to be sourced, or stored as `_sooke` in `fpath`.
enum ZshCompletion {
    static func script(for program: Program) -> String {
        var lines = [
            "#compdef sooke", "# Completion of sooke for zsh. In this shell: source <(sooke completion zsh)", "",
            "_sooke() {", "    local context state state_descr line", "    typeset -A opt_args",
            "    local -a commands",
            "    _arguments -C '(- *)'{-h,--help}'[print help]' '1: :->command' '*:: :->words'",
            "    case $state in", "        command)", "            commands=(",
        ]
        lines += program.commands.map { "                '\($0.name):\(quoted($0.summary))'" }
        lines += [
            "            )", "            _describe -t commands command commands", "            ;;",
            "        words)", "            case $words[1] in",
        ]
        lines += program.commands.flatMap { commandCase($0, program) }
        lines += [
            "            esac", "            ;;", "    esac", "}", "",
            "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then", "    _sooke \"$@\"", "else",
            "    compdef _sooke sooke", "fi",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func commandCase(_ command: Command, _ program: Program) -> [String] {
        let specifications =
            ["'(- *)'{-h,--help}'[print help]'"]
            + command.parameters.map { "'\(specification($0, program))'" }
        let all = specifications.joined(separator: " \\\n                        ")
        return [
            "                \(command.name))", "                    _arguments \\",
            "                        \(all)", "                    ;;",
        ]
    }

    /// A parameter in the syntax of `_arguments` (zshcompsys(1)).
    private static func specification(_ parameter: ParameterDescription, _ program: Program) -> String {
        let action = action(parameter.completion, program)
        let help = quoted(firstSentence(parameter.help))
        let star = parameter.isRepeatable ? "*" : ""
        return switch parameter.kind {
        case .flag(let name): "\(star)--\(name)[\(help)]"
        case .option(let name): "\(star)--\(name)=[\(help)]:\(parameter.placeholder):\(action)"
        case .operand:
            "\(parameter.isRepeatable ? "*" : parameter.isRequired ? "" : ":"):\(parameter.placeholder):\(action)"
        }
    }

    private static func action(_ completion: Completion, _ program: Program) -> String {
        switch completion {
        case .none: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .timeZones: "_time_zone"
        case .subjects: "(\(program.subjects.joined(separator: " ")))"
        }
    }

    private static func firstSentence(_ text: String) -> String {
        String(text.prefix { $0 != "." && $0 != ";" })
    }

    /// A text with escaped delimiters of a description, and without the quote that ends the word.
    private static func quoted(_ text: String) -> String {
        text.map { character in
            switch character {
            case "[", "]", ":", "\\": "\\\(character)"
            case "'": "'\\''"
            default: String(character)
            }
        }.joined()
    }
}
