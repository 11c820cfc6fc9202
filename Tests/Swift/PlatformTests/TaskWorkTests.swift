import Testing

@testable import Platform

/// The CPU time of a task on other threads.
@Suite struct TaskWorkTests {
    /// Work on a thread of its own.
    private actor Worker {
        let thread = ThreadExecutor(name: "worker")
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init() { thread.start {} }

        func work(_ time: Int) -> UInt {
            TaskWork.measured {
                let begin = Clock.threadCPU
                while Clock.threadCPU - begin < time {}
                return Thread.current
            }
        }
    }

    @Test func countsWhatOtherThreadsDoForATask() async {
        let (worker, mine, others) = (Worker(), TaskWork(), TaskWork())
        await withTaskGroup { group in
            for (work, time) in [(mine, 20_000_000), (others, 5_000_000), (mine, 10_000_000)] {
                group.addTask {
                    await TaskWork.$current.withValue(work) { _ = await worker.work(time) }
                }
            }
        }
        _ = await worker.work(10_000_000)
        #expect(mine.nanoseconds >= 30_000_000 && others.nanoseconds >= 5_000_000)
        #expect(mine.nanoseconds < 40_000_000 && others.nanoseconds < 15_000_000)
        worker.thread.stop()
    }
}
