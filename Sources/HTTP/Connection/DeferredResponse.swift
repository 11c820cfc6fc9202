import Synchronization

/// The response to a request that was not answered at once. Any thread can complete it, once.
///
/// ```swift
/// return .later { deferred in
///     store.write(transaction) { outcome in deferred.send { render(outcome) } }
/// }
/// ```
///
/// A deferred response that is released without having been sent is a 500.
public final class DeferredResponse: Sendable {
    private enum Destination: Sendable {
        case loop(Mailbox, AnswerToken)
        case function(@Sendable (Response) -> Void)
    }

    private let destination: Destination
    private let isSent = Atomic<Bool>(false)

    init(_ mailbox: Mailbox, _ token: AnswerToken) {
        destination = .loop(mailbox, token)
    }

    /// A deferred response that is handed to a function, to call a responder without a server.
    public init(_ receive: @escaping @Sendable (Response) -> Void) {
        destination = .function(receive)
    }

    deinit {
        guard !isSent.load(ordering: .acquiring) else { return }
        switch destination {
        case .loop(let mailbox, let token): mailbox.post(.answer(token) { mailbox.responseOfDropped })
        case .function(let receive): receive(Response(.internalServerError))
        }
    }

    /// Sends the response that `render` returns. Can be called from any thread; the event loop of the connection calls
    /// `render` on its own thread, so that the caller spends no time on it. It is called also when the client has left.
    /// Only the first call of `send` counts.
    public func send(_ render: @escaping @Sendable () -> Response) {
        guard !isSent.exchange(true, ordering: .acquiringAndReleasing) else { return }
        switch destination {
        case .loop(let mailbox, let token): mailbox.post(.answer(token, render))
        case .function(let receive): receive(render())
        }
    }

    /// Whether the response was sent or its client has left, so that work for it can be dropped.
    public var isAbandoned: Bool {
        if isSent.load(ordering: .acquiring) { return true }
        return switch destination {
        case .loop(let mailbox, let token): mailbox.isAbandoned(token)
        case .function: false
        }
    }
}
