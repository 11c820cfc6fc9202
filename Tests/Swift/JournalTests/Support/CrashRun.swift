import Glibc
import TestSupport
import Testing

@testable import Journal

/// A random history of a store: commits, snapshots, rotations, stops, kills, losses of power, full disks and failing
/// syncs in sequence, all from one seed. After each crash the recovered state is compared with the acknowledged
/// commits.
///
/// A *state* is one disk after a crash.
struct CrashRun {
    /// A violated guarantee.
    struct Violation: Error, CustomStringConvertible {
        let seed: UInt64
        let state: Int
        let what: String
        var description: String { "seed \(seed), state \(state): \(what)" }
    }

    let seed: UInt64
    let options: JournalOptions
    private var random: SplitMix64
    private var disk: SimulatedFileSystem
    /// The commits that were acknowledged, and those that were not but were found by a recovery.
    private var answered: [Int] = []
    /// Commits in flight at the crash.
    private var unanswered: [Int] = []
    private var nextNumber = 1
    private var state = 0
    /// The power has been on and the disk has had room since the last completed recovery: a changed byte would be the
    /// only fault.
    private var isSteady = false

    init(seed: UInt64, options: JournalOptions) {
        (self.seed, self.options) = (seed, options)
        random = SplitMix64(seed: seed)
        disk = SimulatedFileSystem(seed: seed ^ 0xD15C)
    }

    /// Runs until a number of crashes.
    mutating func run(states: Int) throws {
        while state < states {
            state += 1
            if random.once(in: 8), isSteady { try openWithChangedByte() }
            if random.once(in: 6) {
                // A crash in the middle of the recovery itself.
                disk.withDisk { $0.diesAt = 1 + random.below(60) }
            }
            guard let opened = try open() else {
                crash()
                continue
            }
            live(opened)
            crash()
        }
    }

    /// Opens the journal and compares; nil when the process crashed meanwhile.
    private mutating func open() throws -> Opened? {
        let opened: Opened
        do throws(JournalError) {
            opened = try Journal.open(disk, options: options)
        } catch {
            if error.cause?.code == SimulatedDisk.dead { return nil }
            throw violation("not opened: \(error)")
        }
        try compare(opened.numbers)
        disk.withDisk { $0.diesAt = nil }
        trace("found \(opened.numbers.count) of \(answered.count) + \(unanswered.count), \(opened.report.warnings)")
        answered = opened.numbers
        unanswered = []
        isSteady = true
        return opened
    }

    private func compare(_ found: [Int]) throws {
        let all = answered + unanswered
        guard found.count >= answered.count else {
            throw violation("\(answered.count) commits were answered, \(found.count) are there")
        }
        guard found == Array(all.prefix(found.count)) else {
            throw violation("found \(found.suffix(8)), expected a beginning of \(all.suffix(8))")
        }
    }

    /// Prints an event, when a single history is repeated.
    private func trace(_ text: @autoclosure () -> String) {
        if CrashTests.seed != nil { print("state \(state): \(text())") }
    }

    // MARK: - Life

    /// The steps of one process until it ends.
    private mutating func live(_ opened: Opened) {
        let journal = opened.journal
        orderFaults()
        for _ in 0..<(1 + random.below(12)) {
            let goesOn =
                switch random.below(16) {
                case 0: snapshot(journal)
                case 1 where random.once(in: 3): close(journal)
                default: commit(journal)
                }
            guard goesOn else { return }
        }
        // Commits in flight are lost.
        if random.once(in: 4) { journal.append(Ledger.payload(0)) }
    }

    private mutating func orderFaults() {
        let choice = random.below(12)
        let at = 1 + random.below(30)
        let isPersistent = random.once(in: 2)
        disk.withDisk { disk in
            switch choice {
            case 0...5: disk.diesAt = at
            case 6: disk.fault = .init(operations: [.sync], at: at, code: EIO, isPersistent: isPersistent)
            case 7: disk.fault = .init(operations: [.syncDirectory], at: at, code: EIO, isPersistent: isPersistent)
            case 8: disk.fault = .init(operations: [.write], at: at, code: EIO, isPersistent: isPersistent)
            case 9: disk.fault = .init(operations: [.write], at: at, code: ENOSPC, isPersistent: isPersistent)
            case 10:
                disk.fault = .init(
                    operations: [.create, .rename, .remove], at: at, code: ENOSPC, isPersistent: isPersistent)
            default: break
            }
        }
    }

    /// Commits a batch; false when the process must end.
    private mutating func commit(_ journal: Journal) -> Bool {
        var numbers: [Int] = []
        for _ in 0..<(1 + random.below(random.once(in: 4) ? 40 : 4)) {
            numbers.append(nextNumber)
            journal.append(Ledger.payload(nextNumber))
            nextNumber += 1
        }
        do throws(JournalError) {
            try journal.flush(now: .start)
            answered += numbers
            return true
        } catch {
            trace("\(numbers.count) commits failed: \(error)")
            if !error.isFatal { return true }
            unanswered = numbers
            return false
        }
    }

    private mutating func snapshot(_ journal: Journal) -> Bool {
        do throws(JournalError) {
            try journal.snapshot(answered)
            trace("snapshot of \(answered.count)")
            return true
        } catch {
            trace("no snapshot: \(error)")
            return !error.isFatal
        }
    }

    private func close(_ journal: Journal) -> Bool {
        trace("close")
        try? journal.close(now: .start)
        return false
    }

    // MARK: - Crashes

    private mutating func crash() {
        let losesPower = random.once(in: 2)
        let hadNoRoom = disk.withDisk { $0.fault?.code == ENOSPC }
        disk = losesPower ? disk.afterPowerLoss() : disk.afterKill()
        isSteady = isSteady && !losesPower && !hadNoRoom
        trace(losesPower ? "power lost" : "killed")
    }

    /// Changes one byte somewhere. Either it is detected, or it is harmless.
    private func openWithChangedByte() throws {
        var random = random
        let paths = disk.paths.filter { $0.hasSuffix(".log") || $0.hasSuffix(".json") || $0.hasSuffix("/durable") }
        guard !paths.isEmpty else { return }
        let path = paths[random.below(paths.count)]
        let length = disk.bytes(of: path).count
        guard length > 0 else { return }
        let offset = random.below(length)
        let mask = UInt8(1) << UInt8(random.below(8))
        let copy = disk.afterKill()
        copy.withDisk { disk in
            guard let file = disk.names[path] else { return }
            disk[file].overwrite(disk[file].current[offset] ^ mask, at: offset)
        }
        guard let opened = try? Journal.open(copy, options: options) else { return }
        do {
            try compare(opened.numbers)
        } catch {
            throw violation("with byte \(offset) of \(path) changed by \(mask): \(error)")
        }
    }

    private func violation(_ what: String) -> Violation {
        Violation(seed: seed, state: state, what: what)
    }
}
