import Platform

/// Produces a body while it is sent.
package protocol BodySource: Sendable {
    /// The connection calls this when little of the earlier parts is left to send, on the thread of its event loop: the
    /// source must not block, nor work for longer than about a millisecond. See `BodyStream.written(by:)` for work that
    /// takes longer.
    ///
    /// - Parameter wakeup: a source that returned `.pending` calls it, from any thread, when it can continue.
    func next(_ wakeup: BodyWakeup) -> BodyPart

    /// No part is needed any more: the body has ended or its client has disconnected. It is called once, on any thread.
    func end()
}

package enum BodyPart: Sendable {
    /// The next bytes. 64 KiB are a good size; more costs memory, less costs calls.
    case bytes([UInt8])
    /// Nothing yet. The source calls the wake-up when it can continue.
    case pending
    case end
    /// The rest cannot be produced. The connection closes, so that the client sees that the body is incomplete.
    case failed
}

/// A body that is produced while it is sent, at the speed of the client.
///
/// A connection stores little more than one part, however long the body is. A client that receives too slowly is
/// disconnected, as with any other body (`HTTPLimits.writeTimeout`, `minimumRate`).
///
/// A stream uses its source once: the source ends when the last reference to the stream is released, even if the
/// response was never sent.
package final class BodyStream: Sendable {
    /// The length of the body in bytes. When it is nil the body is sent in chunks, and to a client of HTTP/1.0 until
    /// the connection closes.
    let length: Int?
    /// Whether the body ends when the client has closed its side of the connection.
    let isEndless: Bool
    let source: any BodySource

    /// - Parameters:
    ///   - length: the length in bytes, if it is known.
    ///   - isEndless: whether the source waits for parts without end. Such a body is complete when no part is ready and
    ///     the client has closed its side of the connection: most clients that do so have disconnected. Any other body
    ///     is sent to its end, because a client may close its side when it has sent its last request.
    package init(_ source: any BodySource, length: Int? = nil, isEndless: Bool = false) {
        (self.source, self.length, self.isEndless) = (source, length, isEndless)
    }

    deinit {
        source.end()
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        source.next(wakeup)
    }

    /// Passes the parts of the body on, for a caller without a connection, who waits for them.
    ///
    /// - Returns: false when the source fails.
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

    /// All bytes of the body, for a caller without a connection; nil when the source fails.
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

/// Tells a connection that the source of its body can continue.
package struct BodyWakeup: Sendable {
    private enum Destination: Sendable {
        case loop(Mailbox, ResponseToken)
        case function(@Sendable () -> Void)
    }

    private let destination: Destination

    init(_ mailbox: Mailbox, _ token: ResponseToken) {
        destination = .loop(mailbox, token)
    }

    /// A wake-up that calls a function, to read a source without a server.
    package init(_ wake: @escaping @Sendable () -> Void) {
        destination = .function(wake)
    }

    /// Wakes the connection, from any thread. A superfluous wake-up is harmless.
    package func callAsFunction() {
        switch destination {
        case .loop(let mailbox, let token): mailbox.post(.wake(token))
        case .function(let wake): wake()
        }
    }
}
