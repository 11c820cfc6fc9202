import Bytes
import Glibc
import Synchronization
import Testing

@testable import Journal

/// The retention of history, regardless of the clock shows.
@Suite struct HistoryRetentionTests {
    /// A folder, and servers that run on it one after the other.
    private struct Town {
        var disk = SimulatedFileSystem()
        /// The time on the clock.
        var now = Timestamp.start
        private let counter = SecondsCounter()
        private var numbers: [Int] = []

        /// A run of a server: a commit with a snapshot, some time, another commit with a snapshot, and the stop.
        mutating func serve(days: Int = 0, keep: Int? = 7) throws {
            let opened = try open(.olderThan(keep.map { $0 * 86_400 }))
            try commit(opened.journal)
            pass(days: days)
            try commit(opened.journal)
            try opened.journal.close(now: now)
            disk = disk.afterKill()
        }

        /// The steps of a command that opens the folder briefly.
        mutating func runCommand() throws {
            let opened = try open(.never)
            try commit(opened.journal)
            try opened.journal.close(now: now)
            disk = disk.afterKill()
        }

        mutating func pass(days: Int) {
            counter.add(days * 86_400)
            now = now.advanced(bySeconds: days * 86_400)
        }

        mutating func commit(_ journal: Journal) throws {
            numbers.append(numbers.count + 1)
            try journal.commit(numbers.count, now: now)
            try journal.snapshot(numbers, now: now)
        }

        func open(_ pruning: JournalOptions.Pruning) throws -> Opened {
            let options = JournalOptions.small.with {
                $0.segmentBytes = 1
                $0.pruning = pruning
                $0.elapsedSeconds = { [counter] in counter.value }
            }
            let opened = try Journal.open(disk, options: options, now: now)
            #expect(opened.numbers == numbers)
            return opened
        }

        /// Whether the log begins with the first commit.
        var isWhole: Bool { disk.paths.contains("data/\(FileName.segment(1))") }
    }

    private static let wrongClocks = [
        Timestamp(clampingSeconds: 1), Timestamp.start.advanced(bySeconds: 3650 * 86_400),
    ]

    @Test(arguments: wrongClocks)
    func aWrongClockMakesNothingOld(clock: Timestamp) throws {
        var town = Town()
        try town.serve(days: 6)
        for now in [clock, .start, clock, clock, .start] {
            town.now = now
            try town.serve()
            #expect(town.isWhole)
        }
    }

    @Test func whatServersHaveRunThroughIsOld() throws {
        var town = Town()
        try town.serve()
        try town.serve(days: 6)
        #expect(town.isWhole)
        try town.serve(days: 1)
        #expect(!town.isWhole)
    }

    @Test(arguments: [nil] + wrongClocks.map(Optional.some))
    func shortPausesCountAlsoAfterAGlitch(glitch: Timestamp?) throws {
        var town = Town()
        try town.serve()
        if let glitch {
            town.now = glitch
            try town.serve()
        }
        for day in 0...7 {
            town.now = .start.advanced(bySeconds: day * 86_400)
            #expect(town.isWhole)
            try town.serve()
        }
        #expect(!town.isWhole)
    }

    @Test func aLongPauseDoesNotCount() throws {
        var town = Town()
        try town.serve()
        for _ in 0..<3 {
            town.now = town.now.advanced(bySeconds: 8 * 86_400)
            try town.serve()
        }
        #expect(town.isWhole)
    }

    @Test func onlyAServerDropsAnything() throws {
        var town = Town()
        try town.serve(keep: 3650)
        town.pass(days: 60)
        try town.runCommand()
        try town.runCommand()
        #expect(town.isWhole)
    }

    @Test func theNumberIsStoredInTheFolder() throws {
        var town = Town()
        try town.serve(keep: 3650)
        try town.serve(days: 60, keep: nil)
        #expect(town.isWhole, "it is the one that is stored")
        try town.serve(days: 1, keep: 30)
        #expect(!town.isWhole)
    }

    @Test func withoutANumberThirtyDaysAreKept() throws {
        var town = Town()
        try town.serve(days: 29, keep: nil)
        #expect(town.isWhole)
        try town.serve(days: 1, keep: nil)
        try town.serve(keep: nil)
        #expect(!town.isWhole)
    }

    @Test func aNumberThatCannotBeReadKeepsAll() throws {
        var town = Town()
        try town.serve(keep: 3650)
        town.disk.withDisk { disk in
            guard let file = disk.names["data/\(FileName.history)"] else { return }
            disk[file].overwrite(UInt8(ascii: "4"), at: 35)
        }
        let report = try FolderSurvey(of: "data", fileSystem: town.disk).report
        #expect(report.verdict == .damaged)
        #expect(report.findings.map(\.file) == [FileName.history])
        for _ in 0..<2 {
            let opened = try town.open(.olderThan(nil))
            #expect(opened.report.warnings.map(\.kind) == [.history])
            try town.commit(opened.journal)
            town.pass(days: 60)
            try town.commit(opened.journal)
            try town.commit(opened.journal)
            #expect(town.isWhole)
            try opened.journal.close(now: town.now)
            town.disk = town.disk.afterKill()
        }
        try town.serve(keep: 3650)
        #expect(try town.open(.olderThan(nil)).report.warnings.isEmpty, "a number was given")
    }

    /// A folder of an earlier version has no ages: its history counts from the first start of this one.
    @Test func whatIsFirstSeenIsNew() throws {
        var town = Town()
        try town.runCommand()
        try town.runCommand()
        town.pass(days: 60)
        try town.serve(days: 6)
        #expect(town.isWhole)
    }

    @Test func oldHistoryIsDroppedOnAFullDisk() throws {
        var town = Town()
        try town.serve(days: 6)
        let opened = try town.open(.olderThan(7 * 86_400))
        town.disk.withDisk { $0.capacity = $0.capacity - $0.room }
        let failure = #expect(throws: JournalError.self) { while true { try opened.journal.commit(77) } }
        #expect(failure?.isFatal == false)
        #expect(!opened.journal.findRoom(now: town.now))
        #expect(town.isWhole)
        town.pass(days: 1)
        _ = opened.journal.findRoom(now: town.now)
        #expect(!town.isWhole)
    }
}

/// A monotonic clock for tests.
final class SecondsCounter: Sendable {
    private let seconds = Mutex(0)
    var value: Int { seconds.withLock { $0 } }
    func add(_ count: Int) { seconds.withLock { $0 += count } }
}
