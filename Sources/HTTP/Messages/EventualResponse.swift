/// The result of an application: a response, or the start of the work that leads to one.
public enum EventualResponse {
    /// The response.
    case now(Response)
    /// The response follows later. The server calls the function once, on the thread of the event loop; the function
    /// passes the deferred response to whatever completes it, such as the callback of a commit.
    case later((DeferredResponse) -> Void)

    /// Changes the response, now or when it is complete.
    ///
    /// A closure that captures something costs an allocation. A middleware that changes most responses should change
    /// that of `.now` directly and call this for the others.
    public func map(
        _ change: @escaping @Sendable (consuming Response) throws(HTTPError) -> Response
    ) throws(HTTPError) -> EventualResponse {
        switch self {
        case .now(let response): .now(try change(response))
        case .later(let start): .later { start(DeferredResponse($0, change)) }
        }
    }
}
