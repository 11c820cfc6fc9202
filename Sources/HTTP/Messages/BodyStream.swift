import Platform

/// Produces a body while it is sent.
package protocol BodySource: Sendable {
    /// Called when little of the earlier parts is left to send, on the thread of an event loop: the source must not
    /// block, nor work for longer than about a millisecond (see `BodyStream.written(by:)`). One that returned
    /// `.pending` calls `wakeup`, from any thread, when it can continue.
    func next(_ wakeup: BodyWakeup) -> BodyPart

    /// The body has ended or its client has disconnected. Called once, on any thread.
    func end()
}

package enum BodyPart: Sendable {
    /// 64 KiB are a good size; more costs memory, less costs calls.
    case bytes([UInt8])
    /// The source calls the wake-up when it can continue.
    case pending
    case end
    /// The connection closes, so that the client sees that the body is incomplete.
    case failed
}

/// A body that is produced while it is sent, at the speed of the client: a connection stores little more than one part.
///
/// A stream uses its source once: the source ends when the last reference to the stream is released, even if the
/// response was never sent.
package final class BodyStream: Sendable {
    /// When it is nil the body is sent in chunks, and to a client of HTTP/1.0 until the connection closes.
    let length: Int?
    let isEndless: Bool
    let source: any BodySource

    /// An endless body is complete when no part is ready and the client has closed its side of the connection: most
    /// clients that do so have disconnected. Any other is sent to its end: a client may close its side after its last
    /// request.
    package init(_ source: any BodySource, length: Int? = nil, isEndless: Bool = false) {
        (self.source, self.length, self.isEndless) = (source, length, isEndless)
    }

    deinit {
        source.end()
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        source.next(wakeup)
    }

    /// For a caller without a connection. False when the source fails.
    package func forEachPart<Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let ready = Semaphore()
        let wakeup = BodyWakeup { ready.signal() }
        while true {
            switch next(wakeup) {
            case .bytes(let part): try body(part)
            case .pending: ready.wait()
            case .end: return true
            case .failed: return false
            }
        }
    }

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

/// Wakes the connection when the source of its body can continue.
package struct BodyWakeup: Sendable {
    private enum Destination: Sendable {
        case loop(Mailbox, ResponseToken)
        case function(@Sendable () -> Void)
    }

    private let destination: Destination

    init(_ mailbox: Mailbox, _ token: ResponseToken) {
        destination = .loop(mailbox, token)
    }

    /// To read a source without a server.
    package init(_ wake: @escaping @Sendable () -> Void) {
        destination = .function(wake)
    }

    /// From any thread. A superfluous wake-up is harmless.
    package func callAsFunction() {
        switch destination {
        case .loop(let mailbox, let token): mailbox.post(.wake(token))
        case .function(let wake): wake()
        }
    }
}
