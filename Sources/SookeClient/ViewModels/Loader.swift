import Observation

/// A value that is loaded from the server.
///
/// The old value remains until a new one arrives. A cancelled request changes neither the value nor the error.
@MainActor @Observable
final class Loader<Value: Sendable> {
    var value: Value
    /// Why the newest request failed; nil while one is in flight.
    var error: (any Error)?
    /// Whether a request for a whole value is in flight whose response may be shown.
    var isLoading = false

    @ObservationIgnored private var newest = 0
    @ObservationIgnored private var newestShown = 0
    /// Whether the response of each request in flight is only a part of the value.
    @ObservationIgnored private var inFlight: [Int: Bool] = [:]
    @ObservationIgnored private var waiting: [AsyncStream<Never>.Continuation] = []

    init(_ value: Value) {
        self.value = value
    }

    /// Sends a request in the task of the caller, and shows its response, unless it was cancelled. While a newer
    /// request is in flight, it waits for that one, whose response is shown instead.
    ///
    /// - Parameter isPart: whether the response is only a part of the value; then `isLoading` does not change.
    func load<Response: Sendable>(
        isPart: Bool = false, _ request: @Sendable () async throws -> Response,
        show: (inout Value, Response) -> Void
    ) async {
        newest += 1
        let number = newest
        inFlight[number] = isPart
        error = nil
        if !isPart { isLoading = true }
        let result: Result<Response, any Error>
        do {
            result = .success(try await request())
        } catch {
            result = .failure(error)
        }
        inFlight[number] = nil
        let isNewest = number > newestShown && inFlight.keys.allSatisfy { $0 < number }
        if isNewest, !Task.isCancelled, !result.isCancelled {
            newestShown = number
            switch result {
            case .success(let response): show(&value, response)
            case .failure(let error): self.error = error
            }
        }
        if !isPart { isLoading = inFlight.contains { !$0.value && $0.key > newestShown } }
        for continuation in waiting { continuation.finish() }
        waiting = []
        while inFlight.keys.contains(where: { $0 > number }), !Task.isCancelled { await nextEnd() }
    }

    private func nextEnd() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        waiting.append(continuation)
        for await _ in stream {}
    }
}

extension Result {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.isCancellation } else { false }
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

    /// `operation` refers to the view model weakly, or it would prolong its life.
    func start(after delay: Duration = .zero, _ operation: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task { [clock] in
            if delay > .zero { try? await clock.sleep(for: delay) }
            if !Task.isCancelled { await operation() }
        }
    }

    func cancel() {
        task?.cancel()
        task = nil
    }
}
