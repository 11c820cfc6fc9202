import Platform
import Synchronization

/// Identifies an unanswered request: the connection of a loop, and the request on it.
struct ResponseToken: Sendable, Hashable {
    let slot: UInt32
    /// Distinguishes the connections that use a slot one after the other.
    let generation: UInt32
    let number: UInt32
}

/// How other threads reach an event loop.
final class Mailbox: Sendable {
    enum Message: Sendable {
        /// The loop renders the response and sends it.
        case response(ResponseToken, @Sendable () -> Response)
        /// The source of a streamed body can go on.
        case wake(ResponseToken)
        case adopt(AcceptedConnection)
        case stop(deadline: Int)
    }

    /// The connections of the loop; the acceptor chooses the loop with the fewest.
    let connectionCount = Atomic<Int>(0)

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Unanswered requests whose client has left.
    private let abandoned = Mutex<Set<ResponseToken>>([])
    private let wakeup: Wakeup

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    /// What the loop waits on for messages.
    var descriptor: FileDescriptor { wakeup.descriptor }

    /// Posts a message to the loop, from any thread.
    func post(_ message: Message) {
        let (isPosted, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            return (true, state.messages.count == 1)
        }
        if isFirst { wakeup.signal() }
        if !isPosted { Self.finish(message) }
    }

    /// All messages so far; the array given is reused for the next ones.
    func takeMessages(into taken: inout [Message]) {
        wakeup.clear()
        taken.removeAll(keepingCapacity: true)
        state.withLock { swap(&$0.messages, &taken) }
    }

    /// Takes no further message: the loop has ended. A response that comes later is still rendered, since that may be
    /// observed, such as by an audit.
    func close() {
        let rest = state.withLock { state in
            state.isClosed = true
            return state.messages
        }
        for message in rest { Self.finish(message) }
    }

    private static func finish(_ message: Message) {
        if case .response(_, let render) = message { _ = render() }
    }

    /// Records that the clients of these requests have left.
    func abandon(_ tokens: [ResponseToken]) {
        abandoned.withLock { $0.formUnion(tokens) }
    }

    /// Whether the client of an unanswered request has left.
    func isAbandoned(_ token: ResponseToken) -> Bool {
        abandoned.withLock { $0.contains(token) }
    }

    /// Removes the record of a request whose answer came after its client had left.
    func forget(_ token: ResponseToken) {
        abandoned.withLock { _ = $0.remove(token) }
    }
}
