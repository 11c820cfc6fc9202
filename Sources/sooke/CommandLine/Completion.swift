/// Writes the script with which bash (3.2 or later) completes command lines.
enum BashCompletion {
    static func script(for program: Program) -> String {
        let commands = program.commands.map(\.name).joined(separator: " ")
        var lines = preamble
        lines += [
            "    if ((COMP_CWORD == 1)); then",
            "        _sooke_offer words '\(commands) --help'",
            "        return",
            "    fi",
            "    case \"${COMP_WORDS[1]} $option\" in",
        ]
        for command in program.commands {
            lines += command.options.compactMap { optionCase($0, of: command, program) }
        }
        lines += ["    esac", "    case ${COMP_WORDS[1]} in"]
        lines += program.commands.flatMap { commandCase($0, program) }
        lines += ["    esac", "}", "", "complete -F _sooke sooke"]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func optionCase(
        _ option: ParameterDescription, of command: Command, _ program: Program
    ) -> String? {
        guard case .option = option.kind else { return nil }
        let offer = offer(option.completion, program).map { $0 + "; " } ?? ""
        return "        '\(command.name) \(option.spelling)') \(offer)return ;;"
    }

    /// The completions anywhere else: options after a hyphen, otherwise operands.
    private static func commandCase(_ command: Command, _ program: Program) -> [String] {
        let options = (command.options.map(\.spelling) + ["--help"]).joined(separator: " ")
        var lines = ["        \(command.name))", "            if [[ $word == -* ]]; then"]
        lines.append("                _sooke_offer words '\(options)'")
        if let operand = command.operands.first, let offer = offer(operand.completion, program) {
            lines += ["            else", "                \(offer)"]
        }
        return lines + ["            fi", "            ;;"]
    }

    private static func offer(_ completion: Completion, _ program: Program) -> String? {
        switch completion {
        case .none: nil
        case .files: "_sooke_offer files"
        case .folders: "_sooke_offer folders"
        case .words(let words): "_sooke_offer words '\(words.joined(separator: " "))'"
        case .timeZones: "_sooke_offer words \"$(_sooke_zones)\""
        case .subjects: "_sooke_offer words '\(program.subjects.joined(separator: " "))'"
        }
    }

    /// The common part for all commands. Completions continue `$word`.
    private static let preamble = #"""
        # Completion of sooke for bash. In this shell: source <(sooke completion bash)

        _sooke_offer() {
            local item
            case $1 in files | folders) compopt -o filenames 2>/dev/null ;; esac
            while IFS= read -r item; do
                COMPREPLY+=("$item")
            done < <(
                case $1 in
                    words) compgen -W "$2" -- "$word" ;;
                    files) compgen -f -- "$word" ;;
                    folders) compgen -d -- "$word" ;;
                esac
            )
        }

        _sooke_zones() {
            local country place zone
            echo UTC
            while read -r country place zone _; do
                [[ $country == '#'* ]] || echo "$zone"
            done 2>/dev/null </usr/share/zoneinfo/zone1970.tab
        }

        _sooke() {
            local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
            COMPREPLY=()
            # --option=value comes as three words.
            if [[ $word == = ]]; then
                word=
            elif [[ $option == = ]]; then
                option=${COMP_WORDS[COMP_CWORD - 2]}
            fi
        """#.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

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
            + command.parameters.map { "'\(specification($0.description, program))'" }
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
