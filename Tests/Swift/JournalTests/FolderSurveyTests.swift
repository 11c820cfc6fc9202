import Bytes
import TestSupport
import Testing

@testable import Journal

@Suite struct FolderSurveyTests {
    private func makeStore(closing: Bool = true) throws -> SimulatedFileSystem {
        try .withThreeSegments(closing: closing)
    }

    private func inspect(_ disk: SimulatedFileSystem) throws -> InspectionReport {
        try FolderSurvey(of: "data", fileSystem: disk).report
    }

    @Test(arguments: [true, false])
    func aSoundFolderIsSound(closing: Bool) throws {
        let disk = try makeStore(closing: closing)
        let before = disk.paths
        let report = try inspect(disk)
        #expect(report.verdict == .sound)
        #expect(report.findings.isEmpty)
        #expect((report.segments, report.snapshots, report.commits, report.lastSequence) == (3, 2, 9, 9))
        #expect(report.identity == JournalOptions.small.identity)
        #expect(disk.paths == before)
    }

    @Test func itReadsBesideAServer() throws {
        let disk = SimulatedFileSystem()
        let opened = try Journal.open(disk)
        for number in 1...40 {
            try opened.journal.commit(number)
            #expect(try inspect(disk).verdict == .sound)
        }
        withExtendedLifetime(opened) {}
    }

    @Test(arguments: [0x01, 0x80] as [UInt8])
    func everyChangedByteOfEveryFileIsFound(mask: UInt8) throws {
        let image = try makeStore().image
        for path in image.names.keys.sorted() where path.hasSuffix(".log") || path.hasSuffix(".json") {
            let file = try #require(image.names[path])
            for (offset, byte) in Cases.sample(image[file].current.enumerated().map(\.self), every: 11) {
                var copy = image
                copy[file].overwrite(byte ^ mask, at: offset)
                let report = try inspect(SimulatedFileSystem(copy))
                let name = path.dropFirst(5)
                let isRight = report.findings.first?.file == String(name) && report.verdict != .sound
                #expect(isRight, "byte \(offset) of \(name): \(report.findings)")
                let isLost = report.verdict == .lost
                // Only the last segment has commits that no snapshot contains.
                let mayLose = name == FileName.segment(7)
                #expect(!isLost || mayLose, "byte \(offset) of \(name): \(report.findings)")
            }
        }
    }

    @Test func whatIsBehindDamageIsStillRead() throws {
        let disk = try makeStore()
        let path = "data/" + FileName.segment(7)
        let text = disk.text(of: path)
        let second = try #require(text.firstRange(of: #"{"seq":8"#)).lowerBound
        let offset = text.utf8.distance(from: text.startIndex, to: second)
        disk.withDisk { disk in disk.names[path].map { disk[$0].overwrite(0, at: offset) } }
        let report = try inspect(disk)
        #expect(report.verdict == .lost)
        #expect(report.commits == 8)
        #expect(report.findings.map(\.sequence) == [8])
        #expect(report.findings[0].line == 3)
        #expect(report.findings[0].message == "the checksum is not that of the line; commit 8 cannot be read")
    }

    @Test func severalDamagesAreAllFound() throws {
        let disk = try makeStore()
        for first in [1, 4, 7] {
            let path = "data/" + FileName.segment(first)
            disk.withDisk { disk in disk.names[path].map { disk[$0].overwrite(0, at: disk[$0].current.count - 20) } }
        }
        #expect(try inspect(disk).findings.map(\.file) == [1, 4, 7].map(FileName.segment))
    }

    @Test func aTornEndIsDamageWithoutLoss() throws {
        let disk = try makeStore(closing: false)
        let path = "data/" + FileName.segment(7)
        disk.withDisk { disk in disk.names[path].map { disk[$0].append(Array("0123".utf8)) } }
        let report = try inspect(disk)
        #expect(report.verdict == .damaged)
        #expect(
            report.findings.map(\.message)
                == ["the line does not end; nothing behind it was answered; the next start cuts it"])
    }

    @Test(
        arguments: [
            (FileName.segment(1), .damaged), (FileName.segment(7), .lost), (FileName.snapshot(3), .damaged),
            (FileName.snapshot(6), .damaged), (FileName.manifest, .damaged),
        ] as [(String, InspectionReport.Verdict)])
    func aMissingFileIsFound(name: String, verdict: InspectionReport.Verdict) throws {
        let disk = try makeStore()
        disk.withDisk { $0.set("data/" + name, to: nil) }
        let report = try inspect(disk)
        #expect(report.verdict == verdict)
        #expect(report.findings.first?.file == name)
    }

    @Test func bothSnapshotsAndALogWithoutItsBeginningAreALoss() throws {
        let disk = try makeStore()
        for name in [FileName.snapshot(3), FileName.snapshot(6)] {
            disk.withDisk { $0.set("data/" + name, to: nil) }
        }
        #expect(try inspect(disk).verdict == .damaged)
        disk.withDisk { $0.set("data/" + FileName.segment(1), to: nil) }
        #expect(try inspect(disk).verdict == .lost)
    }

    @Test func aFolderWithoutAStoreIsAnError() throws {
        let disk = SimulatedFileSystem()
        #expect(throws: JournalError.self) { try inspect(disk) }
        try disk.createDirectory("data")
        let error = #expect(throws: JournalError.self) { try inspect(disk) }
        #expect(error?.kind == .foreignFolder)
    }

    // MARK: - Every fault of every segment

    /// The faults of a segment from some byte on.
    enum Fault: CaseIterable {
        case change, cut, zeros

        func strike(_ file: inout SimulatedFile, at offset: Int) {
            switch self {
            case .change: file.overwrite(file.current[offset] ^ 1, at: offset)
            case .cut: file.truncate(to: offset)
            case .zeros: for place in offset..<file.current.count { file.overwrite(0, at: place) }
            }
        }
    }

    /// Segments 1–3, 4–6 and 7–9, with a snapshot after the second commit of each.
    private func makeStoreWithSnapshotsInside(closing: Bool) throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let options = JournalOptions.dense
        for first in [1, 4, 7] {
            let journal = try Journal.open(disk, options: options).journal
            try journal.commit(first, first + 1)
            try journal.snapshot(Array(1...first + 1))
            try journal.commit(first + 2)
            if closing || first < 7 { try journal.close(now: .start) }
        }
        return disk.afterKill()
    }

    /// All nine commits were acknowledged. For any fault the report mentions all of them, unless nothing in the
    /// folder shows the last any more; it reports as lost what cannot be built; and a folder that it reports as sound
    /// can be opened.
    @Test(arguments: Fault.allCases, [true, false])
    func whatASegmentHasLostIsSaid(fault: Fault, closing: Bool) throws {
        let image = try makeStoreWithSnapshotsInside(closing: closing).image
        var wrong: [String] = []
        for first in [1, 4, 7] {
            let name = FileName.segment(first)
            let file = try #require(image.names["data/" + name])
            let bytes = image[file].current
            let header = try end(ofLineWith: #"{"format""#, in: bytes)
            let afterEighth = first == 7 ? try end(ofLineWith: #"{"seq":8"#, in: bytes) : bytes.count
            for offset in Cases.sample(bytes.indices, every: 11) {
                var copy = image
                fault.strike(&copy[file], at: offset)
                guard copy[file].current != bytes else { continue }
                let survey = try FolderSurvey(of: "data", fileSystem: SimulatedFileSystem(copy))
                let (report, newest) = (survey.report, survey.newestState)

                let isForgotten = !closing && fault != .change && offset >= afterEighth
                var isRight = report.lastSequence == 9 || isForgotten && newest == 8
                isRight = isRight && (report.verdict == .lost) == (newest != report.lastSequence)
                if first < 7 || fault == .change && offset < header - 1 {
                    isRight = isRight && newest == 9 && report.verdict == .damaged
                }
                if report.verdict == .sound {
                    isRight = isRight && (try? Journal.open(SimulatedFileSystem(copy))) != nil
                }
                if !isRight { wrong.append("byte \(offset) of \(name): state \(newest ?? -1), \(report)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) are wrong, such as \(wrong.prefix(3))")
    }

    private func end(ofLineWith text: String, in bytes: [UInt8]) throws -> Int {
        let start = try #require(bytes.firstRange(of: Array(text.utf8))).lowerBound
        return try #require(bytes[start...].firstIndex(of: ASCII.lineFeed)) + 1
    }

    /// The length of a missing, unclosed log is unknown, so a snapshot of it is not reported as complete.
    @Test func snapshotDoesNotReplaceAMissingOpenLog() throws {
        let disk = try makeStoreWithSnapshotsInside(closing: false)
        disk.withDisk { $0.set("data/" + FileName.segment(7), to: nil) }
        let survey = try FolderSurvey(of: "data", fileSystem: disk)
        #expect(survey.report.verdict == .lost)
        #expect((survey.newestState, survey.report.lastSequence) == (8, 9))
    }

    // MARK: - Two histories of one store

    /// A store with segments 1–3, 4–6 and 7–9, and a copy of its folder, made after the third commit, that continued
    /// independently. Until then both wrote the same bytes.
    private func makeFork(snapshotAt sequence: Int?) throws -> (own: SimulatedFileSystem, other: SimulatedFileSystem) {
        let options = JournalOptions.dense
        func write(_ numbers: ClosedRange<Int>, to disk: SimulatedFileSystem, plus: Int = 0) throws {
            let journal = try Journal.open(disk, options: options).journal
            for number in numbers { try journal.commit(number + plus) }
            if let sequence, numbers.contains(sequence) { try journal.snapshot(Array(1...sequence)) }
            try journal.close(now: .start)
        }
        let disk = SimulatedFileSystem()
        try write(1...3, to: disk)
        let copy = SimulatedFileSystem(disk.image)
        try write(4...6, to: copy, plus: 100)
        try write(4...6, to: disk)
        try write(7...9, to: disk)
        return (disk.afterKill(), copy.afterKill())
    }

    /// The copy's segment, in place of the one of the same name, does not belong to this history.
    @Test(arguments: [nil, 6] as [Int?])
    func aSegmentOfAnotherHistoryIsNotRead(snapshotAt sequence: Int?) throws {
        let (own, other) = try makeFork(snapshotAt: sequence)
        let name = FileName.segment(4)
        let foreign = other.bytes(of: "data/" + name)
        own.withDisk { disk in
            guard let file = disk.names["data/" + name] else { return }
            disk[file].truncate(to: 0)
            disk[file].append(foreign)
        }
        var seen: [Int] = []
        let survey = try FolderSurvey(of: "data", fileSystem: own)
        try survey.forEachCommit { commit, _ in seen.append(commit) }
        #expect(survey.report.findings.map(\.file) == [name])
        #expect(survey.report.lastSequence == 9)
        #expect(survey.newestState == (sequence == nil ? 3 : 9))
        #expect(survey.report.verdict == (sequence == nil ? .lost : .damaged))
        #expect(seen == [1, 2, 3, 7, 8, 9])
    }

    /// A block of another store's log, which a disk has written over the beginning of an open segment, is not read.
    @Test func linesOfAnotherStoreBehindABrokenFirstLineAreNotRead() throws {
        let disk = try makeStore(closing: false)
        let options = JournalOptions.small.with {
            $0.sectorBytes = 16
            $0.identity = "ffeeddccbbaa99887766554433221100"
        }
        let foreign = SimulatedFileSystem()
        let journal = try Journal.open(foreign, options: options).journal
        for number in 1...12 { try journal.commit(number) }
        let log = foreign.bytes(of: "data/" + FileName.segment(1))
        let block = try end(ofLineWith: #"{"seq":5"#, in: log)..<end(ofLineWith: #"{"seq":9"#, in: log)
        disk.withDisk { disk in
            guard let file = disk.names["data/" + FileName.segment(7)] else { return }
            disk[file].truncate(to: 0)
            disk[file].append(Array("lost ".utf8) + log[block])
        }
        let survey = try FolderSurvey(of: "data", fileSystem: disk)
        #expect(survey.report.verdict == .lost)
        #expect(survey.newestState == 6)
    }

    /// An old manifest was restored: the commits since are not leftovers.
    @Test func aSegmentBehindTheManifestWithCommitsIsALoss() throws {
        let disk = SimulatedFileSystem()
        try Journal.open(disk).journal.close(now: .start)
        let first = try Journal.open(disk).journal
        try first.commit(1, 2, 3)
        try first.close(now: .start)
        let old = disk.bytes(of: "data/" + FileName.manifest)
        let second = try Journal.open(disk).journal
        #expect(try inspect(disk).verdict == .sound)
        try second.commit(4)
        try second.close(now: .start)
        disk.withDisk { disk in
            guard let file = disk.names["data/" + FileName.manifest] else { return }
            disk[file].truncate(to: 0)
            disk[file].append(old)
        }
        #expect(throws: JournalError.self) { try Journal.open(disk.afterKill()) }
        let report = try inspect(disk.afterKill())
        #expect(report.verdict == .lost)
        #expect(report.findings.map(\.file) == [FileName.segment(4)])
    }
}
