import Synchronization
import Testing

@testable import Credentials

/// One piece of work at a time, a few that wait, and no more.
@Suite(.timeLimit(.minutes(20))) struct PasswordQueueTests {
    /// Waits until so many pieces of work wait.
    private static func wait(for count: Int, in queue: PasswordQueue) async {
        while queue.waitingCount != count { await Task.yield() }
    }

    /// A task that holds up the queue until the gate opens; it has the thread when this returns.
    private static func hold(_ queue: PasswordQueue, with gate: Gate) async -> Task<Void, any Error> {
        let hasBegun = Order()
        let task = Task {
            try await queue.run { () throws(PasswordHashError) in
                hasBegun.add(1)
                gate.pass()
            }
        }
        while hasBegun.numbers.isEmpty { await Task.yield() }
        return task
    }

    @Test func answersAndErrorsComeBack() async throws {
        let queue = PasswordQueue(limit: 1)
        #expect(try await queue.run { () throws(PasswordHashError) in 42 } == 42)
        await #expect(throws: PasswordHashError.failed(code: 12)) {
            try await queue.run { () throws(PasswordHashError) -> Int in throw .failed(code: 12) }
        }
        #expect(try await queue.run { () throws(PasswordHashError) in "again" } == "again")
    }

    @Test(arguments: [0, 1, 8]) func refusesWhatFindsNoPlace(limit: Int) async throws {
        let (queue, gate) = (PasswordQueue(limit: limit), Gate())
        let first = await Self.hold(queue, with: gate)
        let waiting = (0..<limit).map { number in
            Task { try await queue.run { () throws(PasswordHashError) in number } }
        }
        await Self.wait(for: limit, in: queue)
        for _ in 0..<3 {
            await #expect(throws: PasswordHashError.busy) { try await queue.run { () throws(PasswordHashError) in } }
        }
        gate.open()
        try await first.value
        for (number, task) in waiting.enumerated() { #expect(try await task.value == number) }
        try await queue.run { () throws(PasswordHashError) in }
    }

    @Test func keepsTheOrder() async throws {
        let (queue, gate, order) = (PasswordQueue(limit: 8), Gate(), Order())
        let first = await Self.hold(queue, with: gate)
        var tasks: [Task<Void, any Error>] = []
        for number in 1...8 {
            tasks.append(Task { try await queue.run { () throws(PasswordHashError) in order.add(number) } })
            await Self.wait(for: number, in: queue)
        }
        gate.open()
        try await first.value
        for task in tasks { try await task.value }
        #expect(order.numbers == Array(1...8))
    }

    @Test func oneAtATime() async throws {
        let (queue, running) = (PasswordQueue(limit: 1_000), Order())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await queue.run { () throws(PasswordHashError) in
                        running.add(1)
                        defer { running.removeLast() }
                        return running.numbers.count
                    }
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test func whoIsCancelledGivesUpHisPlace() async throws {
        let (queue, gate, order) = (PasswordQueue(limit: 1), Gate(), Order())
        let first = await Self.hold(queue, with: gate)
        let second = Task { try await queue.run { () throws(PasswordHashError) in order.add(2) } }
        await Self.wait(for: 1, in: queue)
        second.cancel()
        await #expect(throws: PasswordHashError.cancelled) { try await second.value }
        let third = Task { try await queue.run { () throws(PasswordHashError) in order.add(3) } }
        await Self.wait(for: 1, in: queue)
        gate.open()
        try await first.value
        try await third.value
        #expect(order.numbers == [3])
    }

    @Test func whoIsCancelledBeforeNeverBegins() async throws {
        let (queue, order) = (PasswordQueue(limit: 1), Order())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run { () throws(PasswordHashError) in order.add(1) }
        }
        await #expect(throws: PasswordHashError.cancelled) { try await task.value }
        #expect(order.numbers.isEmpty)
    }
}

/// Numbers that threads add.
private final class Order: Sendable {
    private let state = Mutex<[Int]>([])

    var numbers: [Int] { state.withLock { $0 } }

    func add(_ number: Int) { state.withLock { $0.append(number) } }

    func removeLast() { state.withLock { _ = $0.removeLast() } }
}
