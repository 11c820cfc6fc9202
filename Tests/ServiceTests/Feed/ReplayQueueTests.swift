import Platform
import Synchronization
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(20))) struct ReplayQueueTests {
    private struct Failure: Error {}

    /// What was done, in order.
    private final class Record: Sendable {
        private let entries = Mutex<[String]>([])

        var all: [String] { entries.withLock(\.self) }

        func add(_ entry: String) { entries.withLock { $0.append(entry) } }

        func wait(for count: Int) async { while all.count < count { await Task.yield() } }
    }

    private let attacker = ClientNetwork(addressBytes: [192, 0, 2, 1])
    private let other = ClientNetwork(addressBytes: [192, 0, 2, 2])

    @Test func resultsAndErrorsComeBack() async throws {
        let queue = ReplayQueue(limit: 1)
        #expect(try await queue.run(for: other, isWanted: { true }) { 42 } == 42)
        await #expect(throws: Failure.self) {
            try await queue.run(for: other, isWanted: { true }) { throw Failure() }
        }
        #expect(try await queue.run(for: other, isWanted: { true }) { "again" } == "again")
    }

    /// One network asks for more than the queue takes, another for one piece: that takes the place of one of the first
    /// network, and is done second.
    @Test func oneNetworkDelaysNoOther() async throws {
        let (queue, done, refused, release) = (ReplayQueue(limit: 100), Record(), Record(), Semaphore())
        let ask: @Sendable (String, ClientNetwork) -> Void = { name, network in
            Task {
                do {
                    try await queue.run(for: network, isWanted: { true }) {
                        done.add(name)
                        if name == "first" { release.wait() }
                    }
                } catch {
                    refused.add(name)
                }
            }
        }
        ask("first", attacker)
        await done.wait(for: 1)
        for _ in 0..<100 { ask("attacker", attacker) }
        while queue.waitingCount < 100 { await Task.yield() }
        for _ in 0..<50 { ask("attacker", attacker) }
        await refused.wait(for: 50)
        ask("other", other)
        await refused.wait(for: 51)
        #expect(Set(refused.all) == ["attacker"])
        #expect(queue.waitingCount == 100)
        release.signal()
        await done.wait(for: 101)
        #expect(done.all.firstIndex(of: "other") == 2)
        #expect(queue.waitingCount == 0)
    }

    @Test func whatIsNotWantedIsNotDone() async throws {
        let (queue, done) = (ReplayQueue(limit: 8), Record())
        await #expect(throws: ServiceError.self) {
            try await queue.run(for: other, isWanted: { false }) { done.add("unwanted") }
        }
        try await queue.run(for: other, isWanted: { true }) { done.add("wanted") }
        #expect(done.all == ["wanted"])
    }
}
