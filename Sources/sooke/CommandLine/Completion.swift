import CFiles

/// A shell, and the script with which it completes command lines: bash 3.2 or later, and zsh.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh

    func script(for program: Program) -> String {
        let options = program.commands.flatMap { command in
            command.options.compactMap { Self.optionCase($0, of: command, program) }
        }
        let words = program.commands.flatMap { Self.commandCase($0, program) }
        return String(cString: self == .bash ? sooke_completion_bash() : sooke_completion_zsh()).filled(
            [
                "commands": program.commands.map(\.name).joined(separator: " "),
                "options": options.joined(separator: "\n"), "words": words.joined(separator: "\n"),
                "zones": Self.zones,
            ], between: "~")
    }

    /// For both shells.
    private static let zones = #"""
        _sooke_zones() {
            local country place zone
            echo UTC
            while read -r country place zone _; do
                [[ $country == '#'* ]] || echo "$zone"
            done 2>/dev/null </usr/share/zoneinfo/zone1970.tab
        }
        """#

    private static func optionCase(_ option: ParameterDescription, of command: Command, _ program: Program) -> String? {
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
}
