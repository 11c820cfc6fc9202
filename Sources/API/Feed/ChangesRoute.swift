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

    /// The longest long poll, in seconds.
    private static let longestWait = 60
    /// Of changes in a response to a poll.
    private static let pageBytes = 1 << 20
    /// Records that are visited for a response, unless one commit has more.
    private static let pageWork = 512

    static func add(to routes: inout RouteList) {
        let reader = ChangeReader()
        // Not on an event loop, because it may wait.
        routes.add(
            .get, path, "Follows the changes that the caller may see", .anyone, gives: .changes,
            query: [.since, .wait, .topics], isCancelledByClose: true,
            .async { call in
                let topics = try ChangeTopics(try call.parameter("topics"))
                if call.wantsEvents { return try stream(call, topics, reader) }
                return try await poll(call, topics, reader)
            })
    }

    // MARK: - Events

    private static func stream(
        _ call: Call, _ topics: ChangeTopics, _ reader: ChangeReader
    ) throws(HTTPError) -> Response {
        let since = try call.parameter("since")
        let start = (call.request.headers.text("last-event-id") ?? since).map(Start.init) ?? .beginning
        let source = try call.translatingErrors(
            ChangeStream(call.follower, in: call.version, from: start, topics, reader))
        return Response(
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store",
                // nginx collects a response otherwise, before it passes it on.
                "X-Accel-Buffering": "no",
            ],
            stream: BodyStream(source, isEndless: true))
    }

    // MARK: - Polls

    private static func poll(
        _ call: Call, _ topics: ChangeTopics, _ reader: ChangeReader
    ) async throws -> Response {
        let wait = try call.count("wait") ?? 0
        guard wait <= longestWait else {
            throw HTTPError.invalidParameter("wait is a number of seconds from 1 to \(longestWait)")
        }
        let (service, follower) = (call.service, call.follower)
        var position: FeedPosition?
        switch try call.parameter("since").map(Start.init) ?? .beginning {
        case .after(let given): position = given
        case .now:
            let version = call.version
            position = follower.viewer(in: version).map { service.position(version.position, for: $0) }
        case .unknown: service.feed.count { $0.resets += 1 }
        case .beginning: break
        }
        let end = service.feed.now() + wait * 1_000_000_000
        while true {
            // The rights of the client may have changed while it waited.
            let version = service.store.current
            guard let viewer = follower.viewer(in: version) else { throw HTTPError(ServiceError.invalidToken) }
            guard let start = position else { return whole(version, viewer, topics, follower) }
            guard let page = page(after: start, version, viewer, topics, reader, call) else {
                service.feed.count { $0.resets += 1 }
                position = nil
                continue
            }
            position = page.position
            guard page.isEmpty, !page.hasMore, call.isWanted(),
                try await service.waitForCommit(
                    after: version.position, until: min(end, follower.expiry(in: version) ?? .max),
                    for: follower.network)
            else { return response(page, call) }
        }
    }

    private static func response(_ page: ChangePage, _ call: Call) -> Response {
        var response = Response.plainJSON(page.json)
        // Clients at the same position get the same response: a cache may collapse their requests.
        if call.caller == .anonymous { response.headers.set("Cache-Control", "public, max-age=1") }
        return response
    }

    /// Made while it is sent.
    private static func whole(
        _ version: Version, _ viewer: Viewer, _ topics: ChangeTopics, _ follower: Follower
    ) -> Response {
        let body = WholeVersionBody(WholeVersion(version, for: viewer, topics), for: viewer, follower)
        return Response(headers: Response.plainHeaders, stream: BodyStream(body))
    }

    /// Nil when the position cannot be continued.
    private static func page(
        after start: FeedPosition, _ version: Version, _ viewer: Viewer, _ topics: ChangeTopics,
        _ reader: ChangeReader, _ call: Call
    ) -> ChangePage? {
        let service = call.service
        guard let position = service.resume(from: start, for: viewer, in: version),
            let commits = version.commits(after: position, limit: pageWork)
        else { return nil }
        var page = ChangePage()
        var (last, visited) = (position, 0)
        for commit in commits where page.bytes < pageBytes && visited < pageWork {
            visited += max(1, commit.changeCount)
            guard let (changes, _) = reader.changes(of: commit, for: viewer, topics) else { return nil }
            page.append(changes)
            last = commit.position
        }
        page.position = service.position(last, for: viewer)
        page.hasMore = last != version.position
        return page
    }
}

enum Start {
    /// With a snapshot, because it has nothing yet.
    case beginning
    case after(FeedPosition)
    /// With what changes from now on.
    case now
    /// With a snapshot, because its position is of no use.
    case unknown

    /// Empty and 0 are the beginning, `now` is the present.
    init(_ text: String) {
        if text.isEmpty || text == "0" {
            self = .beginning
        } else if text == "now" {
            self = .now
        } else {
            self = FeedPosition(text).map(Start.after) ?? .unknown
        }
    }
}

/// `{"reset":false,"changes":[…],"position":"…","more":false}`
private struct ChangePage {
    var position: FeedPosition?
    private var changes: [UInt8] = []
    /// Whether there are later commits already.
    var hasMore = false

    var isEmpty: Bool { changes.isEmpty }
    var bytes: Int { changes.count }

    mutating func append(_ commit: ChangeReader.Changes) {
        for item in commit.items {
            if !changes.isEmpty { changes.append(UInt8(ascii: ",")) }
            changes += item.json
        }
    }

    var json: [UInt8] {
        var text = [UInt8]("{\"reset\":false,\"changes\":[")
        text += changes
        text.append("],\"position\":\"")
        text.append(utf8: position.map { "\($0)" } ?? "")
        text.append(hasMore ? "\",\"more\":true}" : "\",\"more\":false}")
        return text
    }
}

extension Call {
    var follower: Follower {
        Follower(service: service, caller: caller, network: ClientNetwork(request.peer))
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
