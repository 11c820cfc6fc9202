import CBuild
import Journal

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
        .serve, .demo, .importFiles, .export, .backup, .restore, .town, .user, .token, .calendar, .setupLink, .snapshot,
        .readOnly, .status, .audit, .changes, .undo, .log, .verify, .repair, .unit, .outside, .completion, .help,
        .version,
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
        examples: [Example("sooke help exit-codes", "Lists how commands end, for scripts.")],
        exitCodes: [.success]
    ) { invocation in
        try invocation.console.print(Program.sooke.help(on: invocation[subject]))
    }

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
    ) { invocation in
        try invocation.console.print(try invocation[shell].script(for: .sooke))
    }

    static let version = Command(
        name: "version",
        summary: "Print the version, and what it was built from",
        discussion: [
            """
            The line names the commit, if the binary was built in a checkout of git, and the disk format. A binary \
            opens data folders and backups of its own disk format and of earlier ones.
            """
        ],
        examples: [
            Example(
                "sooke version",
                "Prints a line such as `\(BuildInfo.line(commit: "53472812c965"))`.")
        ],
        exitCodes: [.success]
    ) { invocation in
        try invocation.console.print(BuildInfo.line + "\n")
    }
}

enum BuildInfo {
    /// The version, by semantic versioning: here only. What each has changed is in the page for operators.
    static let version = "0.4.0"

    /// Nil when the binary was built without git.
    static let commit: String? = {
        let digits = String(cString: sooke_commit()).prefix(12)
        return digits.isEmpty ? nil : String(digits)
    }()

    /// `sooke VERSION (commit 53472812c965, disk format 3, Swift 6.3, Linux x86_64)`
    static let line = line(commit: commit)

    fileprivate static func line(commit: String?) -> String {
        let facts = [
            commit.map { "commit \($0)" }, "disk format \(CheckedDocument.version)", "Swift \(compiler)",
            "Linux \(architecture)",
        ]
        return "sooke \(version) (\(facts.compactMap(\.self).joined(separator: ", ")))"
    }

    private static var compiler: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another processor"
        #endif
    }
}
