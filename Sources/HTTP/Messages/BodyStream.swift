import Platform
import Synchronization

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
    case pending
    case end
    /// The connection closes, so that the client sees that the body is incomplete.
    case failed
}

/// A body that is produced while it is sent, at the speed of the client: a connection stores little more than one part.
///
/// A stream uses its source once. The source ends with the last reference to the stream, even if nothing was sent.
package final class BodyStream: Sendable {
    /// When it is nil the body is sent in chunks, and to a client of HTTP/1.0 until the connection closes.
    let length: Int?
    let isEndless: Bool
    let source: any BodySource

    /// An endless body is complete when no part is ready and the client has closed its side: most such clients have
    /// disconnected. Any other is sent to its end: a client may close its side after its last request.
    package init(_ source: any BodySource, length: Int? = nil, isEndless: Bool = false) {
        (self.source, self.length, self.isEndless) = (source, length, isEndless)
    }

    deinit {
        source.end()
    }

    package func next(_ wakeup: BodyWakeup) -> BodyPart {
        source.next(wakeup)
    }

    /// For a caller without a connection. False when the source fails.
    package func forEachPart<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) -> Bool {
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
}

package struct BodyWakeup: Sendable {
    private let wake: @Sendable () -> Void

    package init(_ wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// From any thread. A superfluous wake-up is harmless.
    package func callAsFunction() { wake() }
}

extension BodyStream {
    /// The client has disconnected, or the rest of the body cannot be produced.
    package struct Closed: Error {
        package init() {}
    }

    /// Blocks while the client is behind.
    package typealias Output = ([UInt8]) throws(Closed) -> Void

    package typealias Writer = @Sendable (Output) throws(Closed) -> Void

    /// The function runs on a thread of its own, from the time when the client wants the body, and may block.
    package static func written(by write: @escaping Writer, isEndless: Bool = false) -> BodyStream {
        BodyStream(WriterBodySource(write), isEndless: isEndless)
    }
}

/// Produces a body on a thread of its own, a few parts ahead of the client: an export visits the whole town and takes
/// too long for an event loop. Only administration has such bodies.
private final class WriterBodySource: BodySource {
    private struct State {
        var parts: [[UInt8]] = []
        var isStarted = false
        var isComplete = false
        var isClosed = false
        var hasFailed = false
        var wakeup: BodyWakeup?
    }

    private static let lead = 2

    private let write: BodyStream.Writer
    private let state = Mutex(State())
    /// A part was removed or the body was closed.
    private let room = Semaphore()

    init(_ write: @escaping BodyStream.Writer) {
        self.write = write
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        let (part, isFirst) = state.withLock { state -> (BodyPart, Bool) in
            if !state.parts.isEmpty { return (.bytes(state.parts.removeFirst()), false) }
            if state.hasFailed { return (.failed, false) }
            if state.isComplete { return (.end, false) }
            state.wakeup = wakeup
            defer { state.isStarted = true }
            return (.pending, !state.isStarted)
        }
        if case .bytes = part { room.signal() }
        if isFirst { start() }
        return part
    }

    func end() {
        state.withLock { $0.isClosed = true }
        room.signal()
    }

    private func start() {
        do throws(SystemError) {
            try Thread.start(name: "body") { [self] in
                do throws(BodyStream.Closed) {
                    try write(append)
                    finish { $0.isComplete = true }
                } catch {
                    finish { $0.hasFailed = true }
                }
            }
        } catch {
            finish { $0.hasFailed = true }
        }
    }

    private func append(_ bytes: [UInt8]) throws(BodyStream.Closed) {
        if bytes.isEmpty { return }
        while true {
            let isTaken = try state.withLock { state throws(BodyStream.Closed) in
                if state.isClosed { throw BodyStream.Closed() }
                guard state.parts.count < Self.lead else { return false }
                state.parts.append(bytes)
                return true
            }
            if isTaken { return wakeConnection() }
            room.wait()
        }
    }

    private func finish(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        wakeConnection()
    }

    private func wakeConnection() {
        let wakeup = state.withLock { $0.wakeup.take() }
        wakeup?()
    }
}
