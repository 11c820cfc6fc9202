import Bytes
import Testing

@testable import Journal

/// The chain of a store's commits is independent of its files.
@Suite struct CommitChainTests {
    /// The positions after the commits of a store with ten of them.
    private static let positions: [CommitPosition] = {
        let disk = SimulatedFileSystem()
        guard let journal = try? Journal.open(disk).journal else { return [] }
        return [journal.durablePosition] + (1...10).map { number in journal.append { $0 += Ledger.payload(number) } }
    }()

    @Test func itLooksLikeThis() throws {
        let digits = Self.positions.map(\.description)
        #expect(digits[0] == "0.aa596f8c10470e33")
        #expect(digits[10].hasPrefix("10.") && digits[10].count == 19)
        #expect(Set(Self.positions.map(\.chain)).count == 11)
        let bytes = Array("aa596f8c10470e33\"".utf8)
        var cursor = TextCursor(bytes[...])
        #expect(cursor.chain() == Self.positions[0].chain && cursor.take("\""))
        for other in ["aa596f8c10470e3", "AA596F8C10470E33", "aa596f8c10470e3g"] {
            var cursor = TextCursor(Array(other.utf8)[...])
            #expect(cursor.chain() == nil)
        }
    }

    /// The chain is independent of batches, sectors, segments and starts.
    @Test(arguments: [1, 2, 10], [(512, 600), (512, 1 << 20), (4096, 600), (1, 1 << 20)])
    func onlyCommitsCount(batch: Int, sizes: (sector: Int, segment: Int)) throws {
        let disk = SimulatedFileSystem()
        let options = JournalOptions.small.with { ($0.sectorBytes, $0.segmentBytes) = sizes }
        for first in stride(from: 1, through: 10, by: batch) {
            let opened = try Journal.open(disk, options: options)
            for number in first..<(first + batch) { opened.journal.append(Ledger.payload(number)) }
            try opened.journal.flush(now: .start)
            #expect(opened.journal.durablePosition == Self.positions[first + batch - 1])
            if first == 5 { try opened.journal.snapshot(Array(1...5)) }
            if first.isMultiple(of: 2) { try opened.journal.close(now: .start) }
        }
        #expect(try Journal.open(disk.afterPowerLoss(), options: options).journal.durablePosition == Self.positions[10])
    }

    @Test func whatIsRefusedLeavesNoTrace() throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk, options: .small.with { $0.reservedBytes = 0 }).journal
        try journal.commit(1)
        disk.withDisk {
            $0.capacity = .max
            $0.capacity = $0.capacity - $0.room
        }
        #expect(throws: JournalError.self) { try journal.commit(7, 8) }
        #expect(journal.durablePosition == Self.positions[1])
        disk.withDisk { $0.capacity = .max }
        try journal.commit(2)
        #expect(journal.durablePosition == Self.positions[2])
    }

    /// A store that was restored to an earlier time gets a different chain.
    @Test func aCopyGoesOnFromItsState() throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk).journal
        for number in 1...9 {
            try journal.commit(number)
            if number.isMultiple(of: 3) { try journal.snapshot(Array(1...number)) }
        }
        for sequence in 1...9 {
            let survey = try FolderSurvey(of: "data", fileSystem: disk)
            #expect(survey.report.findings == [])
            let copy = try FolderCopy(
                of: sequence, from: survey, to: "copy-\(sequence)", keepingRest: false, fileSystem: disk, now: .start)
            var ledger = Ledger()
            let copied = try Journal.open(copy.lockedFolder, now: .start, replaying: &ledger).journal
            #expect(copied.durablePosition == Self.positions[sequence])
            try copied.commit(sequence + 1)
            #expect(copied.durablePosition == Self.positions[sequence + 1])
            try copied.commit(77)
            #expect(sequence > 8 || copied.durablePosition.chain != Self.positions[sequence + 2].chain)
        }
    }

    @Test func aSnapshotOfAnotherWayIsNotReadBefore() throws {
        let disk = SimulatedFileSystem()
        let opened = try Journal.open(disk)
        try opened.journal.commit(1, 2)
        try opened.journal.snapshot([1, 2])
        try opened.journal.commit(3)
        let before = CommitChain(0)
        try replaceChain(in: FileName.snapshot(2), of: disk, with: before)
        var manifest = opened.journal.manifest
        let file = try DocumentScan.scan(StoreFolder("data", fileSystem: disk).open(FileName.snapshot(2))) { _, _ in }
        guard case .sound(let document) = file else { return #expect(Bool(false), "\(file)") }
        (manifest.snapshots[0].chain, manifest.snapshots[0].checksum) = (before, document.checksum)
        disk.withDisk { $0.set("data/" + FileName.manifest, to: nil) }
        try disk.openDirectory("data").create(FileName.manifest).append(manifest.bytes)

        let error = #expect(throws: JournalError.self) { _ = try Journal.open(disk.afterKill()) }
        #expect(error?.kind == .damaged)
        #expect(error?.message.contains("the chain of the commits is not that of \(FileName.snapshot(2))") == true)
        let findings = try FolderSurvey(of: "data", fileSystem: disk).report.findings
        #expect(findings.map(\.message) == ["the chain of the commits is not that of \(FileName.snapshot(2))"])
    }

    private func replaceChain(in name: String, of disk: SimulatedFileSystem, with chain: CommitChain) throws {
        let bytes = disk.bytes(of: "data/" + name)
        var lines: [[UInt8]] = []
        let origin = try #require(try CheckedDocument.read(bytes) { lines.append(Array($0)) })
        var writer = CheckedDocumentWriter(
            origin: .init(store: origin.store, position: CommitPosition(origin.sequence, chain), at: origin.at))
        for line in lines { writer.append(line: line) }
        writer.finish()
        disk.withDisk { $0.set("data/" + name, to: nil) }
        try disk.openDirectory("data").create(name).append(writer.takeBytes())
    }
}
