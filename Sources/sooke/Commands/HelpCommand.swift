extension Command {
    private static let subject = Parameter.operand(
        "SUBJECT", .subject, help: "A command, or another text that `sooke help` lists.")

    static let help = Command(
        name: "help",
        summary: "Show the help of a command",
        discussion: ["Without a subject it lists all commands and topics."],
        parameters: [subject.description],
        examples: [
            Example("sooke help exit-codes", "Lists how commands end, for scripts.")
        ],
        exitCodes: [.success]
    ) { invocation throws(CommandError) in
        try invocation.console.print(Program.sooke.help(on: invocation[subject]))
        return .success
    }
}
