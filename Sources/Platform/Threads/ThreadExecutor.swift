import Synchronization

/// A thread that runs an actor, so that what waits there, such as for the disk, holds up nobody else.
///
/// The thread runs all jobs of the actor that are waiting, then calls `afterBatch`, where a store flushes its journal.
/// Jobs that come meanwhile wait, and make the next batch. The busier the store, the larger the batches; an idle one
/// flushes each commit at once.
///
/// Jobs that come while a batch runs do not join it: who waits for it would have to wait for them as well, and who was
/// answered could send the next one meanwhile. With 64 clients that made a third more commits a second.
///
/// ```swift
/// actor Store {
///     nonisolated let thread = ThreadExecutor(name: "commit")
///     nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
///
///     func start() {
///         thread.start { [unowned self] in assumeIsolated { $0.flush() } }
///     }
/// }
/// ```
///
/// It is a custom executor, SE-0392.
public final class ThreadExecutor: SerialExecutor {
    /// Something to be done on the thread.
    private enum Work {
        /// A job of the actor.
        case job(UnownedJob)
        /// A call from outside of all tasks.
        case call(@Sendable () -> Void)
    }

    private struct State {
        var jobs: [Work] = []
        var isStarted = false
        var isWaiting = false
        var isStopping = false
        /// To wait for the thread's end.
        var handle: Thread?
        /// The thread itself, once it runs.
        var running: Thread.ID?
    }

    private let name: String
    private let state = Mutex(State())
    private let wake = Semaphore()

    /// A thread that waits to be started. Jobs that come before that are kept.
    ///
    /// - Parameter name: what `ps` and debuggers call it; at most 15 bytes.
    public init(name: String) {
        self.name = name
    }

    /// Starts the thread.
    ///
    /// - Parameter afterBatch: called on the thread after each batch of jobs; `assumeIsolated` of the actor holds
    ///   there.
    public func start(afterBatch: @escaping @Sendable () -> Void) {
        state.withLock { state in
            precondition(!state.isStarted, "a thread is started once")
            state.isStarted = true
        }
        do throws(SystemError) {
            let handle = try Thread(name: name) { [self] in run(afterBatch) }
            state.withLock { $0.handle = handle }
        } catch {
            preconditionFailure("no thread can be made: \(error)")
        }
    }

    /// Asks the thread to end once the jobs that are waiting are done, and waits for it. Jobs that come later never
    /// run. It must not be called on the thread itself.
    public func stop() {
        let handle = state.withLock { state in
            state.isStopping = true
            defer { state.handle = nil }
            return state.handle
        }
        guard let handle else { return }
        wake.signal()
        handle.join()
    }

    // MARK: - SerialExecutor

    /// Takes a job of the actor.
    public func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job)))
    }

    /// Has a function called on the thread, in turn with the jobs of the actor; `assumeIsolated` of the actor holds
    /// there.
    public func enqueue(_ call: @escaping @Sendable () -> Void) {
        enqueue(.call(call))
    }

    private func enqueue(_ work: Work) {
        let mustWake = state.withLock { state in
            state.jobs.append(work)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if mustWake { wake.signal() }
    }

    /// Whether the caller is on the thread.
    public func isIsolatingCurrentContext() -> Bool? {
        state.withLock { state in state.running == Thread.ID.current }
    }

    /// Ends the process when the caller is not on the thread.
    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the thread \(name)")
    }

    // MARK: - The thread

    private func run(_ afterBatch: () -> Void) {
        state.withLock { $0.running = .current }
        var jobs: [Work] = []
        while waitForJobs(&jobs) {
            for work in jobs {
                switch work {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .call(let call): call()
                }
            }
            jobs.removeAll(keepingCapacity: true)
            afterBatch()
        }
        state.withLock { $0.running = nil }
    }

    /// Waits until there are jobs; false when the thread is to end.
    private func waitForJobs(_ jobs: inout [Work]) -> Bool {
        while true {
            let isStopping = state.withLock { state in
                swap(&state.jobs, &jobs)
                state.isWaiting = jobs.isEmpty && !state.isStopping
                return state.isStopping
            }
            if !jobs.isEmpty { return true }
            if isStopping { return false }
            wake.wait()
        }
    }
}
