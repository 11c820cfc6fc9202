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

/// Decides which of several responses are shown: never an older one after or beside a newer one.
struct RequestOrder {
    private var newest = 0
    private var newestShown = 0
    private var inFlight: Set<Int> = []

    /// Whether a request has no response yet.
    var isWaiting: Bool { !inFlight.isEmpty }

    /// Whether a request that began after another has no response yet.
    func isWaiting(after request: Int) -> Bool { inFlight.contains { $0 > request } }

    /// Whether the outcome of a request may be shown yet.
    func mayShow(_ request: Int) -> Bool { request > newestShown }

    /// Begins a request.
    mutating func begin() -> Int {
        newest += 1
        inFlight.insert(newest)
        return newest
    }

    /// Ends a request.
    ///
    /// - Returns: whether its outcome is shown: unless it was cancelled, and unless a newer request is in flight or was
    ///   shown.
    mutating func end(_ request: Int, wasCancelled: Bool) -> Bool {
        inFlight.remove(request)
        guard !wasCancelled, mayShow(request), inFlight.allSatisfy({ $0 < request }) else { return false }
        newestShown = request
        return true
    }
}

/// The task that a view model starts itself, at most one at a time. It ends with the view model.
@MainActor
final class BackgroundTask {
    private let clock: any Clock<Duration>
    private var task: Task<Void, Never>?

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    deinit {
        task?.cancel()
    }

    /// Cancels the task, and starts another one after a delay.
    ///
    /// - Parameter operation: refers to the view model weakly, or it would prolong its life.
    func start(after delay: Duration = .zero, _ operation: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task { [clock] in
            if delay > .zero { try? await clock.sleep(for: delay) }
            if !Task.isCancelled { await operation() }
        }
    }

    /// Cancels the task.
    func cancel() {
        task?.cancel()
        task = nil
    }
}
