extension Command {
    private static let shell = Parameter.required(
        "SHELL", ValueSyntax<Shell>.choice(), help: "The shell to complete in.")

    static let completion = Command(
        name: "completion",
        summary: "Print a script that completes commands in bash or zsh",
        parameters: [shell.description],
        examples: [
            Example("source <(sooke completion bash)", "Completes in this bash from now on; put it into ~/.bashrc."),
            Example(
                "sooke completion zsh > ~/.zfunc/_sooke",
                "Completes in every new zsh, when ~/.zfunc is in `fpath` before `compinit`."),
        ],
        exitCodes: [.success]
    ) { invocation throws(CommandError) in
        let script =
            switch try invocation[shell] {
            case .bash: BashCompletion.script(for: .sooke)
            case .zsh: ZshCompletion.script(for: .sooke)
            }
        try invocation.console.print(script)
        return .success
    }
}

/// A shell that completes command lines.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh
}
