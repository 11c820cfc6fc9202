import Bytes
import Dispatcher
import HTTP
import Platform
import Service
import Store

/// `/admin/log`: the commits as the log has them, private records included, for a second store and for Postgres; and
/// `/admin/changes`: what they say of the changes of the town.
enum LogRoute {
    static func add(to routes: inout RouteList) {
        // Not on an event loop, because they read the log.
        routes.add(
            .get, "/api/v1/admin/log", "Gives the commits of the log, with everything that is private", .superAdmin,
            gives: .file, query: [.logPosition, .follow], audit: .log,
            .async { call in
                let start = try start(call, "Begin again with a backup, or a whole export")
                return try response(to: call, from: start ?? call.version.position)
            })
        routes.add(
            .get, "/api/v1/admin/changes", "Gives the changes of the log as lines of text or JSON", .superAdmin,
            gives: .file, query: [.changesSince, .changesFormat, .topics, .follow],
            .async { call in
                let changes = try ChangeLines(call)
                if try call.parameter("since") == "0" { return try response(to: call, from: nil, changes) }
                let store = call.service.store
                let usual =
                    try call.flag("follow")
                    ? call.version.position
                    : try CommitLines.position(beforeLast: ChangeLines.usualCommits, of: store, in: call.version)
                let start = try start(call, "Begin with the whole town, with --since 0")
                return try response(to: call, from: start ?? usual, changes)
            })
    }

    private static func start(_ call: Call, _ advice: String) throws -> HistoryPosition? {
        guard let since = try call.parameter("since") else { return nil }
        guard let start = HistoryPosition(since) else {
            throw HTTPError.invalidParameter("since is a position such as 1200.8f3c5a7790d1e2b4")
        }
        guard try CommitLines(after: start, of: call.service.store, in: call.version) != nil else {
            throw HTTPError(
                .badRequest, code: "unknown_position",
                message: "the log does not have the position \(start), or no longer; the town is at "
                    + "\(call.version.position). \(advice)")
        }
        return start
    }

    /// - Parameter start: nil for all records first.
    private static func response(
        to call: Call, from start: HistoryPosition?, _ changes: ChangeLines? = nil
    ) throws(HTTPError) -> Response {
        let follows = try call.flag("follow")
        let stream = CommitStream(after: start, changes, for: call.follower, call.version, follows: follows)
        let type = changes == nil ? "application/x-ndjson" : "text/plain; charset=utf-8"
        return Response(
            headers: ["Content-Type": type, "Cache-Control": "no-store"],
            stream: .written(by: stream.write, isEndless: follows))
    }
}

/// The lines of `CommitLines` for one client, or the changes in them, with the position after each batch or every 15
/// seconds.
private struct CommitStream: Sendable {
    private let start: HistoryPosition?
    private let changes: ChangeLines?
    private let follower: Follower
    private let version: Version
    private let follows: Bool

    init(
        after start: HistoryPosition?, _ changes: ChangeLines?, for follower: Follower, _ version: Version,
        follows: Bool
    ) {
        (self.start, self.changes, self.follower) = (start, changes, follower)
        (self.version, self.follows) = (version, follows)
    }

    func write(_ output: BodyStream.Output) throws(BodyStream.Closed) {
        let (store, feed) = (follower.service.store, follower.service.feed)
        let start = start ?? version.position
        guard var lines = try? CommitLines(after: start, of: store, in: store.current),
            let place = try? feed.join(at: start.sequence, from: follower.network)
        else { throw BodyStream.Closed() }
        defer { feed.leave(place) }
        var changes = changes
        if self.start == nil { try changes?.writeAll(version, output) }
        try write(lines.head, &changes, output)
        let published = Semaphore()
        while true {
            let version = store.current
            // The account may have been changed, or its session ended.
            guard follower.viewer(in: version)?.mayKnowChain == true else { throw BodyStream.Closed() }
            var isNews = false
            while let piece = try Self.orClosed({ try lines.next(in: version) }) {
                try write(piece, &changes, output)
                isNews = true
            }
            if !isNews { try write(CommitLines.end(of: version), &changes, output) }
            let end = feed.now() + Feed.heartbeat
            guard follows, feed.wait(place, at: version.sequence, until: end, { published.signal() }) else { return }
            // A commit that was published meanwhile has woken nobody.
            if store.current.position == version.position { published.wait() }
        }
    }

    private static func orClosed<Value>(_ body: () throws -> Value) throws(BodyStream.Closed) -> Value {
        do { return try body() } catch { throw BodyStream.Closed() }
    }

    /// In pieces: a line may be of any length.
    private func write(
        _ lines: [UInt8], _ changes: inout ChangeLines?, _ output: BodyStream.Output
    ) throws(BodyStream.Closed) {
        let town = follower.service.store.current.town
        var rest = try Self.orClosed { try changes?.lines(of: lines, in: town) ?? lines }[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceSize)
            try output(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
    }

    private static let pieceSize = 1 << 18
}
