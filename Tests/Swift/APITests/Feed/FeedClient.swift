import HTTP
import Testing

@testable import API
@testable import HTTP

/// A stream of `TestTown`, part by part.
final class FeedClient {
    private let stream: BodyStream
    /// The wake-ups since the last call of `text`.
    private var signals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Nil when the response is not a stream.
    init?(_ response: Response) {
        guard case .stream(let stream) = response.content else { return nil }
        self.stream = stream
    }

    /// The text until nothing more is there; `end` at the end.
    func text() async -> String {
        var text = ""
        signals = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let continuation = signals.continuation
        while true {
            switch stream.next(BodyWakeup { continuation.yield() }) {
            case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .end: return text + "end"
            case .failed: return text + "failed"
            case .pending:
                if (stream.source as? ChangeStream)?.livePosition != nil { return text }
                await isWoken()
            }
        }
    }

    /// Waits until the stream is woken.
    func isWoken() async {
        for await _ in signals.stream { return }
    }
}

extension TestTown {
    /// The response to a request for the feed, whose body is not read.
    func follow(
        _ query: String = "", as caller: TestCaller = .nobody, _ headers: [(String, String)] = []
    ) async throws -> Response {
        let token = TestSecrets.sessions[caller].map { [$0.asField] } ?? []
        let request = try Request(
            .get, ChangesRoute.path + query,
            headers: [("Accept", "text/event-stream")] + headers + (caller.person == nil ? [] : token),
            peer: caller == .folder ? Self.owner : Self.stranger)
        let api = api
        return await withCheckedContinuation { continuation in
            api.respond(to: request) { continuation.resume(returning: $0) }
        }
    }
}
