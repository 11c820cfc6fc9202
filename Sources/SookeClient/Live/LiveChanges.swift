import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The changes of the town, as they happen.
///
/// ```swift
/// for await element in LiveChanges(client, since: position) {
///     switch element {
///     case .whole(let records, let position): …  // replaces everything
///     case .changes(let changes, let position): …  // one commit
///     default: break
///     }
/// }
/// ```
///
/// It connects again after every error, and continues from the last complete commit. It ends only after `revoked`, and
/// when its task is cancelled, which ends the request.
public struct LiveChanges: AsyncSequence, Sendable {
    /// What the sequence gives.
    public enum Element: Sendable {
        /// The server has accepted the request.
        case connected
        /// A snapshot, which replaces everything: all records that the client may see.
        case whole([Change], position: String)
        /// The changes of one commit.
        case changes([Change], position: String)
        /// Nothing that the client may see has changed up to a position.
        case bookmark(position: String)
        /// The connection is broken; the next attempt follows after a delay.
        case disconnected(any Error, retryIn: Duration)
        /// The client must sign in: its rights have changed, or its token is not valid. The last element.
        case revoked
    }

    /// Why a connection ended.
    public enum ConnectionError: Error, Hashable {
        case endedByServer
        /// The response is not a stream of events.
        case notAStream
        /// The changes arrived faster than they were taken.
        case tooSlow
    }

    /// Three heartbeats of the server.
    static let silence = Duration.seconds(45)

    fileprivate let client: APIClient
    fileprivate let position: String?
    fileprivate let clock: any Clock<Duration>
    fileprivate let random: @Sendable () -> Double

    /// The changes after a position; all records first if it is nil. `clock` measures delays and silence; `random`
    /// returns numbers from 0 up to, but not including, 1.
    public init(
        _ client: APIClient, since position: String? = nil, clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        (self.client, self.position, self.clock, self.random) = (client, position, clock, random)
    }

    /// Begins to follow.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension LiveChanges {
    /// Follows the changes.
    public struct Iterator: AsyncIteratorProtocol {
        private let source: LiveChanges
        private var assembler: CommitAssembler
        private var delay: ReconnectDelay
        private var stream: Stream?
        private var items: ArraySlice<ServerSentEvents.Item> = []
        private var pause: Duration?
        private var isEnded = false

        private struct Stream {
            let connection: StreamConnection
            var parser = ServerSentEvents()
            var hasEvents = false
        }

        fileprivate init(_ source: LiveChanges) {
            self.source = source
            assembler = CommitAssembler(position: source.position)
            delay = ReconnectDelay(random: source.random)
        }

        /// The next element; nil at the end.
        public mutating func next() async -> Element? {
            while !isEnded {
                guard !Task.isCancelled, await waitForRetry() else { break }
                do {
                    if let element = try await advance() {
                        if case .revoked = element { end() }
                        return element
                    }
                } catch  where Task.isCancelled {
                    break
                } catch {
                    if let element = disconnect(error) { return element }
                }
            }
            end()
            return nil
        }

        private mutating func end() {
            (isEnded, stream, items) = (true, nil, [])
        }

        /// False when the task was cancelled.
        private mutating func waitForRetry() async -> Bool {
            guard let pause else { return true }
            self.pause = nil
            return (try? await source.clock.sleep(for: pause)) != nil
        }

        /// Nil when there is nothing to deliver yet.
        private mutating func advance() async throws -> Element? {
            if let item = items.popFirst() { return try assembler.receive(item) }
            guard var stream else { return try await connect() }
            let part = await stream.connection.next()
            switch part {
            case .data(let data)?:
                var received: [ServerSentEvents.Item] = []
                defer { items = received[...] }
                try stream.parser.read(Array(data), into: &received)
                if !received.isEmpty { delay.succeed() }
                self.stream = stream
                return nil
            case .end(let error)?: throw error ?? ConnectionError.endedByServer
            case .response?: return nil
            case nil: throw ConnectionError.tooSlow
            }
        }

        private mutating func connect() async throws -> Element? {
            var request = APIRequest(.get, APIPath.changes)
            request.accept = "text/event-stream"
            request.queryItems = [URLQueryItem(name: "since", value: assembler.position)]
            var urlRequest = try source.client.urlRequest(for: request)
            urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
            // Longer than the silence, which is measured here.
            urlRequest.timeoutInterval = 3600
            let connection = StreamConnection(
                urlRequest, session: source.client.session, silence: LiveChanges.silence, clock: source.clock)
            let response: HTTPURLResponse
            switch await connection.next() {
            case .response(let value)?: response = value
            case .end(let error)?: throw error ?? ConnectionError.endedByServer
            case .data?, nil: throw ConnectionError.notAStream
            }
            guard response.statusCode != 401 else { return .revoked }
            guard response.statusCode == 200 else { throw await Refusal(response, connection) }
            let type = response.value(forHTTPHeaderField: "Content-Type") ?? ""
            guard type.lowercased().hasPrefix("text/event-stream") else { throw ConnectionError.notAStream }
            stream = Stream(connection: connection)
            return .connected
        }

        /// Nil when the next attempt follows at once.
        private mutating func disconnect(_ error: any Error) -> Element? {
            (stream, items) = (nil, [])
            assembler.disconnect()
            let refusal = error as? Refusal
            if case ConnectionError.endedByServer = error {
                pause = delay.afterEnd()
            } else {
                pause = delay.afterFailure(askedFor: refusal?.retryAfter)
            }
            return pause.map { .disconnected(refusal?.error ?? error, retryIn: $0) }
        }
    }
}

private struct Refusal: Error {
    let error: APIError
    /// In seconds.
    let retryAfter: Int?

    init(_ response: HTTPURLResponse, _ connection: StreamConnection) async {
        var body = Data()
        while body.count < 64 << 10, case .data(let data) = await connection.next() { body += data }
        error = .httpError(
            statusCode: response.statusCode, response: try? JSONDecoder().decode(APIErrorResponse.self, from: body))
        retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
    }
}

/// How long to wait before connecting again.
///
/// The delay doubles with each failure, up to half a minute, and is drawn at random from its upper half, so that the
/// clients of a server that restarts do not come at the same time. After a stream that the server ended there is no
/// delay, once.
struct ReconnectDelay {
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(30)
    /// A server that asks for a longer delay is asked again after this time.
    private static let longestAsked = 3600

    private let random: @Sendable () -> Double
    private var failures = 0
    private var mayConnectAtOnce = false

    init(random: @escaping @Sendable () -> Double) {
        self.random = random
    }

    mutating func succeed() {
        (failures, mayConnectAtOnce) = (0, true)
    }

    /// Nil for none: the server ended a stream without an error.
    mutating func afterEnd() -> Duration? {
        guard mayConnectAtOnce else { return afterFailure() }
        mayConnectAtOnce = false
        return nil
    }

    /// The server's own delay is not shortened.
    mutating func afterFailure(askedFor seconds: Int? = nil) -> Duration {
        mayConnectAtOnce = false
        let delay = min(Self.longest, Self.shortest * (1 << min(failures, 10)))
        failures += 1
        let drawn = delay * (0.5 + random() / 2)
        guard let seconds else { return drawn }
        return .seconds(min(max(seconds, 0), Self.longestAsked)) + drawn
    }
}
