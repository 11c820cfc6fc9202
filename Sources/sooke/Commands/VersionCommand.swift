extension Command {
    /// `sooke version`
    static let version = Command(
        name: "version",
        summary: "Print the version, and that of the Swift it was built with",
        examples: [
            Example("sooke version", "Prints a line such as `sooke 0.1.0 (Swift 6.3, Linux x86_64)`.")
        ],
        exitCodes: [.success]
    ) { invocation throws(CommandError) in
        try invocation.console.print(BuildInfo.line + "\n")
        return .success
    }
}
