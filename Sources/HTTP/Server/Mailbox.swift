import Platform
import Synchronization

/// Names an unanswered request: which loop's connection, and which of its requests.
struct AnswerToken: Sendable, Hashable {
    let slot: UInt32
    /// Tells the connections apart that use a slot one after the other.
    let generation: UInt32
    let number: UInt32
}

/// How other threads reach an event loop, and how a handler answers on the loop's own thread.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case answer(AnswerToken, Response)
        case adopt(AcceptedConnection)
        case stop(deadline: Int)
    }

    /// The connections of the loop; the acceptor chooses the loop with the fewest.
    let connectionCount = Atomic<Int>(0)

    private let messages = Mutex<[Message]>([])
    /// Unanswered requests whose client has left.
    private let abandoned = Mutex<Set<AnswerToken>>([])
    private let wakeup: Wakeup

    private let owner = Atomic<UInt>(0)
    // Only touched on the thread `owner`, which `isOwnThread` checks first: an answer on the read path takes no lock.
    nonisolated(unsafe) private var expected: AnswerToken?
    nonisolated(unsafe) private var answer: Response?

    /// What a request is answered whose handler dropped it.
    let answerOfDropped: Response

    init(answerOfDropped: Response) throws(SystemError) {
        self.answerOfDropped = answerOfDropped
        wakeup = try Wakeup()
    }

    /// What the loop waits on for messages.
    var descriptor: FileDescriptor { wakeup.descriptor }

    /// Tells the loop something, from any thread.
    func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wakeup.signal() }
    }

    /// All messages so far; the array given is kept for the next ones.
    func takeMessages(into taken: inout [Message]) {
        wakeup.clear()
        taken.removeAll(keepingCapacity: true)
        messages.withLock { swap(&$0, &taken) }
    }

    /// Makes the calling thread the loop's.
    func adoptThread() {
        owner.store(Thread.ID.current.number, ordering: .relaxed)
    }

    /// On the loop's thread: the answer to this request may now come at once.
    func expect(_ token: AnswerToken) {
        expected = token
    }

    /// On the loop's thread, after the handler: its answer, if it gave one at once.
    func takeAnswer() -> Response? {
        expected = nil
        return answer.take()
    }

    /// Answers a request, from any thread.
    func send(_ response: consuming Response, for token: AnswerToken) {
        if isOwnThread, expected == token, answer == nil {
            answer = consume response
        } else {
            abandoned.withLock { _ = $0.remove(token) }
            post(.answer(token, response))
        }
    }

    /// Notes that nobody waits for these answers any more.
    func abandon(_ tokens: [AnswerToken]) {
        abandoned.withLock { $0.formUnion(tokens) }
    }

    /// Whether the client of an unanswered request has left.
    func isAbandoned(_ token: AnswerToken) -> Bool {
        abandoned.withLock { $0.contains(token) }
    }

    private var isOwnThread: Bool { owner.load(ordering: .relaxed) == Thread.ID.current.number }
}
