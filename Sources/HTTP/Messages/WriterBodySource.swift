import Platform
import Synchronization

extension BodyStream {
    /// The rest of the body is not wanted, since the client has disconnected, or cannot be produced.
    package struct Closed: Error {
        package init() {}
    }

    /// Appends the next bytes to a body. It blocks while the client is behind.
    package typealias Output = ([UInt8]) throws(Closed) -> Void

    /// Writes a whole body, part by part.
    package typealias Writer = @Sendable (Output) throws(Closed) -> Void

    /// A stream of what a function writes. The function runs on a thread of its own, from the time when the client
    /// wants the body, and may block.
    ///
    /// - Parameter isEndless: see `BodyStream.init`.
    package static func written(by write: @escaping Writer, isEndless: Bool = false) -> BodyStream {
        BodyStream(WriterBodySource(write), isEndless: isEndless)
    }
}

/// Produces a body on a thread of its own, a few parts ahead of the client.
///
/// It needs a thread because an export visits the whole town and takes too long for an event loop. There is one thread
/// for each such body, and only administration has such bodies.
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

    /// The number of parts that are produced ahead of the client.
    private static let lead = 2

    private let write: BodyStream.Writer
    private let state = Mutex(State())
    /// Signalled when a part was removed or the body was closed.
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

    /// Appends a part, as soon as there is room for it.
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

    /// Wakes the connection if it waits for a part.
    private func wakeConnection() {
        let wakeup = state.withLock { $0.wakeup.take() }
        wakeup?()
    }
}
