import CBuild
import Journal

extension Command {
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
    ) { invocation throws(CommandError) in
        try invocation.console.print(BuildInfo.line + "\n")
        return .success
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
            "\(system) \(architecture)",
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

    private static var system: String {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #else
            "another system"
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
