import Bytes
import Glibc
import TestSupport
import Testing

@testable import Journal

@Suite struct FolderCopyTests {
    private func makeStore() throws -> SimulatedFileSystem { try .withThreeSegments() }

    private static let options = JournalOptions.dense

    private func survey(_ disk: SimulatedFileSystem) throws -> FolderSurvey {
        try FolderSurvey(of: "data", fileSystem: disk)
    }

    /// Copies a state and returns the state that a start finds in the copy.
    @discardableResult
    private func copy(
        _ sequence: Int, _ disk: SimulatedFileSystem, options: JournalOptions = options, keepingRest: Bool = false
    ) throws -> (copy: FolderCopy, numbers: [Int], report: RecoveryReport) {
        let copy = try FolderCopy(
            of: sequence, from: survey(disk), to: "copy", keepingRest: keepingRest, fileSystem: disk, options: options,
            now: .start)
        var ledger = Ledger()
        let error = #expect(throws: JournalError.self, "it is not complete") {
            try Journal.open("copy", fileSystem: disk.afterPowerLoss(), now: .start, replaying: &ledger)
        }
        #expect(error?.kind == .unfinished)
        try copy.complete()
        let opened = try Journal.open(
            "copy", fileSystem: disk.afterPowerLoss(), options: options, now: .start, replaying: &ledger)
        return (copy, ledger.numbers, opened.report)
    }

    private func spoil(_ name: String, in disk: SimulatedFileSystem, at text: String) throws {
        let path = "data/\(name)"
        let content = disk.text(of: path)
        let place = try #require(content.firstRange(of: text)).lowerBound
        let offset = content.utf8.distance(from: content.startIndex, to: place)
        disk.withDisk { disk in disk.names[path].map { disk[$0].overwrite(0, at: offset) } }
    }

    @Test(arguments: 1...9)
    func everyStateOfASoundStoreCanBeCopied(sequence: Int) throws {
        let disk = try makeStore()
        let before = disk.image
        let (copy, numbers, report) = try copy(sequence, disk)
        #expect(numbers == Array(1...sequence))
        #expect(report.lastSequence == sequence)
        #expect(report.wasClosed)
        #expect(report.warnings.isEmpty)
        #expect(copy.identity == JournalOptions.small.identity)
        #expect(copy.commits == 1...sequence)
        #expect(copy.snapshots == [3, 6].count { $0 <= sequence })
        for path in before.names.keys where path.hasPrefix("data/") {
            let isSame = before.names[path].map { before[$0].current } == disk.bytes(of: path)
            #expect(isSame, "\(path) was changed")
        }
    }

    @Test func aLongLogIsCopiedIntoSegments() throws {
        let disk = SimulatedFileSystem()
        let opened = try Journal.open(disk, options: Self.options)
        for number in 1...900 { try opened.journal.commit(number) }
        try opened.journal.close(now: .start)
        let options = Self.options.with { $0.segmentBytes = 1 }
        let (_, numbers, _) = try copy(900, disk, options: options)
        #expect(numbers == Array(1...900))
    }

    @Test func whatFollowsAGapIsKeptForPeople() throws {
        let disk = try makeStore()
        try spoil(FileName.segment(7), in: disk, at: #"{"seq":8"#)
        let survey = try survey(disk)
        #expect(survey.report.verdict == .lost)
        #expect(survey.newestState == 7)
        let (copy, numbers, _) = try copy(7, disk, keepingRest: true)
        #expect(numbers == Array(1...7))
        #expect(copy.rest == "quarantine/commits-after-7.ndjson")
        #expect(disk.text(of: "copy/quarantine/commits-after-7.ndjson") == "{\"seq\":9,\"n\":9}\n")
    }

    @Test func damageBeforeASnapshotLosesOnlyHistory() throws {
        let disk = try makeStore()
        try spoil(FileName.segment(1), in: disk, at: #"{"seq":2"#)
        #expect(try survey(disk).newestState == 9)
        let (copy, numbers, _) = try copy(9, disk)
        #expect(numbers == Array(1...9))
        // The chain before commit 3 was lost with commit 2; it is known again from the snapshot on.
        #expect(copy.commits == 4...9)
        #expect(copy.omitted == .init(commits: [1...1, 3...3], snapshots: []))
        #expect(copy.snapshots == 2)
        #expect(try !survey(disk).canBuild(2))
        #expect(try survey(disk).canBuild(3))
    }

    @Test(arguments: [FileName.manifest, FileName.snapshot(3), FileName.snapshot(6), FileName.segment(1)])
    func aFileThatIsGoneCostsNothing(name: String) throws {
        let disk = try makeStore()
        disk.withDisk { $0.set("data/" + name, to: nil) }
        #expect(try survey(disk).newestState == 9)
        #expect(try copy(9, disk).numbers == Array(1...9))
    }

    @Test func withoutABaseNothingIsBuilt() throws {
        let disk = try makeStore()
        for name in [FileName.snapshot(3), FileName.snapshot(6), FileName.segment(1)] {
            disk.withDisk { $0.set("data/" + name, to: nil) }
        }
        let survey = try survey(disk)
        #expect(survey.newestState == nil)
        let error = #expect(throws: JournalError.self) { try copy(9, disk) }
        #expect(error?.kind == .historyDropped)
        #expect(!disk.paths.contains { $0.hasPrefix("copy") })
    }

    @Test func anEmptyTownIsNotMadeOfADamagedOne() throws {
        let disk = SimulatedFileSystem()
        let opened = try Journal.open(disk, options: Self.options)
        try opened.journal.commit(1)
        try opened.journal.close(now: .start)
        try spoil(FileName.segment(1), in: disk, at: #"{"seq":1"#)
        #expect(try survey(disk).newestState == nil)
    }

    @Test func aFolderWithAnythingInItIsLeftAlone() throws {
        let disk = try makeStore()
        let error = #expect(throws: JournalError.self) {
            try FolderCopy(
                of: 9, from: survey(disk), to: "data", keepingRest: false, fileSystem: disk, options: .small,
                now: .start)
        }
        #expect(error?.kind == .notEmpty)
        #expect(try FolderSurvey(of: "data", fileSystem: disk).report.verdict == .sound)
    }

    @Test func aCopyIsWholeOrNoStoreWhereverTheProcessEnds() throws {
        let image = try makeStore().image
        var k = 1
        while true {
            var dying = image
            dying.diesAt = k
            let disk = SimulatedFileSystem(dying)
            try? copyAll(disk)
            guard disk.withDisk({ $0.isDead }) else { break }
            // No folder is left that a start would take for a new one.
            let killed = disk.afterKill()
            let rest = killed.paths.filter { $0.hasPrefix("copy/") }
            #expect(!killed.paths.contains("copy") || rest.contains { $0 != "copy/lock" }, "death in call \(k)")
            for next in [killed, disk.afterPowerLoss()] { try checkRest(next, "death in call \(k)") }
            k += 1
        }
        #expect(k > 20)
    }

    /// An interrupted copy leaves a folder that is complete, refused, or treated as absent.
    private func checkRest(_ disk: SimulatedFileSystem, _ what: String) throws {
        let names = disk.paths.filter { $0.hasPrefix("copy/") }.map { String($0.dropFirst(5)) }
        var ledger = Ledger()
        do throws(JournalError) {
            _ = try Journal.open("copy", fileSystem: disk, options: Self.options, now: .start, replaying: &ledger)
            let isAbsent = names.allSatisfy { $0 == FileName.lock }
            #expect(ledger.numbers == (isAbsent ? [] : Array(1...9)), "\(what) leaves \(names)")
        } catch {
            #expect(error.kind == .unfinished, "\(what): \(error)")
        }
    }

    @Test func aFolderThatOnlyLooksEmptyIsLeftAlone() throws {
        let disk = try makeStore()
        _ = try copy(9, disk)
        for name in [FileName.manifest, FileName.segment(1)].map({ $0 + FileName.temporarySuffix }) {
            disk.withDisk { disk in
                disk.endProcess()
                for path in disk.names.keys where path.hasPrefix("copy/") { disk.set(path, to: nil) }
                _ = disk.make("copy/\(name)", isFolder: false)
            }
            let error = #expect(throws: JournalError.self, "\(name)") { try copyAll(disk) }
            #expect(error?.kind == .notEmpty)
            #expect(disk.paths.filter { $0.hasPrefix("copy/") && $0 != "copy/lock" } == ["copy/\(name)"])
        }
        var ledger = Ledger()
        let error = #expect(throws: JournalError.self, "a temporary of a store") {
            try Journal.open("copy", fileSystem: disk, options: Self.options, now: .start, replaying: &ledger)
        }
        #expect(error?.kind == .missingFile)
    }

    @Test func nobodyElseOpensACopyThatIsMade() throws {
        let disk = try makeStore()
        let copy = try FolderCopy(
            of: 9, from: survey(disk), to: "copy", keepingRest: false, fileSystem: disk, options: Self.options,
            now: .start)
        var ledger = Ledger()
        let journal = try Journal.open(copy.lockedFolder, options: Self.options, now: .start, replaying: &ledger)
            .journal
        try journal.close(now: .start)
        try copy.complete()
        let error = #expect(throws: JournalError.self, "it is held to the end") {
            try Journal.open("copy", fileSystem: disk, options: Self.options, now: .start, replaying: &ledger)
        }
        #expect(error?.kind == .locked)
        copy.lockedFolder.release()
        _ = try Journal.open("copy", fileSystem: disk, options: Self.options, now: .start, replaying: &ledger)
        #expect(ledger.numbers == Array(1...9))
    }

    @Test(
        arguments: [(.write, ENOSPC), (.sync, EIO), (.rename, EIO), (.create, EMFILE), (.read, EIO)]
            as [(FileSystemError.Operation, Int32)])
    func aCopyThatFailsIsTakenAway(operation: FileSystemError.Operation, code: Int32) throws {
        let image = try makeStore().image
        var k = 1
        while true {
            var failing = image
            failing.fault = .init(operations: [operation], at: k, code: code, isPersistent: false)
            let disk = SimulatedFileSystem(failing)
            let copied: Void? = try? copyAll(disk)
            guard disk.withDisk({ $0.matchingCalls >= k }) else { break }
            #expect(copied == nil, "\(operation) \(k)")
            let kept = ["copy/lock", "copy/\(FileName.unfinished)"]
            let rest = disk.paths.filter { $0.hasPrefix("copy/") && !kept.contains($0) }
            #expect(rest.isEmpty, "\(operation) \(k) leaves \(rest)")
            k += 1
        }
        #expect(k > 1)
    }

    /// A server drops a snapshot and a segment while they are copied: the folder must be surveyed again.
    @Test(arguments: [FileName.snapshot(3), FileName.segment(4)])
    func whatWasDroppedSinceTheSurveyIsNoMissingFolder(name: String) throws {
        let disk = try makeStore()
        let survey = try survey(disk)
        let file = disk.withDisk { $0.names["data/\(name)"] }
        disk.withDisk { $0.set("data/\(name)", to: nil) }
        for kind in [JournalError.Kind.changed, nil] {
            if kind == nil { disk.withDisk { $0.set("data/\(name)", to: file) } }
            do throws(JournalError) {
                _ = try FolderCopy(
                    of: 9, from: survey, to: "copy", keepingRest: false, fileSystem: disk, options: Self.options,
                    now: .start)
                #expect(kind == nil)
            } catch {
                #expect(error.kind == kind && error.file == name)
            }
        }
    }

    private func copyAll(_ disk: SimulatedFileSystem) throws {
        let copy = try FolderCopy(
            of: 9, from: survey(disk), to: "copy", keepingRest: false, fileSystem: disk, options: Self.options,
            now: .start)
        do {
            try copy.complete()
        } catch {
            copy.discard()
            throw error
        }
    }

    @Test func aSnapshotThatStandsAloneBecomesAStore() throws {
        let disk = try makeStore()
        let file = "data/" + FileName.snapshot(6)
        #expect(try FolderCopy.origin(ofSnapshot: file, fileSystem: disk)?.sequence == 6)
        let copy = try FolderCopy(ofSnapshot: file, to: "copy", fileSystem: disk, options: Self.options, now: .start)
        #expect((copy.sequence, copy.snapshots) == (6, 1))
        try copy.complete()
        var ledger = Ledger()
        _ = try Journal.open(
            "copy", fileSystem: disk.afterPowerLoss(), options: Self.options, now: .start, replaying: &ledger)
        #expect(ledger.numbers == Array(1...6))
        #expect(disk.bytes(of: "copy/" + FileName.snapshot(6)) == disk.bytes(of: file))
    }

    /// Regardless of the damage, a copy of the newest state is a prefix of the log.
    @Test func copyOfADamagedFolderIsAPrefix() throws {
        let image = try makeStore().image
        let files = image.names.filter { $0.key.hasSuffix(".log") || $0.key.hasSuffix(".json") }.sorted {
            $0.key < $1.key
        }
        var random = SplitMix64(seed: 7)
        var built = 0
        for _ in 0..<Cases.count(60, of: 300) {
            var changed = image
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let file = files[Int.random(in: files.indices, using: &random)].value
                let offset = Int.random(in: 0..<changed[file].current.count, using: &random)
                changed[file].overwrite(UInt8.random(in: 0...255, using: &random), at: offset)
            }
            let disk = SimulatedFileSystem(changed)
            let survey = try survey(disk)
            guard let newest = survey.newestState else { continue }
            if survey.report.verdict != .lost { #expect(newest == 9) }
            #expect(try copy(newest, disk).numbers == Array(1...newest))
            built += 1
        }
        #expect(built > Cases.count(40, of: 200))
    }
}
