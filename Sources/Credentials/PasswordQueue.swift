import CSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Does one piece of work at a time on a thread of its own, lets a few wait in order, and refuses more.
///
/// The thread is there only while there is work: starting it costs nothing beside a hash, and nothing need be stopped.
final class PasswordQueue: Sendable {
    private struct Job: Sendable {
        let number: Int
        /// Does the work, and returns what hands over its result.
        let run: @Sendable () -> @Sendable () -> Void
        let refuse: @Sendable (PasswordHashError) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isWorking = false
        var lastNumber = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// `limit` pieces of work may wait, beside the one that is being done.
    init(limit: Int) {
        self.limit = limit
    }

    /// The pieces of work that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Does a piece of work when its turn comes.
    ///
    /// - Throws: what the work throws; `busy` at once when too many wait, `cancelled` when the task is cancelled before
    ///   the work begins, `noThread`.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PasswordHashError) -> Value
    ) async throws(PasswordHashError) -> Value {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiting: CheckedContinuation<Result<Value, PasswordHashError>, Never>) in
                enqueue(
                    Job(
                        number: number,
                        run: {
                            let result = Result(catching: work)
                            return { waiting.resume(returning: result) }
                        },
                        refuse: { waiting.resume(returning: .failure($0)) }))
            }
        } onCancel: {
            cancel(number)
        }
        return try result.get()
    }

    private func enqueue(_ job: Job) {
        // A task that is cancelled between this look and its place in the queue costs a hash that nobody wants.
        guard !Task.isCancelled else { return job.refuse(.cancelled) }
        let refusal: PasswordHashError? = state.withLock { state in
            if state.isWorking {
                guard state.waiting.count < limit else { return .busy }
                state.waiting.append(job)
                return nil
            }
            let code = startThread { [self] in work(from: job) }
            state.isWorking = code == 0
            return code == 0 ? nil : .noThread(code: code)
        }
        if let refusal { job.refuse(refusal) }
    }

    private func cancel(_ number: Int) {
        let job: Job? = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        job?.refuse(.cancelled)
    }

    private func work(from first: Job) {
        #if canImport(Glibc)
            sooke_name_thread("password")
        #endif
        var next: Job? = first
        while let job = next {
            let handOver = job.run()
            next = state.withLock { state in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.isWorking = false
                return nil
            }
            // Only now, so that who has an answer finds the place free that he had.
            handOver()
        }
    }
}

/// Starts a POSIX thread that ends with its body; the error number, 0 when it runs.
private func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // C hands one pointer to the new thread, which lets go of it.
    let box = Unmanaged.passRetained(Box(body))
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    let code = pthread_create(
        &thread, &attributes,
        { context in
            // Darwin's context is never null, Glibc's is an optional.
            let context: UnsafeMutableRawPointer? = context
            context.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body() }
            return nil
        }, box.toOpaque())
    if code != 0 { box.release() }
    return code
}
