import Bytes
import HTTP
import Journal
import SookeModel
import Store

extension Command {
    private static let follows = Parameter.flag(
        "follow", help: "Shows changes as they happen, until Control-C; without --since from now on.")
    private static let since = Parameter<String?>.optional(
        "since", "POSITION", ValueSyntax.position,
        help: "Shows what followed a position, which --format json and `sooke status` show; 0 for the whole town.")
    private static let topics = Parameter<String?>.optional(
        "topics", "TOPICS", ValueSyntax.text("kinds and slugs such as business,event"),
        help: "Only some: business, event, category, event_type and slugs, with commas between them.")
    private static let format = Options.format(
        json: "gives an object a line, and after each commit one with its position")

    static let changes = Command(
        name: "changes",
        summary: "Show the changes of the town, or follow them",
        discussion: [
            """
            Without --since and --follow it shows the last 20 commits. It shows what an \
            administrator may see: businesses, events, categories and event types. It works with or without a \
            running server; --follow needs one.
            """,
            "Programs follow the changes at /api/v1/changes, which needs no access to the data folder.",
        ],
        parameters: [Options.data, follows, since, topics, format],
        examples: [
            Example("sooke changes --follow", "Shows each change with its time, its author and its fields."),
            Example("sooke changes --since 0 --format json", "Shows the whole town, and the position that it has."),
        ],
        exitCodes: AdminCall.exitCodesOfReading
    ) { invocation in
        let format = try invocation[format]
        if let topics = try invocation[topics] { warn(ofUnknown: topics, invocation.console) }
        let target = invocation.target("/api/v1/admin/changes", [Self.format, since, topics])
        var position = try invocation[since]
        let (folder, console) = (try invocation[Options.data], invocation.console)
        var call = AdminCall(following: folder, target, forever: try invocation[follows])
        if call.continuing != nil {
            let advice = "once it runs again, continue with"
            call.continuing = { advice + (position.map { " --since \($0)" } ?? "out --since") }
        }
        var rest: [UInt8] = []
        try call.read(folder, console) { piece throws(CommandError) in
            rest += piece
            guard let end = rest.lastIndex(of: ASCII.lineFeed) else { return }
            var shown = ""
            for line in rest[..<end].split(separator: ASCII.lineFeed).map({ String(decoding: $0, as: UTF8.self) }) {
                let isPosition = line.hasPrefix("{\"position\":\"")
                if isPosition { position = String(line.dropFirst(13).dropLast(2)) }
                if format == .json || !isPosition { shown += (format == .json ? line : line.withoutControls) + "\n" }
            }
            rest.removeSubrange(...end)
            try console.print(shown)
        }
    }

    /// Warns of topics that are probably meant for kinds. Others are slugs, also of records that are gone or not there
    /// yet.
    private static func warn(ofUnknown topics: String, _ console: Console) {
        let kinds = Town.kinds.filter(\.isInFeed)
        for word in topics.split(separator: ",").map(String.init) where !kinds.contains(where: { $0.name == word }) {
            let kind = kinds.first { Suggestion.nearest(to: word, in: [$0.name, $0.collection]) != nil }
            guard let meant = kind?.name else { continue }
            let known = kinds.map(\.name).joined(separator: ", ")
            let message = "the topic \"\(word)\" is unknown, unless it is a slug: the kinds are \(known)"
            console.log(.warning, "\(message); did you mean \(meant)?")
        }
    }
}

extension Command {
    private static let position = Parameter.required(
        "POSITION", ValueSyntax.commit, help: "The position of the commit, which `sooke changes` shows.")
    private static let leavesChanged = Parameter<Bool>.flag(
        "leave-changed", help: "Leaves records that were changed since as they are, as for an import.")

    static let undo = Command(
        name: "undo",
        summary: "Undo a change of the town",
        discussion: [
            """
            It makes a new commit that gives each field the value before, creates deleted records again and deletes \
            new ones, and that can be undone too. When some of it was changed since, nothing is undone; administrators \
            choose between the values at /admin/changes. What an import brought is left where it was changed since.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [Options.data, leavesChanged, position],
        examples: [Example("sooke undo 1201.77d2a9e40b6e7f10", "Undoes the change that led to the position.")]
    ) { invocation in
        let (console, position) = (invocation.console, try invocation[position])
        var call = AdminCall(
            .post, "/api/v1/history/\(position.sequence)/undo?leave_changed=\(try invocation[leavesChanged])")
        call.version = "\(position.chain)"
        let answer = try ResponseMembers(call.send(try invocation[Options.data], console))
        for left in answer.all("left.label") { console.report("left as it is: \(left.withoutControls)\n") }
        let changed = answer.number("changed") ?? 0
        try console.print(changed == 0 ? "there is nothing to undo\n" : "undone: \(Count(changed, "record"))\n")
    }
}

extension ValueSyntax where Value == CommitPosition {
    static let commit = Self(
        expectation: "a position such as 1200.8f3c5a7790d1e2b4", completion: .none
    ) { CommitPosition($0) }
}

extension ValueSyntax where Value == String {
    fileprivate static let position = Self(
        expectation: "a position such as 1200.8f3c5a7790d1e2b4, or 0", completion: .none
    ) { $0 == "0" || CommitPosition($0) != nil ? $0 : nil }
}
