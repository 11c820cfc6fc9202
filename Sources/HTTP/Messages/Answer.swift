/// What a responder returns: the response to a request, or the start of the work that leads to it.
public enum Answer {
    /// The response is here.
    case now(Response)
    /// The response follows. The server calls the function once, on the thread of the event loop; it passes the deferred
    /// response to whatever completes it, such as the callback of a commit.
    case later((DeferredResponse) -> Void)

    /// Completes a deferred response with this answer.
    public func send(to deferred: DeferredResponse) {
        switch self {
        case .now(let response): deferred.send { response }
        case .later(let start): start(deferred)
        }
    }
}

/// Answers requests. It is called on the thread of an event loop and must not block: longer work belongs on another
/// thread, see `Answer.later`.
public typealias Responder = @Sendable (Request) -> Answer
