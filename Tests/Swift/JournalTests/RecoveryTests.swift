import Bytes
import TestSupport
import Testing

@testable import Journal

/// The rules of a start: what is opened, what is refused, and the messages.
@Suite struct RecoveryTests {
    let disk = SimulatedFileSystem()

    /// Three segments (1–2, 3–4, 5–6), snapshots at 2 and 4.
    private func makeStore() throws {
        for step in 0..<3 {
            let opened = try Journal.open(disk)
            try opened.journal.commit(step * 2 + 1, step * 2 + 2)
            if step < 2 { try opened.journal.snapshot(Array(1...step * 2 + 2)) }
            try opened.journal.close(now: .start)
        }
    }

    private func refusal(_ disk: SimulatedFileSystem) -> JournalError? {
        #expect(throws: JournalError.self) { try Journal.open(disk) }
    }

    private func put(_ bytes: [UInt8], at path: String) {
        disk.withDisk { disk in
            let file = disk.make(path, isFolder: false)
            disk[file].append(bytes)
        }
    }

    private func remove(_ path: String) {
        disk.withDisk { $0.set(path, to: nil) }
    }

    // MARK: - Folders

    @Test func anAbsentFolderBecomesAStore() throws {
        #expect(try Journal.open(disk).report.isNew)
        #expect(
            disk.paths == ["data", "data/lock", "data/manifest.json", "data/wal-00000000000000000001.log"])
    }

    @Test func aFolderThatWasMadeButNotSyncedIsSyncedByTheNextStart() throws {
        for seed in 0..<UInt64(20) {
            let disk = SimulatedFileSystem(seed: seed)
            try disk.createDirectory("data")
            try Journal.open(disk).journal.commit(1)
            #expect(try Journal.open(disk.afterPowerLoss()).numbers == [1])
        }
    }

    @Test func anEmptyFolderWithHarmlessFilesBecomesAStore() throws {
        try disk.createDirectory("data")
        for name in ["lock", "lost+found", "manifest.json.tmp"] { put([1], at: "data/\(name)") }
        #expect(try Journal.open(disk).report.isNew)
        #expect(!disk.paths.contains("data/manifest.json.tmp"))
    }

    @Test func aFolderOfSomebodyElseIsLeftAlone() throws {
        try disk.createDirectory("data")
        put([1], at: "data/notes.txt")
        let error = refusal(disk)
        #expect(error?.kind == .foreignFolder)
        #expect(error?.description.contains("notes.txt") == true)
        #expect(disk.paths == ["data", "data/notes.txt"])
    }

    @Test(arguments: ["wal-00000000000000000001.log", "snapshot-00000000000000000007.json"])
    func aFolderWithoutItsManifestIsNotNew(name: String) throws {
        try disk.createDirectory("data")
        put([1], at: "data/\(name)")
        let error = refusal(disk)
        #expect(error?.kind == .missingFile)
        #expect(error?.file == "manifest.json")
        #expect(disk.paths == ["data", "data/\(name)"])
    }

    @Test func otherFilesInADataFolderAreNotTouched() throws {
        try makeStore()
        put([1], at: "data/notes.txt")
        put([1], at: "data/notes.tmp")
        _ = try Journal.open(disk)
        #expect(disk.paths.contains("data/notes.txt"))
        #expect(disk.paths.contains("data/notes.tmp"))
    }

    // MARK: - Missing and foreign files

    @Test(arguments: [1, 3, 5])
    func aMissingSegmentIsRefused(first: Int) throws {
        try makeStore()
        remove("data/" + FileName.segment(first))
        let error = refusal(disk)
        #expect(error?.kind == .missingFile)
        #expect(error?.file == FileName.segment(first))
    }

    @Test func withoutBothSnapshotsTheWholeLogIsRead() throws {
        try makeStore()
        remove("data/" + FileName.snapshot(2))
        remove("data/" + FileName.snapshot(4))
        let opened = try Journal.open(disk)
        #expect(opened.numbers == Array(1...6))
        #expect(opened.report.snapshot == nil)
        #expect(opened.ledger.calls.first == "begin")
        try opened.journal.close(now: .start)
        #expect(try Journal.open(disk).report.warnings.isEmpty)
    }

    @Test func withoutSnapshotsAndWithoutTheWholeLogNothingIsOpened() throws {
        try makeStore()
        let opened = try Journal.open(disk, options: .small.with { $0.pruning = .olderThan(0) })
        try opened.journal.commit(7)
        try opened.journal.snapshot(Array(1...7))
        try opened.journal.close(now: .start)
        #expect(!disk.paths.contains("data/" + FileName.segment(1)))
        remove("data/" + FileName.snapshot(4))
        remove("data/" + FileName.snapshot(7))
        #expect(refusal(disk)?.kind == .damaged)
    }

    @Test func aDamagedSnapshotGoesToTheQuarantine() throws {
        try makeStore()
        let path = "data/" + FileName.snapshot(4)
        disk.withDisk { disk in disk.names[path].map { disk[$0].overwrite(0, at: 100) } }
        let damaged = disk.bytes(of: path)
        #expect(try Journal.open(disk).numbers == Array(1...6))
        #expect(disk.bytes(of: "data/quarantine/" + FileName.snapshot(4)) == damaged)
        #expect(!disk.paths.contains(path))
    }

    @Test func anOldManifestIsNoticed() throws {
        try makeStore()
        let old = disk.bytes(of: "data/manifest.json")
        let opened = try Journal.open(disk)
        try opened.journal.commit(7)
        try opened.journal.close(now: .start)
        remove("data/manifest.json")
        put(old, at: "data/manifest.json")
        let error = refusal(disk)
        #expect(error?.kind == .unexpectedFile)
        #expect(error?.file == FileName.segment(7))
    }

    @Test func aSnapshotNewerThanTheLogIsNoticed() throws {
        try makeStore()
        put(disk.bytes(of: "data/" + FileName.snapshot(4)), at: "data/" + FileName.snapshot(99))
        #expect(refusal(disk)?.kind == .unexpectedFile)
    }

    /// Truncated after the first line, and in the middle of the second.
    @Test(arguments: [512, 520])
    func aLogThatIsShorterThanItsSnapshotIsNotCut(length: Int) throws {
        let opened = try Journal.open(disk)
        try opened.journal.commit(1)
        try opened.journal.snapshot([1])
        let killed = disk.afterKill()
        killed.withDisk { $0.set("data/" + FileName.durable, to: nil) }
        killed.withDisk { disk in disk.names["data/" + FileName.segment(1)].map { disk[$0].truncate(to: length) } }
        let error = refusal(killed)
        #expect(error?.kind == .damaged)
        #expect((error?.line, error?.byte, error?.sequence) == (2, 512, 1))
        #expect(error?.message.contains(FileName.snapshot(1)) == true)
    }

    @Test func leftoversOfInterruptedStepsAreRemoved() throws {
        try makeStore()
        let header = SegmentHeader(
            store: JournalOptions.small.identity ?? "", first: 7, previous: 0, chain: CommitChain(0))
        let leftovers = [
            FileName.segment(7): header.line(sectorBytes: 512).bytes,
            FileName.snapshot(5): disk.bytes(of: "data/" + FileName.snapshot(4)),
            "manifest.json.tmp": [1], FileName.segment(7) + ".tmp": [2],
        ]
        for (name, bytes) in leftovers { put(bytes, at: "data/" + name) }
        let opened = try Journal.open(disk)
        #expect(opened.numbers == Array(1...6))
        #expect(opened.report.warnings.allSatisfy { $0.kind == .leftover })
        let names = Set(disk.paths.map { $0.dropFirst(5) })
        // The new segment has the name of the leftover.
        #expect(leftovers.keys.filter { names.contains($0[...]) } == [FileName.segment(7)])
    }

    @Test(arguments: [FileName.segment(5), FileName.snapshot(4)])
    func aFileOfAnotherStoreIsRefused(name: String) throws {
        try makeStore()
        let other = SimulatedFileSystem()
        let options = JournalOptions.small.with { $0.identity = "ffffffffffffffffffffffffffffffff" }
        for step in 0..<3 {
            let opened = try Journal.open(other, options: options)
            try opened.journal.commit(step * 2 + 1, step * 2 + 2)
            if step < 2 { try opened.journal.snapshot(Array(1...step * 2 + 2)) }
            try opened.journal.close(now: .start)
        }
        remove("data/" + name)
        put(other.bytes(of: "data/" + name), at: "data/" + name)
        #expect(refusal(disk)?.kind == .wrongStore)
    }

    // MARK: - Other formats

    @Test(arguments: [2, 5]) func aSegmentOfAnotherFormatIsRefused(version: Int) throws {
        try makeStore()
        var bytes: [UInt8] = []
        _ = bytes.appendLogLine(continuing: 0) { $0.append(utf8: "{\"format\":\"sooke-log/\(version)\"}") }
        remove("data/" + FileName.segment(5))
        put(bytes, at: "data/" + FileName.segment(5))
        #expect(refusal(disk)?.kind == .unknownFormat)
    }

    @Test(arguments: [("snapshot-00000000000000000004.json", 5), ("manifest.json", 2), ("manifest.json", 5)])
    func aDocumentOfAnotherFormatIsRefused(name: String, version: Int) throws {
        try makeStore()
        let kind: StaticString = name == "manifest.json" ? "sooke-manifest" : "sooke"
        var writer = CheckedDocumentWriter(kind: kind, version: version)
        writer.append(line: Array("\"something\":\"else\",".utf8))
        writer.finish()
        remove("data/" + name)
        put(writer.takeBytes(), at: "data/" + name)
        #expect(refusal(disk)?.kind == .unknownFormat)
    }

    // MARK: - The replayer

    @Test(arguments: [3, 6])
    func whatTheStoreCannotReadIsNotSkipped(number: Int) throws {
        try makeStore()
        var ledger = Ledger()
        ledger.refuses = number
        let before = disk.paths
        do throws(JournalError) {
            _ = try Journal.open("data", fileSystem: disk, options: .small, now: .start, replaying: &ledger)
            Issue.record("opened")
        } catch {
            #expect(error.kind == .notReplayable)
            #expect(error.file == (number == 3 ? FileName.snapshot(4) : FileName.segment(5)))
            #expect(error.line == (number == 3 ? 5 : 3))
            #expect(error.description.contains("no such number"))
        }
        #expect(disk.paths == before)
    }

    // MARK: - Messages

    @Test func damageIsReportedSoThatAPersonCanAct() throws {
        try makeStore()
        let path = "data/" + FileName.segment(5)
        disk.withDisk { disk in disk.names[path].map { disk[$0].overwrite(UInt8(ascii: "x"), at: 530) } }
        #expect(
            refusal(disk)?.description == """
                wal-00000000000000000005.log, line 2, byte 512, sequence 5: the checksum is not that of the line, \
                and the store was closed after it was written. Next: `sooke verify --data data` shows all that is \
                wrong and changes nothing; `sooke repair --data data --to NEWDIR` writes what is sound into a new folder.
                """)
    }

    // MARK: - What is kept

    @Test func unneededFilesAreDeleted() throws {
        try makeStore()
        let counter = SecondsCounter()
        let options = JournalOptions.small.with {
            $0.pruning = .olderThan(nil)
            $0.elapsedSeconds = { counter.value }
        }
        let opened = try Journal.open(disk, options: options)
        try opened.journal.commit(7)
        try opened.journal.snapshot(Array(1...7))
        // Within the retention period.
        #expect(disk.segments == [1, 3, 5, 7])
        #expect(disk.snapshots == [2, 4, 7])
        try opened.journal.commit(8)
        counter.add(30 * 86_400)
        try opened.journal.snapshot(Array(1...8))
        #expect(disk.segments == [7])
        #expect(disk.snapshots == [7, 8])
        #expect(try Journal.open(disk.afterKill()).numbers == Array(1...8))
    }

    /// A snapshot per day for three months, with a commit in each.
    @Test func anyMomentOfTheHistoryCanBeBuiltAgain() throws {
        var most = 0
        for day in 1...90 {
            let now = Timestamp.start.advanced(bySeconds: day * 86_400)
            let opened = try Journal.open(disk, options: .small.with { $0.pruning = .olderThan(nil) }, now: now)
            try opened.journal.commit(day, now: now)
            let writer = try #require(opened.journal.prepareSnapshot(at: now))
            let finished = try writer.write { lines throws(JournalError) in
                for line in Ledger.lines(Array(1...day)) { try lines.append(line) }
            }
            try opened.journal.install(finished, now: now)
            try opened.journal.close(now: now)
            most = max(most, disk.snapshots.count)

            guard day % 10 == 0 || day % 10 == 7 || Cases.areAll else { continue }
            let survey = try FolderSurvey(of: "data", fileSystem: disk)
            let oldest = try #require(survey.oldestState).sequence
            #expect(oldest <= max(0, day - 30))
            for kept in max(1, day - 30)...day { #expect(survey.canBuild(kept)) }
        }
        #expect(most == 4)
        #expect(disk.segments.count < 70)
    }

    @Test func withOneSnapshotTheWholeLogStays() throws {
        let first = try Journal.open(disk)
        try first.journal.commit(1)
        try first.journal.close(now: .start)
        let second = try Journal.open(disk, options: .small.with { $0.pruning = .olderThan(0) })
        try second.journal.snapshot([1])
        #expect(disk.segments == [1, 2])
    }
}

extension SimulatedFileSystem {
    fileprivate var segments: [Int] { numbers { if case .segment(let first) = $0 { first } else { nil } } }
    fileprivate var snapshots: [Int] { numbers { if case .snapshot(let sequence) = $0 { sequence } else { nil } } }

    private func numbers(_ number: (FileName) -> Int?) -> [Int] {
        paths.compactMap { FileName(String($0.dropFirst(5))) }.compactMap(number)
    }
}
