import HTTP
import Synchronization
import Testing

@testable import API
@testable import HTTP

/// A long poll that waits for the next commit that its client sees.
final class FeedModelLongPoll: Sendable {
    let request: Request
    /// When it responds at the latest, in monotonic nanoseconds.
    let deadline: Int
    private let state: Mutex<(position: String, response: Response?)>

    init(_ request: Request, after position: String, until deadline: Int) {
        (self.request, self.deadline) = (request, deadline)
        state = Mutex((position, nil))
    }

    func start(_ town: FeedModelTown) {
        town.api.respond(to: request) { response in self.state.withLock { $0.response = response } }
    }

    /// The response; nil while it waits.
    var response: Response? { state.withLock(\.response) }

    /// A position with no change for the client between its own and this.
    var position: String { state.withLock(\.position) }

    func goOn(to position: String) { state.withLock { $0.position = position } }
}

extension FeedModelClient {
    /// Gets the changes after the position that it stored.
    ///
    /// - Returns: whether more follow.
    func poll(_ town: FeedModelTown) async throws -> Bool {
        let resets = replica.resets
        let origin = replica.position.map { replica.isGarbled ? .unknown : town.origin(of: $0) }
        let response = try await get(town, replica.position.map { ["since=\($0)"] } ?? [])
        let hasMore = try replica.receive(page: try await body(of: response))
        record("polled", town)
        if hasMore { town.count("pages before the last") }
        guard let origin else { return hasMore }
        town.count("from a position: \(origin)")
        let isReset = replica.resets > resets
        if !origin.isContinued, !isReset { throw failure("a position that is \(origin) was continued") }
        if origin.isContinued, isReset, account.person == nil { throw failure("a position in \(origin) was reset") }
        return hasMore
    }

    /// Begins to wait for the next change.
    func startLongPoll(_ town: FeedModelTown) async throws {
        guard longPoll == nil else { return }
        try await loginIfNeeded(town)
        // The position of a client that saw no change for long may be too old; it waits after the newest one.
        guard let position = replica.position, position != "0",
            let newest = try await positionIfUnchanged(town, since: position)
        else {
            _ = try await poll(town)
            return try await startLongPoll(town, after: replica.position ?? "0")
        }
        try await startLongPoll(town, after: newest)
    }

    private func startLongPoll(_ town: FeedModelTown, after position: String) async throws {
        let seconds = random.pick([1, 15, 60])
        let poll = FeedModelLongPoll(
            try request(["since=\(position)", "wait=\(seconds)"]), after: position,
            until: town.service.feed.now() + seconds * 1_000_000_000)
        longPoll = poll
        poll.start(town)
        record("waits \(seconds) s", town)
        try await receiveIfDue(town)
    }

    /// Receives the response of its long poll, if a poll that does not wait would have one.
    func receiveIfDue(_ town: FeedModelTown) async throws {
        guard let longPoll else { return }
        let isOver = town.service.feed.now() >= longPoll.deadline
        let unchanged = try await positionIfUnchanged(town, since: longPoll.position)
        if let unchanged { longPoll.goOn(to: unchanged) }
        if unchanged == nil || isOver {
            try await receive(town, isOver ? "long polls that timed out" : "long polls that were woken")
        }
    }

    /// The position after a poll that does not wait; nil when the poll has something for the client, or is refused.
    private func positionIfUnchanged(_ town: FeedModelTown, since position: String) async throws -> String? {
        let response = await town.response(to: try request(["since=\(position)"]))
        try await town.settle()
        guard response.status == .ok else { return nil }
        var seen = FeedReplica()
        _ = try seen.receive(page: try await body(of: response))
        return seen.resets == 0 && seen.changeCount == 0 ? seen.position : nil
    }

    /// Waits for the response of its long poll, which a server that stops may refuse.
    func receive(_ town: FeedModelTown, _ path: String, isStopping: Bool = false) async throws {
        guard let longPoll else { return }
        try await town.wait(for: "the response to a long poll of \(name) after \(longPoll.position)") {
            longPoll.response != nil
        }
        self.longPoll = nil
        guard let response = longPoll.response else { return }
        switch response.status {
        case .ok:
            _ = try replica.receive(page: try await body(of: response))
            town.count(path)
        case .unauthorized: forgetLogin(town)
        case .serviceUnavailable where isStopping: break
        default: throw failure("a long poll has the status \(response.status)")
        }
        record("received the response to a long poll", town)
    }
}
