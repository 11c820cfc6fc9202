import Bytes
import Credentials
import HTTP
import SookeModel
import Synchronization
import Testing

@testable import API
@testable import HTTP
@testable import Service
@testable import Store

/// A client of the feed in `FeedModelTown`, with its account, its topics and its stream.
final class FeedModelClient {
    /// The way in which it follows.
    enum Way: CaseIterable { case events, polls }

    let way: Way
    /// Its account; nil without one.
    let person: Int?
    /// The scope of its API token; nil with a session.
    let scope: Credential.Scope?
    let topics: String?
    private(set) var replica = FeedReplica()
    /// What it did last, for a failure.
    private(set) var trace: [String] = []

    private var token: Token?
    private var stream: BodyStream?
    /// Set when the stream was woken.
    private var signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ random: inout SplitMix64, _ community: Community) {
        way = random.once(in: 3) ? .polls : .events
        let people = community.records(of: .person, above: 0, limit: 100).map(\.id)
        person = random.once(in: 3) || people.isEmpty ? nil : random.pick(people)
        scope = random.once(in: 3) ? random.pick([.read, .admin]) : nil
        let topics = random.once(in: 2) ? ["business", "event", "category,event_type", "slug-1", "slug-2,event"] : []
        self.topics = topics.isEmpty ? nil : random.pick(topics)
    }

    var isConnected: Bool { stream != nil }

    var name: String { "\(way) person \(person ?? 0) scope \(scope?.rawValue ?? "-") topics \(topics ?? "all")" }

    /// Whether its account still exists.
    func exists(in community: Community) -> Bool { person.map { community.people.has(id: $0) } ?? true }

    /// The sender as the server finds it; nil when the token is not valid.
    func caller(in town: FeedModelTown) throws -> Caller? {
        guard person != nil else { return .anonymous }
        return try? town.town.authenticate(token, in: town.store.current).caller
    }

    private func record(_ event: String, _ town: FeedModelTown? = nil) {
        let version = town.map { " in a town at \($0.store.current.position)" } ?? ""
        trace = trace.suffix(24) + ["\(event)\(version), now at \(replica.position ?? "-")"]
    }

    // MARK: - Requests

    private func login(_ town: FeedModelTown, _ random: inout SplitMix64) async throws {
        let token = try Token(scope == nil ? .session : .api)
        let now = town.clock.now
        let (person, scope, seconds) = (person, scope, random.pick([600, 3600, 12 * 3600]))
        try await town.write([
            { transaction in
                var credential = Credential(scope == nil ? .session : .apiToken, token, at: now, lasting: seconds)
                (credential.person, credential.scope) = (person, scope)
                transaction.put(credential)
            }
        ])
        self.token = token
        town.count("logins")
    }

    /// The response to `GET /changes`, after a login where one is needed; the body of a stream is not read.
    private func get(
        _ town: FeedModelTown, _ random: inout SplitMix64, _ query: [String], _ headers: [(String, String)]
    ) async throws -> Response {
        let topics = topics.map { ["topics=\($0)"] } ?? []
        let target = "\(ChangesRoute.path)?" + (query + topics).joined(separator: "&")
        for _ in 0..<2 {
            if person != nil, token == nil { try await login(town, &random) }
            let request = try Request(
                .get, target, headers: headers + (token.map { [$0.asField] } ?? []), peer: TestTown.stranger)
            let api = town.api
            let response = await withCheckedContinuation { continuation in
                api.respond(to: request) { continuation.resume(returning: $0) }
            }
            try await town.settle()
            guard response.status == .unauthorized else {
                #expect(response.status == .ok, "\(name)")
                return response
            }
            town.count("expired logins")
            token = nil
        }
        throw Failure(description: "\(name): the new login is not valid")
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// The whole version that the client gets now.
    func fresh(_ town: FeedModelTown, _ random: inout SplitMix64) async throws -> FeedReplica {
        var fresh = FeedReplica()
        let response = try await get(town, &random, [], [])
        guard case .stream(let stream) = response.content, let bytes = await stream.bytes() else {
            throw Failure(description: "\(name): no whole version")
        }
        #expect(try !fresh.receive(page: bytes))
        return fresh
    }

    // MARK: - Following

    /// Connects, and continues from the position that it stored.
    func connect(_ town: FeedModelTown, _ random: inout SplitMix64) async throws {
        var (query, headers): ([String], [(String, String)]) = ([], [("Accept", "text/event-stream")])
        if let position = replica.position {
            if random.once(in: 2) { query = ["since=\(position)"] } else { headers += [("Last-Event-ID", position)] }
            town.count("resumed streams")
        }
        guard case .stream(let stream) = try await get(town, &random, query, headers).content else {
            throw Failure(description: "\(name): no stream")
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

    private enum Progress { case more, waiting, ended }

    /// Takes the next part, or only its beginning.
    private func take(_ random: inout SplitMix64, cut: Bool = false) throws -> Progress {
        let continuation = signals.continuation
        switch stream?.next(BodyWakeup { continuation.yield() }) {
        case .bytes(let bytes)?:
            if !cut {
                try replica.receive(bytes)
                record("took \(bytes.count) bytes")
                return .more
            }
            let count = random.below(bytes.count)
            try replica.receive(bytes.prefix(count))
            record("took \(count) of \(bytes.count) bytes")
            return .ended
        case .pending?: return .waiting
        case .end?, .failed?, nil: return .ended
        }
    }

    /// Takes one part, and then perhaps disconnects.
    func lag(_ town: FeedModelTown, _ random: inout SplitMix64) async throws {
        if way == .polls {
            _ = try await poll(town, &random)
        } else if !isConnected {
            try await connect(town, &random)
        } else if try take(&random, cut: random.once(in: 4)) == .ended {
            disconnect()
        }
    }

    /// Takes everything, until it is at the newest version.
    func catchUp(_ town: FeedModelTown, _ random: inout SplitMix64) async throws {
        if way == .polls {
            while try await poll(town, &random) {}
            return
        }
        for _ in 0..<1000 {
            if !isConnected { try await connect(town, &random) }
            switch try take(&random) {
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
        throw Failure(description: "\(name): it does not end")
    }

    /// Waits until the stream is woken.
    func wake() async {
        for await _ in signals.stream { return }
    }

    private func poll(_ town: FeedModelTown, _ random: inout SplitMix64) async throws -> Bool {
        let response = try await get(town, &random, replica.position.map { ["since=\($0)"] } ?? [], [])
        defer { record("polled", town) }
        switch response.content {
        case .stream(let stream):
            guard let bytes = await stream.bytes() else { throw Failure(description: "\(name): no whole version") }
            return try replica.receive(page: bytes)
        default: return try replica.receive(page: response.body)
        }
    }
}
