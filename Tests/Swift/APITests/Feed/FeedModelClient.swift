import Bytes
import HTTP
import SookeModel
import Testing

@testable import API
@testable import HTTP
@testable import Service
@testable import Store

/// A client of the feed in `FeedModelTown`, with its account, its topics and its stream.
final class FeedModelClient {
    /// The way in which it follows.
    enum Way { case events, polls }

    struct Failure: Error, CustomStringConvertible { let description: String }

    let way: Way
    let topics: String?
    private(set) var account: FeedModelAccount
    var replica = FeedReplica()
    /// Its own, so that what one client receives decides nothing for the others.
    var random: SplitMix64
    /// What it did last, for a failure.
    private(set) var trace: [String] = []

    private var token: Token?
    private var stream: BodyStream?
    /// Set when the stream was woken.
    private var signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ random: inout SplitMix64, _ community: Town) {
        way = random.pick([.events, .polls])
        account = FeedModelAccount(&random, community)
        let topics = random.once(in: 2) ? ["business", "event", "category,event_type", "slug-1", "slug-2,event"] : []
        self.topics = topics.isEmpty ? nil : random.pick(topics)
        self.random = SplitMix64(seed: random.next())
    }

    var isConnected: Bool { stream != nil }

    var name: String { "\(way), \(account.name), topics \(topics ?? "all")" }

    /// The sender as the server finds it; nil when the token is not valid.
    func caller(in town: FeedModelTown) -> Caller? {
        account.withoutToken ?? (try? town.service.authenticate(token, in: town.store.current).caller)
    }

    func failure(_ message: String) -> Failure {
        Failure(description: "\(name): \(message)\n\(trace.joined(separator: "\n"))")
    }

    func record(_ event: String, _ town: FeedModelTown? = nil) {
        let version = town.map { " in a town at \($0.store.current.position)" } ?? ""
        trace = trace.suffix(24) + ["\(event)\(version), now at \(replica.position ?? "-")"]
    }

    // MARK: - Requests

    private func login(_ town: FeedModelTown) async throws {
        let token = try Token(account.scope == nil ? .session : .api)
        let now = town.clock.now
        let (account, seconds) = (account, random.pick([600, 3600, 12 * 3600]))
        try await town.write([
            { transaction in
                let purpose = account.scope == nil ? Credential.Purpose.session : .apiToken
                var credential = Credential(purpose, token, at: now, lasting: seconds)
                (credential.person, credential.scope) = (account.person, account.scope)
                transaction.put(credential)
            }
        ])
        self.token = token
        town.count("logins")
    }

    /// A request for the feed; with the token that the client has.
    func request(_ query: [String], _ headers: [(String, String)] = []) throws -> Request {
        let topics = topics.map { ["topics=\($0)"] } ?? []
        return try Request(
            .get, "\(ChangesRoute.path)?" + (query + topics).joined(separator: "&"),
            headers: headers + (token.map { [$0.asField] } ?? []),
            peer: account.isFolderOwner ? TestTown.owner : TestTown.stranger)
    }

    /// Logs in, unless the client has a token or needs none.
    func loginIfNeeded(_ town: FeedModelTown) async throws {
        if account.person != nil, token == nil { try await login(town) }
    }

    /// The token is not valid any more.
    func forgetLogin(_ town: FeedModelTown) {
        town.count("expired logins")
        token = nil
    }

    /// The response to `GET /changes`, after a login where one is needed; the body of a stream is not read.
    func get(_ town: FeedModelTown, _ query: [String], _ headers: [(String, String)] = []) async throws -> Response {
        for _ in 0..<2 {
            try await loginIfNeeded(town)
            let response = await town.response(to: try request(query, headers))
            try await town.settle()
            guard response.status == .unauthorized else {
                #expect(response.status == .ok, "\(name)")
                return response
            }
            forgetLogin(town)
        }
        throw failure("the new login is not valid")
    }

    /// The snapshot that the client gets now.
    func fresh(_ town: FeedModelTown) async throws -> FeedReplica {
        var fresh = FeedReplica()
        #expect(try !fresh.receive(page: try await body(of: try await get(town, []))))
        return fresh
    }

    func body(of response: Response) async throws -> [UInt8] {
        guard case .stream(let stream) = response.content else { return response.body }
        guard let bytes = await stream.bytes() else { throw failure("no snapshot") }
        return bytes
    }

    // MARK: - Polls

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

    // MARK: - Streams

    /// Connects, and continues from the position that it stored.
    func connect(_ town: FeedModelTown) async throws {
        var (query, headers): ([String], [(String, String)]) = ([], [("Accept", "text/event-stream")])
        if let position = replica.position {
            if random.once(in: 2) { query = ["since=\(position)"] } else { headers += [("Last-Event-ID", position)] }
            town.count("resumed streams")
            let origin = replica.isGarbled ? .unknown : town.origin(of: position)
            town.count("from a position: \(origin)")
            if !origin.isContinued { replica.expectReset() }
        }
        guard case .stream(let stream) = try await get(town, query, headers).content else {
            throw failure("no stream")
        }
        self.stream = stream
        record("connected", town)
        signals = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Disconnects, perhaps in the middle of an event.
    func disconnect() {
        stream = nil
        record("disconnected")
        replica.disconnect()
    }

    /// Stores a wrong position: everything must start over.
    func garble() {
        guard !replica.isGarbled, let position = replica.position, position != "0" else { return }
        disconnect()
        let wrong = ["9" + position, position + "x", String(position.dropLast()), position + ".9", "7", "x"]
        replica.garble(random.pick(wrong))
    }

    private enum Progress { case more, waiting, ended }

    /// Takes the next part, or only its beginning, once it was read.
    private func take(cut: Int? = nil) async throws -> Progress {
        while true {
            let continuation = signals.continuation
            switch stream?.next(BodyWakeup { continuation.yield() }) {
            case .bytes(let bytes)?:
                let count = cut.map { bytes.count * $0 / 100 } ?? bytes.count
                try replica.receive(bytes.prefix(count))
                record("took \(count) of \(bytes.count) bytes")
                return cut == nil ? .more : .ended
            case .pending?:
                if (stream?.source as? ChangeStream)?.livePosition != nil { return .waiting }
                await wake()
            case .end?, .failed?, nil: return .ended
            }
        }
    }

    /// Takes one part, and then perhaps disconnects.
    func lag(_ town: FeedModelTown) async throws {
        let cut = random.once(in: 4) ? random.below(100) : nil
        switch way {
        case .polls: _ = try await poll(town)
        case .events where !isConnected: try await connect(town)
        case .events: if try await take(cut: cut) == .ended { disconnect() }
        }
    }

    /// Takes everything, until it is at the newest version.
    func catchUp(_ town: FeedModelTown) async throws {
        if way != .events {
            while try await poll(town) {}
            return
        }
        for _ in 0..<1000 {
            if !isConnected { try await connect(town) }
            switch try await take() {
            case .more: continue
            case .ended:
                if replica.isRevoked { town.count("streams that were revoked") }
                disconnect()
            case .waiting:
                let position = (stream?.source as? ChangeStream)?.livePosition
                if position == town.store.current.position { return }
                await wake()
            }
        }
        throw failure("it does not end")
    }

    /// Waits until the stream is woken.
    func wake() async {
        for await _ in signals.stream { return }
    }
}
