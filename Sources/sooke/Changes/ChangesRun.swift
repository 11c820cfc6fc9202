import Bytes
import JSON
import Journal
import Service

/// Shows the changes of the town of a running server; see `sooke changes`.
struct ChangesRun {
    /// How many commits are shown without a position.
    static let usualCommits = 20
    /// The most changes of a commit that are shown with their fields.
    private static let detailedChanges = 100
    /// Stands for the position before all changes.
    private static let beginning = "0"

    private let folder: String
    private let console: Console
    private let topics: String?
    private let isJSON: Bool
    private let follows: Bool
    /// The changes that are not shown yet: those of a commit whose last event has not come.
    private var pending: [FeedChange] = []
    private var received = 0
    /// The position up to which all changes were received.
    private var position = ""

    init(folder: String, console: Console, topics: String?, isJSON: Bool, follows: Bool) {
        (self.folder, self.console, self.topics) = (folder, console, topics)
        (self.isJSON, self.follows) = (isJSON, follows)
    }

    /// Shows the changes after a position; nil for the last commits, or for the current position when later changes
    /// are followed.
    mutating func show(since position: String?) throws(CommandError) {
        try DataFolder.requireStore(folder)
        let start: String
        if let position {
            start = position
        } else {
            guard let found = try startingPosition() else { return }
            start = found
        }
        let isWhole = start == Self.beginning
        let count = follows || isWhole ? 0 : try countChanges(after: start)
        if count == 0, !follows, !isWhole { return }
        self.position = start
        var response = try response(since: start, accepting: "text/event-stream")
        var events = EventStreamReader()
        while follows || (isWhole ? self.position == start : received < count) {
            guard let bytes = try response.next() else {
                throw CommandError(
                    .unavailable,
                    "the server has ended the stream; once it runs again, continue with --since \(self.position)")
            }
            for event in events.read(bytes) { try show(event) }
        }
    }

    // MARK: - Positions

    /// The position where changes begin without `--since`; nil when there are none.
    private func startingPosition() throws(CommandError) -> String? {
        var (sequence, position) = (0, "")
        try read(try connected().send(AdminRequest(method: "GET", target: "/api/v1/admin/status"))) {
            reader throws(JSONError) in
            while let key = try reader.nextKey() {
                switch key {
                case "sequence": sequence = try reader.readInt()
                case "position": position = try reader.readString()
                default: try reader.skipValue()
                }
            }
        }
        if follows { return position }
        return try positionInLog(before: sequence - Self.usualCommits + 1, through: sequence)
    }

    /// The position of a commit in the log, or of the first one that is stored.
    private func positionInLog(before first: Int, through newest: Int) throws(CommandError) -> String? {
        do throws(JournalError) {
            let after = first > 2 ? first - 2 : nil
            var commits = try CommitReader(folder, after: after, through: newest)
            return try commits.next()?.position?.description
        } catch {
            guard error.kind == .historyDropped, first > 2 else { throw CommandError(error) }
            return try positionInLog(before: 1, through: newest)
        }
    }

    /// The number of changes after a position, now.
    private func countChanges(after start: String) throws(CommandError) -> Int {
        var (count, position, hasMore) = (0, start, true)
        while hasMore {
            var isReset = false
            try read(try response(since: position)) { reader throws(JSONError) in
                while let key = try reader.nextKey() {
                    switch key {
                    case "reset": isReset = try reader.readBool()
                    case "changes":
                        try reader.beginArray()
                        while try reader.nextElement() {
                            try reader.skipValue()
                            count += 1
                        }
                    case "position": position = try reader.readString()
                    case "more": hasMore = try reader.readBool()
                    default: try reader.skipValue()
                    }
                }
            }
            if isReset { throw Self.unknown(start) }
        }
        return count
    }

    private static func unknown(_ position: String) -> CommandError {
        CommandError(
            .badData, "the changes after \(position) are not known; begin with the whole town, with --since 0")
    }

    // MARK: - Requests

    private func connected() throws(CommandError) -> AdminClient {
        guard let client = try AdminClient.connect(to: folder) else {
            let command = "sooke serve --data \(ShellWord.quoted(folder))"
            throw CommandError(.unavailable, "no server runs on \(folder); start one with: \(command)")
        }
        return client
    }

    private func response(
        since position: String, accepting type: StaticString? = nil
    ) throws(CommandError) -> AdminResponse {
        var target = "/api/v1/changes?since=\(position)"
        if let topics { target += "&topics=\(PercentCoding.encode(topics.utf8))" }
        var response = try connected().send(AdminRequest(method: "GET", target: target, accepted: type))
        guard response.isSuccess else {
            throw CommandError(serverStatus: response.status, body: try response.body())
        }
        return response
    }

    private func read(
        _ response: consuming AdminResponse, _ readObject: (inout JSONReader) throws(JSONError) -> Void
    ) throws(CommandError) {
        let body = try response.body(limit: 1 << 30)
        guard response.isSuccess else { throw CommandError(serverStatus: response.status, body: body) }
        do throws(JSONError) {
            var reader = JSONReader(body, limits: .trusted)
            try reader.beginObject()
            try readObject(&reader)
        } catch {
            throw CommandError(.unavailable, "the server's response is invalid: \(error)")
        }
    }

    // MARK: - Events

    private mutating func show(_ event: EventStreamReader.Event) throws(CommandError) {
        switch event.type {
        case "reset":
            guard position == Self.beginning else { throw Self.unknown(position) }
        case "revoked": throw CommandError(.unavailable, "the server has ended the stream; run the command again")
        default:
            if !event.data.isEmpty { try receive(event.data) }
            if let id = event.id { try finish(at: id) }
        }
    }

    private mutating func receive(_ data: [UInt8]) throws(CommandError) {
        received += 1
        if isJSON { return try console.print(data + [ASCII.lineFeed]) }
        do throws(JSONError) {
            pending.append(try FeedChange(data))
        } catch {
            throw CommandError(.unavailable, "the server's response is invalid: \(error)")
        }
        // A whole version may be of any size.
        if position == Self.beginning { try showPending(at: nil) }
    }

    /// All changes up to a position were received.
    private mutating func finish(at position: String) throws(CommandError) {
        self.position = position
        if isJSON { return try console.print("{\"position\":\"\(position)\"}\n") }
        try showPending(at: FeedPosition(position)?.commit.sequence)
    }

    private mutating func showPending(at sequence: Int?) throws(CommandError) {
        defer { pending.removeAll(keepingCapacity: true) }
        // The history of many records would take long.
        let isDetailed = pending.count <= Self.detailedChanges
        for change in pending {
            var entry: HistoryEntry?
            if let sequence, isDetailed { entry = try history(of: change, at: sequence) }
            try console.print(change.line(entry) + "\n")
        }
    }

    /// What the history of a record has about a commit; nil when it is no longer stored.
    private func history(of change: FeedChange, at sequence: Int) throws(CommandError) -> HistoryEntry? {
        let of = PercentCoding.encode(change.subject.utf8)
        let response = try connected().send(
            AdminRequest(method: "GET", target: "/api/v1/history?of=\(of)&limit=1&before=\(sequence + 1)"))
        // The record may have been deleted since.
        guard response.isSuccess else { return nil }
        var entry: HistoryEntry?
        try read(response) { reader throws(JSONError) in
            while let key = try reader.nextKey() {
                guard key == "items" else {
                    try reader.skipValue()
                    continue
                }
                try reader.beginArray()
                while try reader.nextElement() { entry = try HistoryEntry(from: &reader) }
            }
        }
        return entry?.sequence == sequence ? entry : nil
    }
}
