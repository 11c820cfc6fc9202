import Bytes
import Dispatcher
import HTTP
import Platform
import Service
import Store

/// `/admin/log`: the commits as the log has them, private records included, for a second store and for Postgres.
enum LogRoute {
    static func add(to routes: inout RouteList) {
        // Not on an event loop, because it reads the log.
        routes.add(
            .get, "/api/v1/admin/log", "Gives the commits of the log, with everything that is private", .superAdmin,
            gives: .file, query: [.logPosition, .follow], audit: .log,
            .async { call in
                let (service, version) = (call.service, call.version)
                let follows = try call.flag("follow")
                var start = version.position
                if let since = try call.parameter("since") {
                    guard let position = HistoryPosition(since) else {
                        throw HTTPError.invalidParameter("since is a position such as 1200.8f3c5a7790d1e2b4")
                    }
                    start = position
                }
                guard try service.store.lines(after: start, in: version) != nil else {
                    throw HTTPError(
                        .badRequest, code: "unknown_position",
                        message: "the log does not have the position \(start), or no longer; the town is at "
                            + "\(version.position). Begin again with a backup, or a whole export")
                }
                let stream = CommitStream(after: start, for: call.follower, follows: follows)
                return Response(
                    headers: ["Content-Type": "application/x-ndjson", "Cache-Control": "no-store"],
                    stream: .written(by: stream.write, isEndless: follows))
            })
    }
}

/// The lines of `CommitLines` for one client, with the position after each batch or every 15 seconds.
private struct CommitStream: Sendable {
    private let start: HistoryPosition
    private let follower: Follower
    private let follows: Bool

    init(after start: HistoryPosition, for follower: Follower, follows: Bool) {
        (self.start, self.follower, self.follows) = (start, follower, follows)
    }

    /// Writes the stream, on a thread of its own.
    func write(_ output: BodyStream.Output) throws(BodyStream.Closed) {
        let (store, feed) = (follower.service.store, follower.service.feed)
        guard var lines = try? store.lines(after: start, in: store.current),
            let place = try? feed.join(at: start.sequence, from: follower.network)
        else { throw BodyStream.Closed() }
        defer { feed.leave(place) }
        try output(lines.head)
        let published = Semaphore()
        while true {
            let version = store.current
            // The account may have been changed, or its session ended.
            guard follower.viewer(in: version)?.mayKnowChain == true else { throw BodyStream.Closed() }
            var isNews = false
            while let piece = try Self.next(&lines, in: version) {
                try write(piece, output)
                isNews = true
            }
            if !isNews { try output(CommitLines.end(of: version)) }
            let end = feed.now() + Feed.heartbeat
            guard follows, feed.wait(place, at: version.sequence, until: end, { published.signal() }) else { return }
            // A commit that was published meanwhile has woken nobody.
            if store.current.position == version.position { published.wait() }
        }
    }

    private static func next(
        _ lines: inout CommitLines, in version: Version
    ) throws(BodyStream.Closed) -> [UInt8]? {
        do {
            return try lines.next(in: version)
        } catch {
            throw BodyStream.Closed()
        }
    }

    /// Writes bytes in pieces: a line may be of any length.
    private func write(_ bytes: [UInt8], _ output: BodyStream.Output) throws(BodyStream.Closed) {
        if bytes.count <= Self.pieceSize { return try output(bytes) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceSize)
            try output(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
    }

    private static let pieceSize = 1 << 18
}
