/// What an application returns: the response to a request, or the start of the work that leads to it.
public enum EventualResponse {
    /// The response is here.
    case now(Response)
    /// The response follows. The server calls the function once, on the thread of the event loop; it passes the deferred
    /// response to whatever completes it, such as the callback of a commit.
    case later((DeferredResponse) -> Void)

    /// The answer with a response that is changed, now or when it comes.
    ///
    /// A closure that captures something costs an allocation. A step that most requests pass changes a response of `.now`
    /// itself and calls this for the others.
    public func map(
        _ change: @escaping @Sendable (consuming Response) throws(HTTPError) -> Response
    ) throws(HTTPError) -> EventualResponse {
        switch self {
        case .now(let response): .now(try change(response))
        case .later(let start): .later { start(DeferredResponse($0, change)) }
        }
    }
}
