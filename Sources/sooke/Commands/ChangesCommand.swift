import Bytes
import JSON
import Journal

extension Command {
    private static let follows = Parameter.flag(
        "follow", help: "Shows changes as they happen, until Control-C; without --since from now on.")
    private static let since = Parameter<String?>.optional(
        "since", "POSITION", ValueSyntax.position,
        help: "Shows what followed a position, which --format json and `sooke status` show; 0 for the whole town.")
    private static let topics = Parameter<String?>.optional(
        "topics", "TOPICS", ValueSyntax.text("kinds and slugs such as business,event"),
        help: "Only some: business, event, category, event_type and slugs, with commas between them.")
    private static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<OutputFormat>.choice(), default: "text",
        help: "text for people; json gives an object a line, and after each commit one with its position.")

    /// `sooke changes`
    static let changes = Command(
        name: "changes",
        summary: "Show the changes of the town, or follow them",
        discussion: [
            """
            Without --since and --follow it shows the last \(ChangesRun.usualCommits) commits. It shows what an \
            administrator may see: businesses, events, categories and event types. It works with or without a \
            running server; --follow needs one.
            """,
            "Programs follow the changes at /api/v1/changes, which needs no access to the data folder.",
        ],
        parameters: [
            Options.data.description, follows.description, since.description, topics.description, format.description,
        ],
        examples: [
            Example("sooke changes --follow", "Shows each change with its time, its author and its fields."),
            Example("sooke changes --since 0 --format json", "Shows the whole town, and the position that it has."),
        ],
        exitCodes: [
            .success, .badData, .noInput, .unavailable, .locked, .inputOutput, .notPermitted, .configuration,
        ]
    ) { invocation throws(CommandError) in
        let format = try invocation[format]
        var run = ChangesRun(
            folder: try invocation[Options.data], console: invocation.console, topics: try invocation[topics],
            isJSON: format == .json, follows: try invocation[follows])
        try run.show(since: try invocation[since])
        return .success
    }
}

extension ValueSyntax where Value == String {
    /// A position in the history of a town, or 0.
    fileprivate static let position = Self(
        expectation: "a position such as 1200.8f3c5a7790d1e2b4, or 0", completion: .none
    ) { $0 == "0" || CommitPosition($0) != nil ? $0 : nil }
}
