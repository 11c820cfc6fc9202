import Observation

/// A value that is loaded from the server.
///
/// The old value remains until a new one arrives. A cancelled request changes neither the value nor the error.
@MainActor @Observable
final class Loader<Value: Sendable> {
    /// The newest value.
    var value: Value
    /// Why the newest request failed; nil while one is in flight.
    var error: (any Error)?
    /// Whether a request for a whole value is in flight whose response may be shown.
    var isLoading = false

    @ObservationIgnored private var order = RequestOrder()
    /// The requests for whole values in flight.
    @ObservationIgnored private var inFlight: Set<Int> = []
    /// Who waits for the end of a newer request.
    @ObservationIgnored private var waiting: [AsyncStream<Never>.Continuation] = []

    init(_ value: Value) {
        self.value = value
    }

    /// Sends a request in the task of the caller, and shows its response. While a newer request is in flight, it waits
    /// for that one, whose response is shown instead.
    ///
    /// - Parameters:
    ///   - isPart: whether the response is only a part of the value; then `isLoading` does not change.
    ///   - show: changes the value.
    func load<Response: Sendable>(
        isPart: Bool = false, _ request: @Sendable () async throws -> Response,
        show: (inout Value, Response) -> Void
    ) async {
        let number = order.begin()
        error = nil
        if !isPart {
            inFlight.insert(number)
            isLoading = true
        }
        let result: Result<Response, any Error>
        do {
            result = .success(try await request())
        } catch {
            result = .failure(error)
        }
        if order.end(number, wasCancelled: Task.isCancelled || result.isCancelled) {
            switch result {
            case .success(let response): show(&value, response)
            case .failure(let error): self.error = error
            }
        }
        if !isPart {
            inFlight.remove(number)
            isLoading = inFlight.contains { order.mayShow($0) }
        }
        for continuation in waiting { continuation.finish() }
        waiting = []
        while order.isWaiting(after: number), !Task.isCancelled { await nextEnd() }
    }

    /// Returns when a request has ended, or when the task is cancelled.
    private func nextEnd() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        waiting.append(continuation)
        for await _ in stream {}
    }
}

extension Result {
    /// Whether the operation was cancelled.
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.isCancellation } else { false }
    }
}
