import API
import Bytes
import HTTP
import JSON
import Journal
import Service
import Store

/// Shows the changes of the town, from the log or as a running server sends them; see `sooke changes`.
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
        if follows {
            if let position { return try follow(from: position) }
            return try follow(from: newestPosition().text)
        }
        try DataFolder.work(on: folder) { client throws(CommandError) in
            if position == Self.beginning { return try follow(from: Self.beginning, through: client) }
            let newest = try Self.newestPosition(client).sequence
            try showLog(after: position, through: newest) { [self] change, sequence throws(CommandError) in
                try history(of: change, at: sequence)
            }
        } orHere: { () throws(CommandError) in
            let version: Version
            do {
                version = try DataFolder.use(folder, reads: true, console: console) { $0.current }
            } catch {
                throw CommandError(error)
            }
            if position == Self.beginning { return try showTown(version) }
            try showLog(after: position, through: version.sequence) { [folder] change, sequence in
                change.history(at: sequence, in: folder, version)
            }
        }
    }

    // MARK: - The log

    /// Shows a whole town, as a server sends it.
    private mutating func showTown(_ version: Version) throws(CommandError) {
        position = Self.beginning
        let changes: LoggedChanges
        do throws(HTTPError) {
            changes = try LoggedChanges(topics: topics)
        } catch {
            throw CommandError(.usage, error.message)
        }
        for data in changes.creating(version) { try receive(data) }
        try finish(at: "\(version.position)", nil) { _, _ in nil }
    }

    /// - Parameters:
    ///   - position: where to begin; nil for the last commits.
    ///   - newest: the last commit to show.
    ///   - entry: what the history has about a change and a commit.
    private mutating func showLog(
        after position: String?, through newest: Int,
        _ entry: (FeedChange, Int) throws(CommandError) -> HistoryEntry?
    ) throws(CommandError) {
        guard var commits = try commits(after: position, through: newest) else {
            throw Self.unknown(position ?? Self.beginning)
        }
        do {
            let changes = try LoggedChanges(topics: topics)
            while let commit = try commits.next() {
                let found = try changes.json(of: commit)
                if found.isEmpty { continue }
                for data in found { try receive(data) }
                try finish(at: "\(commit.position)", commit.sequence, entry)
            }
        } catch let error as HTTPError {
            throw CommandError(.usage, error.message)
        } catch {
            throw CommandError(error)
        }
    }

    /// The commits after a position, or the last ones; nil when the log does not have the position.
    private func commits(after position: String?, through newest: Int) throws(CommandError) -> CommitReader? {
        do throws(JournalError) {
            if let position {
                return try CommitPosition(position).flatMap { position throws(JournalError) in
                    try CommitReader.after(position, in: folder, through: newest)
                }
            }
            do throws(JournalError) {
                return try CommitReader(folder, after: max(0, newest - Self.usualCommits), through: newest)
            } catch {
                guard error.kind == .historyDropped else { throw error }
                return try CommitReader(folder, after: nil, through: newest)
            }
        } catch {
            throw CommandError(error)
        }
    }

    // MARK: - The server

    /// Shows the changes that the server sends after a position.
    private mutating func follow(from start: String) throws(CommandError) {
        try follow(from: start, through: connected())
    }

    private mutating func follow(
        from start: String, through client: consuming AdminClient
    ) throws(CommandError) {
        position = start
        let isWhole = start == Self.beginning
        var response = try response(of: client, since: start)
        var events = EventStreamReader()
        while follows || isWhole && position == start {
            guard let bytes = try response.next() else {
                throw CommandError(
                    .unavailable,
                    "the server has ended the stream; once it runs again, continue with --since \(position)")
            }
            for event in events.read(bytes) {
                if event.type == "reset", position != Self.beginning {
                    // The server has only the newest commits in memory.
                    return try followFromLog()
                }
                try show(event)
            }
        }
    }

    private mutating func followFromLog() throws(CommandError) {
        let newest = try newestPosition()
        try showLog(after: position, through: newest.sequence) { [self] change, sequence throws(CommandError) in
            try history(of: change, at: sequence)
        }
        try follow(from: newest.text)
    }

    private func newestPosition() throws(CommandError) -> (sequence: Int, text: String) {
        try Self.newestPosition(connected())
    }

    private static func newestPosition(
        _ client: consuming AdminClient
    ) throws(CommandError) -> (sequence: Int, text: String) {
        var (sequence, position) = (0, "")
        try read(try client.send(AdminRequest(method: "GET", target: "/api/v1/admin/status"))) {
            reader throws(JSONError) in
            while let key = try reader.nextKey() {
                switch key {
                case "sequence": sequence = try reader.readInt()
                case "position": position = try reader.readString()
                default: try reader.skipValue()
                }
            }
        }
        return (sequence, position)
    }

    private static func unknown(_ position: String) -> CommandError {
        CommandError(
            .badData, "the changes after \(position) are not known; begin with the whole town, with --since 0")
    }

    private func connected() throws(CommandError) -> AdminClient {
        guard let client = try AdminClient.connect(to: folder) else {
            let command = "sooke serve --data \(ShellWord.quoted(folder))"
            throw CommandError(.unavailable, "no server runs on \(folder); start one with: \(command)")
        }
        return client
    }

    private func response(
        of client: consuming AdminClient, since position: String
    ) throws(CommandError) -> AdminResponse {
        var target = "/api/v1/changes?since=\(position)"
        if let topics { target += "&topics=\(PercentCoding.encode(topics.utf8))" }
        var response = try client.send(AdminRequest(method: "GET", target: target, accepted: "text/event-stream"))
        guard response.isSuccess else {
            throw CommandError(serverStatus: response.status, body: try response.body())
        }
        return response
    }

    private static func read(
        _ response: consuming AdminResponse, _ readObject: (inout JSONReader) throws(JSONError) -> Void
    ) throws(CommandError) {
        let body = try response.body(limit: 1 << 30)
        guard response.isSuccess else { throw CommandError(serverStatus: response.status, body: body) }
        do throws(JSONError) {
            var reader = JSONReader(body, limits: .trusted)
            try reader.beginObject()
            try readObject(&reader)
        } catch {
            throw CommandError(invalidResponse: error)
        }
    }

    // MARK: - Events

    private mutating func show(_ event: EventStreamReader.Event) throws(CommandError) {
        switch event.type {
        case "reset": break
        case "revoked": throw CommandError(.unavailable, "the server has ended the stream; run the command again")
        default:
            if !event.data.isEmpty { try receive(event.data) }
            if let id = event.id {
                try finish(at: id, FeedPosition(id)?.sequence) { [self] change, sequence throws(CommandError) in
                    try history(of: change, at: sequence)
                }
            }
        }
    }

    private mutating func receive(_ data: [UInt8]) throws(CommandError) {
        if isJSON { return try console.print(data + [ASCII.lineFeed]) }
        do throws(JSONError) {
            pending.append(try FeedChange(data))
        } catch {
            throw CommandError(invalidResponse: error)
        }
        // A whole version may be of any size.
        if position == Self.beginning { try showPending(at: nil) { _, _ in nil } }
    }

    /// All changes up to a position were received.
    ///
    /// - Parameters:
    ///   - sequence: the sequence number of the position.
    ///   - entry: what the history has about a change and a commit.
    private mutating func finish(
        at position: String, _ sequence: Int?, _ entry: (FeedChange, Int) throws(CommandError) -> HistoryEntry?
    ) throws(CommandError) {
        self.position = position
        if isJSON { return try console.print("{\"position\":\"\(position)\"}\n") }
        try showPending(at: sequence, entry)
    }

    private mutating func showPending(
        at sequence: Int?, _ entry: (FeedChange, Int) throws(CommandError) -> HistoryEntry?
    ) throws(CommandError) {
        defer { pending.removeAll(keepingCapacity: true) }
        // The history of many records would take long.
        let isDetailed = pending.count <= Self.detailedChanges
        for change in pending {
            var found: HistoryEntry?
            if let sequence, isDetailed { found = try entry(change, sequence) }
            try console.print(change.line(found) + "\n")
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
        try Self.read(response) { reader throws(JSONError) in
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
