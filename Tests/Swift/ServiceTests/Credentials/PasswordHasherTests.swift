import Glibc
import Synchronization
import Testing

@testable import Service

/// Blocks a thread until the test opens the gate.
final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)

    func open() { isOpen.store(true, ordering: .releasing) }

    func pass() {
        while !isOpen.load(ordering: .acquiring) { usleep(100) }
    }
}

/// Hashing and verifying at a login.
@Suite(.timeLimit(.minutes(20))) struct PasswordHasherTests {
    static let password = Password("wet gravel under")
    static let lane = PasswordLane.stranger([1])

    /// Verifying for an account that does not exist costs what a real hash costs.
    @Test(arguments: [1, 3]) func nobodyCostsAHashToo(level: Int) async throws {
        let hasher = try PasswordHasher(cost: #require(PasswordCost(level: level)))
        let real = try await hasher.hash(Self.password, in: Self.lane)
        #expect(real.stored.split(separator: "$").prefix(2) == hasher.dummy.stored.split(separator: "$").prefix(2))
        #expect(real.stored.utf8.count == hasher.dummy.stored.utf8.count)
    }

    @Test func errorsDoNotTellWhoIsThere() async throws {
        let hasher = try PasswordHasher(cost: .lowest)
        let hash = try await hasher.hash(Self.password, in: Self.lane)
        for known in [hash, nil] {
            await #expect(throws: PasswordHashError.unusablePassword) {
                try await hasher.verify(Password("a\0b"), against: known, in: Self.lane)
            }
        }
    }

    @Test func hashesAndComparisonsShareOneQueue() async throws {
        let limit = PasswordHasher.limitPerNetwork
        let (hasher, gate) = (try PasswordHasher(cost: .lowest, limit: limit), Gate())
        let hash = try await hasher.hash(Self.password, in: Self.lane)
        let held = (0...limit).map { _ in
            Task { try? await hasher.run(in: Self.lane) { () throws(PasswordHashError) in gate.pass() } }
        }
        while hasher.waitingCount != limit { await Task.yield() }
        await #expect(throws: PasswordHashError.busy) { try await hasher.hash(Self.password, in: Self.lane) }
        await #expect(throws: PasswordHashError.busy) {
            try await hasher.verify(Self.password, against: hash, in: Self.lane)
        }
        await #expect(throws: PasswordHashError.busy) {
            try await hasher.verify(Self.password, against: nil, in: Self.lane)
        }
        gate.open()
        for task in held { await task.value }
        #expect(try await hasher.verify(Self.password, against: hash, in: Self.lane))
    }
}

private let lane = PasswordLane.stranger([1])

/// One job at a time, a few that wait, and no more.
@Suite(.timeLimit(.minutes(20))) struct PasswordTurnTests {
    /// Waits until this many jobs wait.
    private static func wait(for count: Int, in queue: PasswordHasher) async {
        while queue.waitingCount != count { await Task.yield() }
    }

    /// A task that blocks the queue until the gate opens; it runs on the thread when this returns.
    private static func hold(_ queue: PasswordHasher, with gate: Gate) async -> Task<Void, any Error> {
        let hasBegun = Order()
        let task = Task {
            try await queue.run(in: lane) { () throws(PasswordHashError) in
                hasBegun.add(1)
                gate.pass()
            }
        }
        while hasBegun.numbers.isEmpty { await Task.yield() }
        return task
    }

    @Test(arguments: [0, 1, 8]) func refusesWhatFindsNoPlace(limit: Int) async throws {
        let (queue, gate) = (try PasswordHasher(cost: .lowest, limit: limit, limitPerNetwork: limit), Gate())
        let first = await Self.hold(queue, with: gate)
        let waiting = (0..<limit).map { number in
            Task { try await queue.run(in: lane) { () throws(PasswordHashError) in number } }
        }
        await Self.wait(for: limit, in: queue)
        for _ in 0..<3 {
            await #expect(throws: PasswordHashError.busy) {
                try await queue.run(in: lane) { () throws(PasswordHashError) in }
            }
        }
        gate.open()
        try await first.value
        for (number, task) in waiting.enumerated() { #expect(try await task.value == number) }
        try await queue.run(in: lane) { () throws(PasswordHashError) in }
    }

    /// Known clients before unknown ones, in each lane networks in turn, and after four known clients one unknown one.
    @Test func theKnownGoFirstAndNetworksTakeTurns() async throws {
        let (queue, gate, order) = (try PasswordHasher(cost: .lowest, limit: 32, limitPerNetwork: 8), Gate(), Order())
        let first = await Self.hold(queue, with: gate)
        let waiting: [(number: Int, lane: PasswordLane)] = [
            (11, .stranger([1])), (12, .stranger([1])), (13, .stranger([1])), (21, .stranger([2])),
            (101, .known([1])), (102, .known([1])), (103, .known([1])), (201, .known([2])), (301, .known([3])),
        ]
        var tasks: [Task<Void, any Error>] = []
        for (index, job) in waiting.enumerated() {
            tasks.append(
                Task { try await queue.run(in: job.lane) { () throws(PasswordHashError) in order.add(job.number) } })
            await Self.wait(for: index + 1, in: queue)
        }
        gate.open()
        try await first.value
        for task in tasks { try await task.value }
        #expect(order.numbers == [101, 201, 301, 102, 11, 103, 21, 12, 13])
    }

    /// A flood from one network, or from random networks, takes no place from the others that it could do without.
    @Test func aNewcomerDisplacesTheLastOfTheNetworkThatHasMost() async throws {
        let (queue, gate, order) = (try PasswordHasher(cost: .lowest, limit: 4, limitPerNetwork: 4), Gate(), Order())
        let first = await Self.hold(queue, with: gate)
        func add(_ number: Int, _ lane: PasswordLane) -> Task<Void, any Error> {
            Task { try await queue.run(in: lane) { () throws(PasswordHashError) in order.add(number) } }
        }
        var flood: [Task<Void, any Error>] = []
        for number in 1...4 {
            flood.append(add(number, .stranger([9])))
            await Self.wait(for: number, in: queue)
        }
        let other = add(50, .stranger([5]))
        await #expect(throws: PasswordHashError.busy) { try await flood[3].value }
        let known = add(60, .known([6]))
        await Self.wait(for: 5, in: queue)
        gate.open()
        try await first.value
        for task in flood[..<3] + [other, known] { try await task.value }
        #expect(order.numbers == [60, 1, 50, 2, 3])
    }

    @Test func oneAtATime() async throws {
        let (queue, running) = (try PasswordHasher(cost: .lowest, limit: 1_000, limitPerNetwork: 1_000), Order())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await queue.run(in: lane) { () throws(PasswordHashError) in
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
        let (queue, gate, order) = (try PasswordHasher(cost: .lowest, limit: 1, limitPerNetwork: 1), Gate(), Order())
        let first = await Self.hold(queue, with: gate)
        let second = Task { try await queue.run(in: lane) { () throws(PasswordHashError) in order.add(2) } }
        await Self.wait(for: 1, in: queue)
        second.cancel()
        await #expect(throws: PasswordHashError.cancelled) { try await second.value }
        let third = Task { try await queue.run(in: lane) { () throws(PasswordHashError) in order.add(3) } }
        await Self.wait(for: 1, in: queue)
        gate.open()
        try await first.value
        try await third.value
        #expect(order.numbers == [3])
    }
}

/// Numbers that threads add.
private final class Order: Sendable {
    private let state = Mutex<[Int]>([])

    var numbers: [Int] { state.withLock { $0 } }

    func add(_ number: Int) { state.withLock { $0.append(number) } }

    func removeLast() { state.withLock { _ = $0.removeLast() } }
}
