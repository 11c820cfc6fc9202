import Platform
import Testing

@testable import Journal

@Suite struct GroupCommitTests {
    /// An actor that stores numbers in a journal and responds when they are durable, as the server's store does.
    private actor Keeper {
        nonisolated let thread: ThreadExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        private let journal: Journal
        private var waiting: [CheckedContinuation<Int, Never>] = []
        private(set) var batches: [Int] = []
        private(set) var callsWithoutCommit = 0

        init(_ journal: sending Journal, thread: ThreadExecutor) {
            (self.journal, self.thread) = (journal, thread)
        }

        func commit(_ number: Int) async -> Int {
            journal.append(Ledger.payload(number))
            return await withCheckedContinuation { waiting.append($0) }
        }

        func touch() { callsWithoutCommit += 1 }

        func flush() {
            guard !waiting.isEmpty else { return }
            #expect(throws: Never.self) { try journal.flush(now: .start) }
            for continuation in waiting { continuation.resume(returning: journal.durableSequence) }
            batches.append(waiting.count)
            waiting = []
        }

        nonisolated func start() {
            thread.start { [unowned self] in assumeIsolated { $0.flush() } }
        }
    }

    private static func makeKeeper(_ disk: SimulatedFileSystem) throws -> Keeper {
        var ledger = Ledger()
        let (journal, _) = try Journal.open(
            "data", fileSystem: disk, options: .small, now: .start, replaying: &ledger)
        return Keeper(journal, thread: ThreadExecutor(name: "commit"))
    }

    @Test func commitsAreAnsweredWhenTheyAreDurable() async throws {
        let disk = SimulatedFileSystem()
        let keeper = try Self.makeKeeper(disk)
        keeper.start()
        for number in 1...5 {
            #expect(await keeper.commit(number) == number)
            #expect(try Journal.open(disk.afterPowerLoss()).numbers == Array(1...number))
        }
        keeper.thread.stop()
    }

    @Test func commitsThatWaitTogetherMakeOneBatch() async throws {
        let disk = SimulatedFileSystem()
        let keeper = try Self.makeKeeper(disk)
        await withTaskGroup(of: Int.self) { group in
            for number in 1...200 { group.addTask { await keeper.commit(number) } }
            // All of them wait by now, or will before the thread has run those that do.
            keeper.start()
            for await sequence in group { #expect(1...200 ~= sequence) }
        }
        #expect(await keeper.batches.reduce(0, +) == 200)
        await keeper.touch()
        keeper.thread.stop()
        #expect(try Journal.open(disk.afterPowerLoss()).numbers.sorted() == Array(1...200))
    }

    @Test func onlyTheThreadItselfIsIsolated() async throws {
        let keeper = try Self.makeKeeper(SimulatedFileSystem())
        #expect(keeper.thread.isIsolatingCurrentContext() == false)
        keeper.start()
        await keeper.touch()
        #expect(keeper.thread.isIsolatingCurrentContext() == false)
        keeper.thread.stop()
    }

    @Test func stoppingRunsWhatWaits() async throws {
        let keeper = try Self.makeKeeper(SimulatedFileSystem())
        let task = Task { await keeper.commit(7) }
        keeper.start()
        #expect(await task.value == 1)
        keeper.thread.stop()
        keeper.thread.stop()
    }

    @Test func aThreadThatIsNotOursIsStoppedByTheCheck() async {
        await #expect(processExitsWith: .failure) {
            ThreadExecutor(name: "commit").checkIsolated()
        }
    }
}
