extension Command {
    /// `sooke version`
    static let version = Command(
        name: "version",
        summary: "Print the version, and what it was built from",
        discussion: [
            """
            The line names the commit, if the binary was built in a checkout of git, and the disk format. A binary opens \
            data folders and backups of its own disk format and of earlier ones.
            """
        ],
        examples: [
            Example(
                "sooke version",
                "Prints a line such as `sooke 0.1.0 (commit 53472812c965, disk format 3, Swift 6.3, Linux x86_64)`.")
        ],
        exitCodes: [.success]
    ) { invocation throws(CommandError) in
        try invocation.console.print(BuildInfo.line + "\n")
        return .success
    }
}
