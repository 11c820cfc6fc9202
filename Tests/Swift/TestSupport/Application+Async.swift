import HTTP

extension Application {
    /// With its whole body, without a server.
    package func response(to request: Request) async -> Response {
        var response = await withCheckedContinuation { continuation in
            respond(to: request) { continuation.resume(returning: $0) }
        }
        if case .stream(let stream) = response.content { response.body = await stream.bytes() ?? [] }
        return response
    }
}

extension BodyStream {
    /// For a caller without a connection; nil when the source fails.
    package func bytes() async -> [UInt8]? {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let wakeup = BodyWakeup { continuation.yield() }
        var waiting = signals.makeAsyncIterator()
        var bytes: [UInt8] = []
        while true {
            switch next(wakeup) {
            case .bytes(let part): bytes += part
            case .pending: await waiting.next()
            case .end: return bytes
            case .failed: return nil
            }
        }
    }
}
