/// A shell, and the script with which it completes command lines: bash 3.2 or later, and zsh.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh

    func script(for program: Program) -> String {
        let commands = program.commands.map(\.name).joined(separator: " ")
        var lines = (self == .bash ? Self.bashStart : Self.zshStart).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        lines += [
            "    if ((position == 1)); then",
            "        _sooke_offer words '\(commands) --help'",
            "        return",
            "    fi",
            "    case \"$command $option\" in",
        ]
        for command in program.commands {
            lines += command.options.compactMap { Self.optionCase($0, of: command, program) }
        }
        lines += ["    esac", "    case $command in"]
        lines += program.commands.flatMap { Self.commandCase($0, program) }
        lines += ["    esac", "}", "", self == .bash ? "complete -F _sooke sooke" : Self.zshEnd]
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

    private static let zones = #"""
        _sooke_zones() {
            local country place zone
            echo UTC
            while read -r country place zone _; do
                [[ $country == '#'* ]] || echo "$zone"
            done 2>/dev/null </usr/share/zoneinfo/zone1970.tab
        }
        """#

    private static let bashStart = #"""
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

        \#(zones)

        _sooke() {
            local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
            local command=${COMP_WORDS[1]} position=$COMP_CWORD
            COMPREPLY=()
            # --option=value comes as three words.
            if [[ $word == = ]]; then
                word=
            elif [[ $option == = ]]; then
                option=${COMP_WORDS[COMP_CWORD - 2]}
            fi
        """#

    private static let zshStart = #"""
        #compdef sooke
        # Completion of sooke for zsh. In this shell: source <(sooke completion zsh)

        _sooke_offer() {
            case $1 in
                words) compadd -- ${=2} ;;
                files) _files ;;
                folders) _files -/ ;;
            esac
        }

        \#(zones)

        _sooke() {
            local word=$words[CURRENT] option=$words[CURRENT-1] command=$words[2] position=$((CURRENT - 1))
            if [[ $word == --*=* ]]; then
                option=${word%%=*}
                compset -P '*='
            fi
        """#

    private static let zshEnd = #"""
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
            _sooke "$@"
        else
            compdef _sooke sooke
        fi
        """#
}
