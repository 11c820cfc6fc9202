import Bytes
import Dispatcher
import HTTP
import JSON
import Platform
import Service
import SookeModel
import Store

/// `/changes`: the feed of changes, as server-sent events, or as JSON for clients that poll.
enum ChangesRoute {
    static let path = "/api/v1/changes"

    /// Of changes in a response to a poll.
    private static let pageBytes = 1 << 20
    /// Records that are visited for a response, unless one commit has more.
    private static let pageWork = 512

    static func add(to routes: inout RouteList) {
        let reader = ChangeReader()
        // Not on an event loop, because a commit of any size may have to be read.
        routes.add(
            .get, path, "Follows the changes that the caller may see", .anyone, gives: .changes,
            query: [.since, .topics, .bookmarks],
            .async { call in
                let topics = try ChangeTopics(try call.parameter("topics"))
                return try call.wantsEvents ? stream(call, topics, reader) : poll(call, topics, reader)
            })
    }

    private static func stream(
        _ call: Call, _ topics: ChangeTopics, _ reader: ChangeReader
    ) throws -> Response {
        let known = call.request.headers.text("last-event-id")
        let since = known == nil ? try call.parameter("since") : known
        let hasBookmarkEvents = try call.flag("bookmarks")
        let source = try ChangeStream(
            call.follower, in: call.version, from: call.start(since), isNew: since == "now",
            hasBookmarkEvents: hasBookmarkEvents, topics, reader)
        return Response(
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store",
                // nginx collects a response otherwise, before it passes it on.
                "X-Accel-Buffering": "no",
            ],
            stream: BodyStream(source, isEndless: true))
    }

    private static func poll(
        _ call: Call, _ topics: ChangeTopics, _ reader: ChangeReader
    ) throws(HTTPError) -> Response {
        let start = call.start(try call.parameter("since"))
        if let start, let page = page(after: start, call, topics, reader) {
            var response = Response.plainJSON(page)
            // Clients at the same position get the same response: a cache may collapse their requests.
            if call.caller == .anonymous { response.headers.set("Cache-Control", "public, max-age=1") }
            return response
        }
        if start != nil { call.service.feed.count { $0.resets += 1 } }
        let (follower, viewer) = (call.follower, call.viewer)
        let whole = WholeVersion(call.version, for: viewer, topics)
        let text = WholeVersionText(position: call.service.position(whole.position, for: viewer))
        let body = StreamedList(whole, as: text) {
            follower.hasRights(of: viewer, in: follower.service.store.current)
        }
        return Response(headers: Response.plainHeaders, stream: BodyStream(body))
    }

    /// Nil when the commits after the position cannot be read.
    private static func page(
        after start: HistoryPosition, _ call: Call, _ topics: ChangeTopics, _ reader: ChangeReader
    ) -> [UInt8]? {
        let (version, viewer) = (call.version, call.viewer)
        guard let commits = version.commits(after: start, limit: pageWork) else { return nil }
        var (writer, last, visited) = (JSONWriter(), start, 0)
        writer.beginChanges(isReset: false)
        for commit in commits where writer.bytes.count < pageBytes && visited < pageWork {
            visited += max(1, commit.changeCount)
            guard let (changes, _) = reader.changes(of: commit, for: viewer, topics) else { return nil }
            for item in changes.items { writer.raw(item.json) }
            last = commit.position
        }
        writer.endChanges(at: call.service.position(last, for: viewer), hasMore: last != version.position)
        return writer.bytes
    }
}

extension JSONWriter {
    /// `{"reset":false,"changes":[…],"position":"…","more":false}`
    fileprivate mutating func beginChanges(isReset: Bool) {
        beginObject()
        member("reset", isReset)
        key("changes")
        beginArray()
    }

    fileprivate mutating func endChanges(at position: FeedPosition, hasMore: Bool) {
        endArray()
        member("position", "\(position)")
        member("more", hasMore)
        endObject()
    }
}

private struct WholeVersionText: ListText {
    let position: FeedPosition
    private var writer = JSONWriter()

    init(position: FeedPosition) { self.position = position }

    var recordsAtATime: Int { WholeVersion.partSize }

    mutating func begin() { writer.beginChanges(isReset: true) }

    mutating func append(_ item: ChangeReader.Changes.Item) { writer.raw(item.json) }

    mutating func end() { writer.endChanges(at: position, hasMore: false) }

    mutating func take() -> [UInt8] { writer.take() }
}

extension Call {
    var follower: Follower {
        Follower(service: service, caller: caller, network: ClientNetwork(request.peer))
    }

    fileprivate var viewer: Viewer { Viewer(caller, in: town) }

    /// Where the client continues, the present for `now`; nil when it is sent a snapshot: it has nothing yet, or its
    /// position is of no use.
    fileprivate func start(_ since: String?) -> HistoryPosition? {
        guard let since, !since.isEmpty, since != "0" else { return nil }
        if since == "now" { return version.position }
        let position = FeedPosition(since).flatMap { service.resume(from: $0, for: viewer, in: version) }
        if position == nil { service.feed.count { $0.resets += 1 } }
        return position
    }

    fileprivate var wantsEvents: Bool {
        guard let accepted = request.headers.first("accept") else { return false }
        return ByteSearch(for: Array("text/event-stream".utf8)).firstMatch(in: Array(accepted).span) != nil
    }
}

/// The sender of a request that follows the changes of the town, whose rights may change meanwhile.
struct Follower: Sendable {
    let service: TownService
    let caller: Caller
    let network: ClientNetwork

    /// Nil when the session or token is no longer valid.
    func viewer(in version: Version) -> Viewer? {
        if let validity = service.validity(of: caller, in: version), validity <= 0 { return nil }
        return Viewer(caller, in: version.town)
    }

    func hasRights(of viewer: Viewer, in version: Version) -> Bool {
        caller.personID == nil || self.viewer(in: version)?.hasSameRights(as: viewer) == true
    }

    /// Monotonic nanoseconds; nil when it does not expire.
    func expiry(in version: Version) -> Int? {
        service.validity(of: caller, in: version).map { validity in
            let (nanoseconds, overflow) = validity.multipliedReportingOverflow(by: 1_000)
            return overflow ? .max : service.feed.now() + min(nanoseconds, Int.max / 2)
        }
    }
}
