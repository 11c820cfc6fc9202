import Glibc
import TestSupport
import Testing

@testable import Journal

/// Fails the k-th call of every kind for k = 1, 2, 3 … until a run of the store has no such call left; of the later ones
/// some, unless all are wanted.
@Suite struct FaultTests {
    typealias Operation = FileSystemError.Operation

    /// One run: two starts, batches, two snapshots, rotations, a clean stop. It ends early where a process would.
    private struct Life {
        private(set) var answered: [Int] = []
        private(set) var unanswered: [Int] = []
        private(set) var refusals = 0
        private(set) var failedSnapshots = 0
        private(set) var isFatal = false

        mutating func live(on disk: SimulatedFileSystem) {
            for start in 0..<2 {
                guard let journal = try? Journal.open(disk, options: .small).journal else { return }
                for step in 1...24 {
                    commit(journal, from: start * 1000 + step * 10, count: 1 + step % 4)
                    if step.isMultiple(of: 8) { snapshot(journal) }
                    if isFatal { return }
                }
                if start == 1 {
                    try? journal.close(now: .start)
                }
            }
        }

        private mutating func commit(_ journal: Journal, from first: Int, count: Int) {
            let numbers = Array(first..<first + count)
            for number in numbers { journal.append(Ledger.payload(number)) }
            do throws(JournalError) {
                try journal.flush(now: .start)
                answered += numbers
            } catch {
                if !error.isFatal {
                    refusals += 1
                } else {
                    unanswered = numbers
                    isFatal = true
                }
            }
        }

        private mutating func snapshot(_ journal: Journal) {
            do throws(JournalError) {
                try journal.snapshot(answered)
            } catch {
                failedSnapshots += 1
                if error.isFatal { isFatal = true }
            }
        }
    }

    /// The state that every next start must find, after a kill and after losses of power.
    private func check(_ life: Life, _ disk: SimulatedFileSystem, _ what: String) throws {
        for round in 0..<4 {
            if round > 1 { disk.withDisk { $0.reseed(UInt64(round)) } }
            let next = round == 0 ? disk.afterKill() : disk.afterPowerLoss()
            let numbers = try Journal.open(next, options: .small).numbers
            let all = life.answered + life.unanswered
            let isRight = numbers.count >= life.answered.count && numbers == Array(all.prefix(numbers.count))
            #expect(isRight, "\(what), round \(round): \(numbers.count) of \(life.answered.count) commits")
        }
    }

    @Test(
        arguments: [
            (.write, ENOSPC), (.write, EIO), (.sync, EIO), (.sync, ENOSPC), (.syncDirectory, EIO), (.rename, EIO),
            (.rename, ENOSPC), (.create, EMFILE), (.create, ENOSPC), (.remove, EIO), (.truncate, EIO), (.read, EIO),
            (.open, EMFILE), (.list, EIO), (.length, EIO), (.createDirectory, EACCES), (.lock, EACCES),
        ] as [(Operation, Int32)])
    func aFailingCallCostsNothingThatWasAnswered(operation: Operation, code: Int32) throws {
        for isPersistent in [false, true] {
            var k = 1
            while true {
                let disk = SimulatedFileSystem(seed: UInt64(k))
                disk.withDisk {
                    $0.fault = .init(operations: [operation], at: k, code: code, isPersistent: isPersistent)
                }
                var life = Life()
                life.live(on: disk)
                guard disk.withDisk({ $0.matchingCalls >= k }) else { break }
                try check(life, disk, "\(operation) \(k) fails with \(code)")
                k += k < 6 ? 1 : Cases.count(7, of: 1)
            }
        }
    }

    @Test func aProcessMayEndInAnyCall() throws {
        var k = 1
        while true {
            let disk = SimulatedFileSystem(seed: UInt64(k))
            disk.withDisk { $0.diesAt = k }
            var life = Life()
            life.live(on: disk)
            guard disk.withDisk({ $0.isDead }) else { break }
            try check(life, disk, "death in call \(k)")
            k += Cases.count(5, of: 1)
        }
        #expect(k > 100)
    }

    // MARK: - Single faults, and what becomes of them

    @Test func aBatchThatCannotBeTakenBackEndsTheProcess() throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk).journal
        disk.withDisk { disk in
            disk.capacity = disk.capacity - disk.room
            disk.fault = .init(operations: [.truncate], at: 1, code: EIO)
        }
        let failure = #expect(throws: JournalError.self) { try journal.commit(1) }
        #expect(failure?.isFatal == true)
    }

    @Test(arguments: [(Operation.sync, EIO), (.sync, ENOSPC), (.write, EIO)])
    func afterAFatalFailureNothingIsDoneAnyMore(operation: Operation, code: Int32) throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk).journal
        try journal.commit(1)
        disk.withDisk { $0.fault = .init(operations: [operation], at: 1, code: code) }
        let failure = #expect(throws: JournalError.self) { try journal.commit(2) }
        #expect(failure?.isFatal == true)
        let before = disk.bytes(of: "data/wal-00000000000000000001.log")
        #expect(throws: JournalError.self) { try journal.commit(3) }
        #expect(throws: JournalError.self) { try journal.close(now: .start) }
        #expect(disk.bytes(of: "data/wal-00000000000000000001.log") == before)
    }
}
