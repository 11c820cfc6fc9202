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
