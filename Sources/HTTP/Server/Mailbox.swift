import Platform
import Synchronization

/// Identifies a pending request: the connection of a loop, and the request on it.
struct ResponseToken: Sendable, Hashable {
    let slot: UInt32
    /// Distinguishes the connections that use a slot one after the other.
    let generation: UInt32
    let number: UInt32
}

/// Passes messages from other threads to an event loop.
final class Mailbox: Sendable {
    enum Message: Sendable {
        /// The loop renders the response and sends it.
        case response(ResponseToken, @Sendable () -> Response)
        /// The source of a streamed body can continue.
        case wake(ResponseToken)
        /// It is the turn of a streamed body.
        case turn(ResponseToken)
        case adopt(AcceptedConnection)
        /// The accepting loop accepts connections of this listener too.
        case listen(Listener)
        case stop(deadline: Int)
    }

    /// The connections of the loop; the acceptor chooses the loop with the fewest.
    let connectionCount = Atomic<Int>(0)

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Pending requests whose client has disconnected.
    private let abandoned = Mutex<Set<ResponseToken>>([])
    /// What to call when the clients of pending requests disconnect or close their sides.
    private let closeHandlers = Mutex<[ResponseToken: @Sendable () -> Void]>([:])
    private let wakeup: Wakeup

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    /// The descriptor that becomes readable when there are messages.
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

    /// Moves all messages into an array, which is reused for the next ones.
    func takeMessages(into taken: inout [Message]) {
        wakeup.clear()
        taken.removeAll(keepingCapacity: true)
        state.withLock { swap(&$0.messages, &taken) }
    }

    /// Accepts no further messages: the loop has ended. A response that comes later is still rendered, since rendering
    /// can have effects, such as an audit entry.
    func close() {
        let rest = state.withLock { state in
            state.isClosed = true
            return state.messages
        }
        for message in rest { Self.finish(message) }
    }

    private static func finish(_ message: Message) {
        switch message {
        case .response(_, let render): _ = render()
        case .listen(let listener): listener.close()
        default: break
        }
    }

    /// Sets the function to call when the client of a pending request disconnects or closes its side.
    func setCloseHandler(_ handler: @escaping @Sendable () -> Void, for token: ResponseToken) {
        closeHandlers.withLock { $0[token] = handler }
    }

    /// Removes the function of a request that has its response.
    func removeCloseHandler(for token: ResponseToken) {
        closeHandlers.withLock { _ = $0.removeValue(forKey: token) }
    }

    /// Calls the functions of these requests, whose client has disconnected or closed its side.
    func callCloseHandlers(of tokens: [ResponseToken]) {
        let handlers = closeHandlers.withLock { handlers in tokens.compactMap { handlers.removeValue(forKey: $0) } }
        for handler in handlers { handler() }
    }

    func abandon(_ tokens: [ResponseToken]) {
        abandoned.withLock { $0.formUnion(tokens) }
    }

    func isAbandoned(_ token: ResponseToken) -> Bool {
        abandoned.withLock { $0.contains(token) }
    }

    /// Removes the record of a request whose response came after its client had disconnected.
    func forget(_ token: ResponseToken) {
        abandoned.withLock { _ = $0.remove(token) }
    }
}
