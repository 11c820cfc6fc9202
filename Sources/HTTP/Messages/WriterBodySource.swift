import Platform
import Synchronization

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
        /// The function has returned.
        var isComplete = false
        /// The client reads no more.
        var isClosed = false
        var hasFailed = false
        /// Set while the connection waits for a part.
        var wakeup: BodyWakeup?
    }

    /// Parts that are produced ahead of the client.
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
