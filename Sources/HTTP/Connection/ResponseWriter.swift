/// The right, and the duty, to answer one request once.
///
/// It cannot be copied, and `send` consumes it, so a second answer does not compile. It may be taken to another thread
/// and answered there. Dropped without an answer, it answers 500.
public struct ResponseWriter: ~Copyable, Sendable {
    private enum Destination: Sendable {
        case loop(Mailbox, AnswerToken)
        case function(@Sendable (Response) -> Void)
    }

    private let destination: Destination
    private var isSpent = false

    init(_ mailbox: Mailbox, _ token: AnswerToken) {
        destination = .loop(mailbox, token)
    }

    /// A writer that hands the response to a function, to call a responder without a server.
    public init(_ receive: @escaping @Sendable (Response) -> Void) {
        destination = .function(receive)
    }

    /// Answers. On the loop's own thread, before the responder returns, this costs no lock and leaves with the other
    /// answers of the pipeline; later or elsewhere it wakes the loop.
    public consuming func send(_ response: consuming Response) {
        isSpent = true
        switch destination {
        case .loop(let mailbox, let token): mailbox.send(response, for: token)
        case .function(let receive): receive(response)
        }
    }

    /// Whether the client has gone, so that work for it may be dropped. (Send or drop the writer all the same.)
    public var isAbandoned: Bool {
        switch destination {
        case .loop(let mailbox, let token): mailbox.isAbandoned(token)
        case .function: false
        }
    }

    deinit {
        guard !isSpent else { return }
        switch destination {
        case .loop(let mailbox, let token): mailbox.send(mailbox.answerOfDropped, for: token)
        case .function(let receive): receive(Response(.internalServerError))
        }
    }
}

/// What answers requests. Called on an event loop's thread: it must not block; what takes longer takes the writer to
/// another thread.
public typealias Responder = @Sendable (Request, consuming ResponseWriter) -> Void
