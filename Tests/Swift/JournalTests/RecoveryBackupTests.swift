import Bytes
import Glibc
import TestSupport
import Testing

@testable import Journal

/// A folder of format 3 becomes one of format 4, with a backup in format 3 from before.
@Suite struct RecoveryBackupTests {
    private static let path = "data/\(FileName.formatBackup)"
    private static let numbers = Array(1...9)

    /// A store as the earlier program has left it: the segments 1–3, 4–6 and 7–9, and snapshots at 3 and 6.
    private func makeStore(closing: Bool, seed: UInt64 = 0) throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem(seed: seed)
        for first in [1, 4, 7] {
            let journal = try Journal.open(disk, options: Self.earlier).journal
            try journal.commit(first, first + 1)
            try journal.commit(first + 2)
            if first < 7 { try journal.snapshot(Array(1...first + 2)) }
            if closing || first < 7 { try journal.close(now: .start) }
        }
        return disk.afterKill()
    }

    private static let earlier = JournalOptions.small.with { $0.version = 3 }

    private func open(_ disk: SimulatedFileSystem, _ options: JournalOptions = .small) throws -> Opened {
        try Journal.open(disk, options: options)
    }

    /// The state that the backup gives, restored into a new folder.
    private func restored(_ disk: SimulatedFileSystem, at path: String = path) throws -> [Int] {
        let copy = try FolderCopy(ofSnapshot: path, to: "back", fileSystem: disk, now: .start)
        try copy.complete()
        var ledger = Ledger()
        _ = try Journal.open(copy.lockedFolder, now: .start, replaying: &ledger)
        return ledger.numbers
    }

    private func isNewer(_ disk: SimulatedFileSystem) -> Bool {
        let own = disk.paths.filter { !$0.hasSuffix(FileName.temporarySuffix) }
        return own.contains { path in
            ["sooke-log/4", "sooke-manifest/4", "sooke/4"].contains { disk.text(of: path).contains($0) }
        }
    }

    @Test(arguments: [true, false]) func theBackupComesBeforeAnythingNewer(wasClosed: Bool) throws {
        let disk = try makeStore(closing: wasClosed)
        #expect(!isNewer(disk))
        let opened = try open(disk)
        #expect(opened.numbers == Self.numbers)
        #expect(opened.report.oldestFormat == 3)
        #expect(opened.report.warnings.map(\.kind) == [.upgraded])
        #expect(opened.report.warnings.map(\.file) == [FileName.formatBackup])
        let backup = disk.text(of: Self.path)
        let start = #"{"format":"sooke/3","store":"00112233445566778899aabbccddeeff","sequence":9,"#
        #expect(backup.hasPrefix(start))
        #expect(try restored(disk.afterPowerLoss()) == Self.numbers)

        // The old log, the old snapshot and new commits; then a new snapshot. The backup stays.
        try opened.journal.commit(10)
        let again = try open(disk.afterKill())
        #expect(again.numbers == Self.numbers + [10])
        #expect(again.report.oldestFormat == 3 && again.report.warnings.isEmpty)
        let last = disk.afterKill()
        let third = try open(last)
        try third.journal.snapshot(third.numbers)
        try third.journal.close(now: .start)
        #expect(last.text(of: "data/\(FileName.snapshot(10))").hasPrefix("{\"format\":\"sooke/4\","))
        let fourth = try open(last.afterPowerLoss())
        #expect(fourth.numbers == Self.numbers + [10] && fourth.report.oldestFormat == 4)
        #expect(last.text(of: Self.path) == backup)
    }

    @Test func aDamagedNewSnapshotLeavesTheOldOneAndBothLogs() throws {
        let disk = try makeStore(closing: true)
        let journal = try open(disk).journal
        try journal.commit(10)
        try journal.snapshot(Self.numbers + [10])
        try journal.commit(11)
        disk.withDisk { disk in disk.names["data/\(FileName.snapshot(10))"].map { disk[$0].overwrite(0, at: 200) } }
        let opened = try open(disk.afterKill())
        #expect(opened.numbers == Self.numbers + [10, 11])
        #expect(opened.report.snapshot == 6 && opened.report.oldestFormat == 3)
        #expect(opened.report.warnings.map(\.kind) == [.skippedSnapshot])
    }

    /// The copy has old commits, so it has their format.
    @Test func statesOnBothSidesAreCopied() throws {
        let disk = try makeStore(closing: true)
        let journal = try open(disk).journal
        try journal.commit(10)
        try journal.close(now: .start)
        for sequence in [5, 9, 10] {
            let target = "to-\(sequence)"
            let survey = try FolderSurvey(of: "data", fileSystem: disk)
            let copy = try FolderCopy(
                of: sequence, from: survey, to: target, keepingRest: false, fileSystem: disk, options: .small,
                now: .start)
            try copy.complete()
            var ledger = Ledger()
            let report = try Journal.open(copy.lockedFolder, options: .small, now: .start, replaying: &ledger).report
            #expect(ledger.numbers == Array(1...sequence) && report.oldestFormat == 3)
            #expect(!disk.paths.contains("\(target)/\(FileName.formatBackup)"))
        }
    }

    /// The damaged first line of a segment is known, whichever program has written it.
    @Test(arguments: [4, 10]) func theCommitsBehindADamagedFirstLineAreRead(first: Int) throws {
        let disk = try makeStore(closing: true)
        let journal = try open(disk).journal
        try journal.commit(10)
        try journal.close(now: .start)
        disk.withDisk { disk in disk.names["data/\(FileName.segment(first))"].map { disk[$0].overwrite(0, at: 50) } }
        let survey = try FolderSurvey(of: "data", fileSystem: disk)
        #expect(survey.report.findings.map(\.line) == [1] && survey.report.verdict == .damaged)
        #expect(survey.runs == [1...10])
    }

    @Test func whoOnlyReadsChangesNothing() throws {
        let disk = try makeStore(closing: true)
        let before = disk.paths
        let opened = try open(disk, .small.with { $0.readsOnly = true })
        #expect(opened.numbers == Self.numbers && opened.report.warnings.isEmpty)
        #expect(disk.paths == before)
    }

    // MARK: - An interrupted upgrade

    /// Regardless of what ended the start: if there is anything in the newer format, the backup is there, whole, on the
    /// disk; and the next start finds every commit.
    private func check(_ disk: SimulatedFileSystem, _ what: String) throws {
        for round in 0..<3 {
            if round > 0 { disk.withDisk { $0.reseed(UInt64(round)) } }
            let next = round == 0 ? disk.afterKill() : disk.afterPowerLoss()
            if isNewer(next) { #expect(try restored(next.afterKill()) == Self.numbers, "\(what), round \(round)") }
            let opened = try open(next)
            #expect(opened.numbers.prefix(9) == Self.numbers[...], "\(what), round \(round): \(opened.numbers)")
            #expect(try restored(next.afterPowerLoss()) == Self.numbers, "\(what), round \(round)")
            #expect(!next.paths.contains { $0.hasSuffix(FileName.temporarySuffix) }, "\(what), round \(round)")
        }
    }

    private func upgrade(_ disk: SimulatedFileSystem) {
        guard let journal = try? open(disk).journal else { return }
        try? journal.commit(10)
        try? journal.close(now: .start)
    }

    @Test(arguments: [true, false]) func theStartMayEndInAnyCall(wasClosed: Bool) throws {
        var k = 1
        while true {
            let disk = try makeStore(closing: wasClosed, seed: UInt64(k))
            disk.withDisk { $0.diesAt = $0.calls + k }
            upgrade(disk)
            guard disk.withDisk({ $0.isDead }) else { break }
            try check(disk, "death in call \(k)")
            k += 1
        }
        #expect(k > 50)
    }

    @Test(
        arguments: [
            (.write, ENOSPC), (.write, EIO), (.sync, EIO), (.syncDirectory, EIO), (.rename, EIO), (.create, ENOSPC),
            (.read, EIO), (.open, EMFILE), (.length, EIO),
        ] as [(FileSystemError.Operation, Int32)])
    func anyCallOfTheStartMayFail(operation: FileSystemError.Operation, code: Int32) throws {
        for isPersistent in [false, true] {
            var k = 1
            while true {
                let disk = try makeStore(closing: true, seed: UInt64(k))
                disk.withDisk {
                    $0.fault = .init(operations: [operation], at: k, code: code, isPersistent: isPersistent)
                }
                upgrade(disk)
                guard disk.withDisk({ $0.matchingCalls >= k }) else { break }
                disk.withDisk { $0.fault = nil }
                try check(disk, "\(operation) \(k) fails with \(code)")
                k += 1
            }
        }
    }

    /// One that an interrupted start has made is used if it is whole, and has what the folder has now.
    @Test(arguments: ["whole", "damaged", "older"]) func anEarlierBackupIsVerified(state: String) throws {
        let disk = try makeStore(closing: true)
        let other = disk.afterKill()
        _ = try open(other)
        let bytes = other.bytes(of: Self.path)
        if state == "older" {
            // The earlier program went on after the interrupted start.
            let journal = try open(disk, Self.earlier).journal
            try journal.commit(10)
            try journal.close(now: .start)
        }
        disk.withDisk { disk in
            let file = disk.make(Self.path, isFolder: false)
            disk[file].append(bytes)
            if state == "damaged" { disk[file].overwrite(0, at: bytes.count - 40) }
        }
        let identity = try disk.openDirectory("data").status(of: FileName.formatBackup).identity
        let opened = try open(disk)
        #expect(try restored(disk) == opened.numbers)
        let isSame = try disk.openDirectory("data").status(of: FileName.formatBackup).identity == identity
        #expect(isSame == (state == "whole"))
    }

    @Test func withoutRoomTheStartIsRefused() throws {
        let disk = try makeStore(closing: true)
        let before = disk.paths
        disk.withDisk { $0.capacity = $0.capacity - $0.room + 100 }
        let error = #expect(throws: JournalError.self) { try open(disk) }
        let length = try { () throws in
            let roomy = disk.afterKill()
            roomy.withDisk { $0.capacity = .max }
            _ = try open(roomy)
            return roomy.bytes(of: Self.path).count
        }()
        #expect(error?.isNoSpace == true)
        #expect(
            error?.message == "there is no room for data/before-format-4.json, the backup that is made before disk "
                + "format 4 is written: it has \(length) bytes, and \(length - 100) bytes of room are missing")
        #expect(disk.paths == before && !isNewer(disk))
    }

    @Test func itIsKnownToAnInspection() throws {
        let disk = try makeStore(closing: true)
        try open(disk).journal.close(now: .start)
        let survey = try FolderSurvey(of: "data", fileSystem: disk)
        #expect(survey.report.findings.isEmpty)
        disk.withDisk { disk in disk.names[Self.path].map { disk[$0].overwrite(0, at: 150) } }
        let report = try FolderSurvey(of: "data", fileSystem: disk).report
        #expect(report.findings.map(\.file) == [FileName.formatBackup] && report.verdict == .damaged)
        #expect(report.findings[0].message.contains("no start needs this backup"))
        #expect(try open(disk).numbers == Self.numbers)
    }
}
