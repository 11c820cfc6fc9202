import Bytes
import Glibc
import Testing

@testable import Journal

/// Starts on a disk without room.
@Suite struct UnreadyTests {
    private static let options = JournalOptions.small.with { $0.segmentBytes = 64 << 20 }

    /// A segment of half a megabyte, left by a process that was killed.
    private func makeStore(commitBytes: Int = 100_000) throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk, options: Self.options).journal
        for number in 1...5 {
            journal.append(
                Array("\"n\":".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: commitBytes) + [48 + UInt8(number)])
            try journal.flush(now: .start)
        }
        return disk.afterKill()
    }

    private func leave(_ room: Int, on disk: SimulatedFileSystem) {
        disk.withDisk {
            $0.capacity = .max
            $0.capacity = $0.capacity - $0.room + room
        }
    }

    @Test(arguments: [false, true])
    func withoutRoomAStoreIsReadAndTakesWritesOnceThereIsSome(wasTorn: Bool) throws {
        let disk = try makeStore()
        if wasTorn {
            let log = try disk.openDirectory("data").open(FileName.segment(1))
            try log.append(Array("01234567 {\"seq".utf8))
        }
        leave(0, on: disk)
        let opened = try Journal.open(disk, options: Self.options)
        #expect(opened.ledger.calls.count == 6)
        #expect(opened.report.warnings.map(\.kind) == [.noRoom])
        #expect(opened.journal.noSpaceFailure?.isNoSpace == true)
        #expect(opened.journal.prepareSnapshot(at: .start) != nil)
        for _ in 0..<2 {
            let failure = #expect(throws: JournalError.self) { try opened.journal.commit(6) }
            #expect(failure?.isFatal == false)
            #expect(opened.journal.lastSequence == 5)
            #expect(!opened.journal.findRoom(now: .start))
        }

        leave(1 << 20, on: disk)
        var warnings: [RecoveryReport.Warning] = []
        // A commit in the batch has a sequence number, which must not be assigned twice.
        opened.journal.append(Array("\"n\":6".utf8))
        #expect(!opened.journal.findRoom(now: .start) { warnings.append($0) })
        #expect(throws: JournalError.self) { try opened.journal.flush(now: .start) }
        #expect(opened.journal.findRoom(now: .start) { warnings.append($0) })
        #expect(warnings.map(\.kind) == (wasTorn ? [.cut] : []))
        #expect(opened.journal.noSpaceFailure == nil)
        try opened.journal.commit(6)
        try opened.journal.close(now: .start)
        let again = try Journal.open(disk.afterPowerLoss(), options: Self.options)
        #expect(again.ledger.calls.count == 7)
        #expect(again.report.wasClosed)
    }

    @Test func aStoreThatFoundNoRoomIsLeftAsItWas() throws {
        for isClosed in [false, true] {
            let killed = try makeStore()
            if isClosed { try Journal.open(killed, options: Self.options).journal.close(now: .start) }
            let disk = killed.afterKill()
            leave(0, on: disk)
            let opened = try Journal.open(disk, options: Self.options)
            #expect(opened.report.wasClosed == isClosed)
            try opened.journal.close(now: .start)
            leave(1 << 20, on: disk)
            #expect(try Journal.open(disk.afterPowerLoss(), options: Self.options).report.wasClosed == isClosed)
        }
    }

    /// Commits before a mark are not copied.
    @Test func afterAKillAStartNeedsNoRoomForTheSegment() throws {
        let disk = try makeStore()
        leave(4096, on: disk)
        let opened = try Journal.open(disk, options: Self.options)
        #expect(opened.journal.noSpaceFailure == nil)
        try opened.journal.commit(6)
        #expect(try Journal.open(disk.afterPowerLoss(), options: Self.options).ledger.calls.count == 7)
    }

    /// Wherever the disk becomes full during recovery, the cut is stored once and reported once.
    @Test func aTornEndIsQuarantinedOnce() throws {
        for room in stride(from: 0, through: 4096, by: 128) {
            let disk = try makeStore(commitBytes: 1000)
            try disk.openDirectory("data").open(FileName.segment(1)).append(Array("01234567 {\"seq".utf8))
            leave(room, on: disk)
            let opened = try Journal.open(disk, options: Self.options)
            var warnings = opened.report.warnings
            leave(1 << 20, on: disk)
            #expect(
                opened.journal.noSpaceFailure == nil || opened.journal.findRoom(now: .start) { warnings.append($0) })
            let cuts = warnings.filter { $0.kind == .cut }
            #expect(cuts.count == 1 && cuts[0].message.contains("; 14 bytes were moved"), "\(room): \(warnings)")
            #expect(try disk.openDirectory("data/\(FileName.quarantine)").list().count == 1, "\(room)")
        }
    }

    @Test func onlyProvedCommitsAreNotCopied() throws {
        let disk = try makeStore()
        let log = disk.bytes(of: "data/\(FileName.segment(1))")
        // The machine lost its power before the last mark was on the disk.
        let mark = try #require(log.lastIndex(of: UInt8(ascii: "{")))
        try disk.openDirectory("data").open(FileName.segment(1)).truncate(to: mark - LogLine.prefixLength)
        leave(100_000, on: disk)
        let opened = try Journal.open(disk, options: Self.options)
        #expect(opened.ledger.calls.count == 6)
        #expect(opened.journal.noSpaceFailure != nil)
        leave(1 << 20, on: disk)
        #expect(opened.journal.findRoom(now: .start))
    }
}
