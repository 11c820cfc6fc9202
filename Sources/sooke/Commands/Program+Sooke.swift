extension Program {
    static let sooke = Program(
        summary: "A town's directory and calendar in one file: a store and its REST API.", commands: all,
        topics: [
            Topic(name: "exit-codes", summary: "how a command ends, for scripts", text: HelpText.exitCodes),
            Topic(
                name: "environment", summary: "the environment variables",
                text: HelpText.environment(of: all)),
        ])

    private static let all: [Command] = [
        .serve, .demo, .importFiles, .export, .backup, .restore, .town, .user, .token, .setupLink, .snapshot, .readOnly,
        .status, .changes, .log, .verify, .repair, .unit, .completion, .help, .version,
    ]
}

extension Command {
    private static let subject = Parameter.operand(
        "SUBJECT", .subject, help: "A command, or another text that `sooke help` lists.")

    static let help = Command(
        name: "help",
        summary: "Show the help of a command",
        discussion: ["Without a subject it lists all commands and topics."],
        parameters: [subject],
        examples: [
            Example("sooke help exit-codes", "Lists how commands end, for scripts.")
        ],
        exitCodes: [.success]
    ) { invocation throws(CommandError) in
        try invocation.console.print(Program.sooke.help(on: invocation[subject]))
        return .success
    }
}

extension Command {
    private static let shell = Parameter.required(
        "SHELL", ValueSyntax<Shell>.choice(), help: "The shell to complete in.")

    static let completion = Command(
        name: "completion",
        summary: "Print a script that completes commands in bash or zsh",
        parameters: [shell],
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

enum Shell: String, Sendable, CaseIterable {
    case bash, zsh
}
