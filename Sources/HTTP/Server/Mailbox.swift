import Platform
import Synchronization

struct ResponseToken: Sendable, Hashable {
    let slot: UInt32
    /// Distinguishes the connections that use a slot one after the other.
    let generation: UInt32
    let number: UInt32
}

final class Mailbox: Sendable {
    enum Message: Sendable {
        /// The loop renders the response.
        case response(ResponseToken, @Sendable () -> Response)
        case wake(ResponseToken)
        /// It is the turn of a streamed body.
        case turn(ResponseToken)
        case adopt(AcceptedConnection)
        case listen(Listener)
        case stop(deadline: Int)
    }

    let connectionCount = Atomic<Int>(0)

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Requests whose client has disconnected.
    private let abandoned = Mutex<Set<ResponseToken>>([])
    private let wakeup: Wakeup

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    /// Readable when there are messages.
    var descriptor: FileDescriptor { wakeup.descriptor }

    /// From any thread.
    func post(_ message: Message) {
        let (isPosted, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            return (true, state.messages.count == 1)
        }
        if isFirst { wakeup.signal() }
        if !isPosted { Self.finish(message) }
    }

    /// The array is reused for the next messages.
    func takeMessages(into taken: inout [Message]) {
        wakeup.clear()
        taken.removeAll(keepingCapacity: true)
        state.withLock { swap(&$0.messages, &taken) }
    }

    /// The loop has ended. A late response is still rendered, since that can have effects, such as an audit entry.
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

    func abandon(_ tokens: [ResponseToken]) {
        abandoned.withLock { $0.formUnion(tokens) }
    }

    func isAbandoned(_ token: ResponseToken) -> Bool {
        abandoned.withLock { $0.contains(token) }
    }

    /// The response came after the client had disconnected.
    func forget(_ token: ResponseToken) {
        abandoned.withLock { _ = $0.remove(token) }
    }
}
