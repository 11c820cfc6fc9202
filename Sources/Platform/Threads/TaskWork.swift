import Synchronization

/// The CPU time that a task has other threads spend, as far as they measure it.
///
/// ```swift
/// let work = TaskWork()
/// try await TaskWork.$current.withValue(work) { try await history(of: record) }
/// deferred.charge(work.nanoseconds)
/// ```
///
/// A task may be continued by any thread, so that its own time cannot be measured as a whole. Functions that run for long
/// without suspension call `measured`, wherever they run; what waits or is nobody's work, such as a queue for hashes of
/// passwords, does not.
package final class TaskWork: Sendable {
    /// Where the time of the current task is counted; nil when nobody wants to know.
    @TaskLocal package static var current: TaskWork?

    private let time = Atomic<Int>(0)

    /// No time yet.
    package init() {}

    /// The time so far.
    package var nanoseconds: Int { time.load(ordering: .relaxed) }

    /// Calls a function, and counts its CPU time for the current task.
    package static func measured<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let current else { return try body() }
        let begin = Clock.threadCPU
        defer { current.time.add(Clock.threadCPU - begin, ordering: .relaxed) }
        return try body()
    }
}
