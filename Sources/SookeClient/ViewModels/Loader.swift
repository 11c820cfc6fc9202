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
    /// Whether a request for a whole value is in flight.
    var isLoading = false

    @ObservationIgnored private var order = RequestOrder()
    @ObservationIgnored private var inFlight = 0

    init(_ value: Value) {
        self.value = value
    }

    /// Sends a request in the task of the caller, and shows its response.
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
            inFlight += 1
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
            inFlight -= 1
            isLoading = inFlight > 0
        }
    }
}

extension Result {
    /// Whether the operation was cancelled.
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.isCancellation } else { false }
    }
}
