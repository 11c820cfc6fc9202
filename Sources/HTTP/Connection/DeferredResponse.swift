import Synchronization

/// A response that follows later. Any thread can complete it, once.
///
/// ```swift
/// return .later { deferred in
///     store.write(transaction) { result in
///         deferred.send { () throws(HTTPError) in try render(result) }
///     }
/// }
/// ```
///
/// A deferred response that is released without having been sent is a 500.
package final class DeferredResponse: Sendable {
    package typealias Render = @Sendable () throws(HTTPError) -> Response

    private enum Destination: Sendable {
        case loop(Mailbox, ResponseToken, (@Sendable (Int) -> Void)?, @Sendable (HTTPError) -> Response)
        case function(@Sendable (Response) -> Void, @Sendable (HTTPError) -> Response)
        case deferred(DeferredResponse, @Sendable (consuming Response) throws(HTTPError) -> Response)
    }

    private let destination: Destination
    private let isSent = Atomic<Bool>(false)

    init(
        _ mailbox: Mailbox, _ token: ResponseToken, _ charge: (@Sendable (Int) -> Void)? = nil,
        failing: @escaping @Sendable (HTTPError) -> Response
    ) {
        destination = .loop(mailbox, token, charge, failing)
    }

    /// For an application without a server.
    init(failing: @escaping @Sendable (HTTPError) -> Response, _ receive: @escaping @Sendable (Response) -> Void) {
        destination = .function(receive, failing)
    }

    init(
        _ deferred: DeferredResponse, _ change: @escaping @Sendable (consuming Response) throws(HTTPError) -> Response
    ) {
        destination = .deferred(deferred, change)
    }

    deinit {
        if !isSent.load(ordering: .acquiring) { complete { () throws(HTTPError) in throw .internalError } }
    }

    /// From any thread; only the first call has an effect. The event loop of the connection calls `render` on its own
    /// thread, even if the client has disconnected.
    package func send(_ render: @escaping Render) {
        if !isSent.exchange(true, ordering: .acquiringAndReleasing) { complete(render) }
    }

    /// CPU time of other threads, in nanoseconds, charged to the client's network. From any thread, more than once.
    package func charge(_ time: Int) {
        switch destination {
        case .loop(_, _, let charge, _): charge?(time)
        case .function: break
        case .deferred(let deferred, _): deferred.charge(time)
        }
    }

    private func complete(_ render: @escaping Render) {
        switch destination {
        case .loop(let mailbox, let token, _, let failing):
            mailbox.post(.response(token) { Self.response(render, failing) })
        case .function(let receive, let failing): receive(Self.response(render, failing))
        case .deferred(let deferred, let change): deferred.send { () throws(HTTPError) in try change(render()) }
        }
    }

    private static func response(_ render: Render, _ failing: (HTTPError) -> Response) -> Response {
        do throws(HTTPError) { return try render() } catch { return failing(error) }
    }

    /// Work for the response can be dropped.
    package var isAbandoned: Bool {
        if isSent.load(ordering: .acquiring) { return true }
        return switch destination {
        case .loop(let mailbox, let token, _, _): mailbox.isAbandoned(token)
        case .function: false
        case .deferred(let deferred, _): deferred.isAbandoned
        }
    }
}

package enum EventualResponse {
    case now(Response)
    /// Called once, on the thread of the event loop; passes the deferred response on to the code that completes it.
    case later((DeferredResponse) -> Void)

    /// A closure that captures something allocates: middleware should change `.now` itself and call this for others.
    package func map(
        _ change: @escaping @Sendable (consuming Response) throws(HTTPError) -> Response
    ) throws(HTTPError) -> EventualResponse {
        switch self {
        case .now(let response): .now(try change(response))
        case .later(let start): .later { start(DeferredResponse($0, change)) }
        }
    }
}
