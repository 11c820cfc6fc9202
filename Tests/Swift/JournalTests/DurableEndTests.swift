import Bytes
import Testing

@testable import Journal

/// The file `durable`: a log that ends before it has lost commits.
@Suite struct DurableEndTests {
    private static let log = "data/\(FileName.segment(1))"
    private static let path = "data/\(FileName.durable)"
    private static let options = JournalOptions.small.with { $0.segmentBytes = 64 << 20 }

    /// A log of ten batches, left by a process that was killed.
    private func makeStore() throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk, options: Self.options).journal
        for number in 1...10 { try journal.commit(number) }
        return disk.afterKill()
    }

    /// The last page of the log that is not reserved space becomes zeros.
    private func zeroLastPage(of disk: SimulatedFileSystem) {
        disk.withDisk { disk in
            guard let file = disk.names[Self.log], let last = disk[file].current.lastIndex(where: { $0 != 0 }) else {
                return
            }
            for offset in last / 4096 * 4096...last { disk[file].overwrite(0, at: offset) }
        }
    }

    private func end(in disk: SimulatedFileSystem) throws -> DurableEnd? {
        let folder = try StoreFolder("data", fileSystem: disk)
        return try DurableEnd.read(from: folder, Manifest.read(from: folder))
    }

    @Test func itLooksLikeThis() throws {
        let disk = try makeStore()
        let text = disk.text(of: Self.path)
        #expect(text.utf8.count == DurableEnd.length && text.last == "\n")
        let store = JournalOptions.small.identity ?? ""
        #expect(text.dropFirst(9).hasPrefix(#"{"durable":10,"first":1,"store":"\#(store)","file":"0-"#))
        #expect(try end(in: disk) == DurableEnd(sequence: 10, first: 1))
    }

    @Test func everyBatchIsInItBeforeItIsAnswered() throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk).journal
        for number in stride(from: 1, to: 200, by: 2) {
            try journal.commit(number, number + 1)
            // A batch that filled its segment is proved by the manifest.
            let isSealed = journal.manifest.segments.last?.first == number + 2
            #expect(try end(in: disk)?.sequence == (isSealed ? nil : number + 1))
        }
        #expect(journal.manifest.segments.count > 2)
    }

    @Test func aLogThatLostItsLastPageIsRefused() throws {
        let disk = try makeStore()
        zeroLastPage(of: disk)
        let error = #expect(throws: JournalError.self) { try Journal.open(disk, options: Self.options) }
        #expect(error?.kind == .damaged && error?.file == FileName.segment(1))
        let found = try #require(error?.sequence) - 1
        #expect(
            error?.message == "the log ends at sequence \(found), and the file durable says that all commits up to "
                + "sequence 10 were written, unless this is a copy that was made while a server wrote to it")
        #expect(error?.nextStep.contains("sooke repair") == true)

        let survey = try FolderSurvey(of: "data", fileSystem: disk)
        #expect(survey.report.verdict == .lost && survey.report.lastSequence == 10)
        #expect(survey.report.findings.map(\.message) == [error?.message])
        #expect(survey.report.findings.map(\.byte) == [error?.byte])
        #expect(survey.newestState == found)
        let copy = try FolderCopy(
            of: found, from: survey, to: "copy", keepingRest: true, fileSystem: disk, options: .small, now: .start)
        #expect(!disk.paths.contains("copy/\(FileName.durable)"))
        withExtendedLifetime(copy) {}
    }

    @Test func afterACleanStopTheManifestDecides() throws {
        let disk = try makeStore()
        try Journal.open(disk, options: Self.options).journal.close(now: .start)
        #expect(try end(in: disk.afterKill()) == nil)
        #expect(try Journal.open(disk.afterKill(), options: Self.options).numbers == Array(1...10))
    }

    /// What a copy of the files takes along is not about the copy.
    @Test func aCopyOfTheFilesIsNotRefused() throws {
        let disk = try makeStore()
        let bytes = disk.bytes(of: Self.path)
        // The log was read before the last batches, and this file after them.
        zeroLastPage(of: disk)
        try disk.openDirectory("data").remove(FileName.durable)
        try disk.openDirectory("data").create(FileName.durable).append(bytes)
        #expect(try FolderSurvey(of: "data", fileSystem: disk).report.findings == [])
        let opened = try Journal.open(disk, options: Self.options)
        #expect(opened.numbers.count < 10)
        try opened.journal.commit(77)
        #expect(try end(in: disk)?.sequence == opened.numbers.count + 1)
    }

    /// A copy with hard links shares the file with a server that has begun another segment since.
    @Test func whatIsAboutALaterSegmentIsIgnored() throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk).journal
        try journal.commit(1)
        let manifest = disk.bytes(of: "data/\(FileName.manifest)")
        for number in 2...50 { try journal.commit(number) }
        let names = try disk.openDirectory("data").list()
        disk.withDisk { disk in
            for name in names where FileName(name).map({ $0 != .segment(first: 1) }) ?? false {
                disk.set("data/\(name)", to: nil)
            }
            disk.set("data/\(FileName.manifest)", to: nil)
        }
        try disk.openDirectory("data").create(FileName.manifest).append(manifest)
        let copy = disk.afterKill()
        let last = try Journal.open(copy).numbers.count
        #expect(last > 1 && last < 50)
    }

    @Test func aChangedByteOfItIsAsGoodAsNone() throws {
        let disk = try makeStore().image
        let file = try #require(disk.names[Self.path])
        for offset in disk[file].current.indices {
            var copy = disk
            copy[file].overwrite(disk[file].current[offset] ^ 1, at: offset)
            let changed = SimulatedFileSystem(copy)
            #expect(try end(in: changed) == nil)
            if offset.isMultiple(of: 16) {
                #expect(try Journal.open(changed, options: Self.options).numbers == Array(1...10))
            }
        }
    }

    /// Its failure costs nothing but the proof, unless the disk is broken.
    @Test func withoutRoomForItCommitsAreAnswered() throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk, options: Self.options).journal
        disk.withDisk { $0.fault = .init(operations: [.create], at: 1, code: 28) }
        try journal.commit(1)
        #expect(try end(in: disk) == nil)
        try journal.commit(2)
        #expect(try end(in: disk)?.sequence == 2)
    }
}
