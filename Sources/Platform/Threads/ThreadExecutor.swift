import Synchronization

/// A thread that runs an actor, so that blocking work in it, such as a sync, delays no other work (SE-0392).
///
/// The thread runs all waiting jobs of the actor, then calls `afterBatch`, where a store flushes its journal. Jobs that
/// arrive meanwhile form the next batch: the busier the store, the larger the batches. They do not join this one: all
/// its clients would have to wait for them, instead of sending their next request. With 64 clients this gave a third
/// more commits per second.
package final class ThreadExecutor: SerialExecutor {
    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct State {
        var jobs: [Work] = []
        var isStarted = false
        var isWaiting = false
        var isStopping = false
        var handle: Thread?
        var running: UInt?
    }

    private let name: String
    private let state = Mutex(State())
    private let wake = Semaphore()

    /// Earlier jobs wait until it is started. The name has at most 15 bytes.
    package init(name: String) {
        self.name = name
    }

    /// `afterBatch` is called on the thread after each batch of jobs, isolated to the actor (`assumeIsolated`).
    package func start(afterBatch: @escaping @Sendable () -> Void) {
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

    /// Waits for the jobs so far; later ones never run. It must not be called on the thread itself.
    package func stop() {
        let handle = state.withLock { state in
            state.isStopping = true
            defer { state.handle = nil }
            return state.handle
        }
        guard let handle else { return }
        wake.signal()
        handle.join()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job)))
    }

    /// In order with the jobs of the actor, isolated to it (`assumeIsolated`).
    package func enqueue(_ call: @escaping @Sendable () -> Void) {
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

    package func isIsolatingCurrentContext() -> Bool? {
        state.withLock { state in state.running == Thread.current }
    }

    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the thread \(name)")
    }

    private func run(_ afterBatch: () -> Void) {
        state.withLock { $0.running = Thread.current }
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

    /// False when the thread must end.
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

/// The CPU time that a task has other threads spend, as far as they measure it.
///
/// Any thread may continue a task, so functions that run for long without suspension call `measured`; what waits or is
/// nobody's work, such as a queue for hashes of passwords, does not.
package final class TaskWork: Sendable {
    @TaskLocal package static var current: TaskWork?

    package let request = CrashReport.request
    private let time = Atomic<Int>(0)

    package init() {}

    package var nanoseconds: Int { time.load(ordering: .relaxed) }

    package static func measured<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let current else { return try body() }
        let begin = Clock.threadCPU
        defer { current.time.add(Clock.threadCPU - begin, ordering: .relaxed) }
        return try body()
    }
}
