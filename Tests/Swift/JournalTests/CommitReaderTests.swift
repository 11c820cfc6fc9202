import Testing

@testable import Journal

@Suite struct CommitReaderTests {
    let disk = SimulatedFileSystem()

    private func read(after: Int? = 0, through: Int = .max) throws -> [Int] {
        var reader = try CommitReader("data", fileSystem: disk, after: after, through: through)
        var sequences: [Int] = []
        while let commit = try reader.next() {
            #expect(Array(commit.payload) == Ledger.payload(commit.sequence))
            sequences.append(commit.sequence)
        }
        return sequences
    }

    @Test func itReadsOverSegmentsWhileTheJournalIsOpen() throws {
        let opened = try Journal.open(disk)
        #expect(try read() == [])
        for number in 1...40 { try opened.journal.commit(number) }
        #expect(opened.journal.statistics.segments > 3)
        #expect(try read() == Array(1...40))
        #expect(try read(after: nil) == Array(1...40))
        #expect(try read(after: 17) == Array(18...40))
        #expect(try read(after: 17, through: 20) == [18, 19, 20])
        #expect(try read(after: 40) == [])
        #expect(try read(after: 99) == [])
    }

    @Test func aSegmentThatGrowsAndIsSealedMeanwhileIsReadOn() throws {
        let opened = try Journal.open(disk)
        try opened.journal.commit(1)
        var reader = try CommitReader("data", fileSystem: disk)
        #expect(try reader.next()?.sequence == 1)
        for number in 2...40 { try opened.journal.commit(number) }
        for number in 2...40 { #expect(try reader.next()?.sequence == number) }
        #expect(try reader.next() == nil)
    }

    @Test func aLineThatIsBeingWrittenIsNotRead() throws {
        let opened = try Journal.open(disk)
        try opened.journal.commit(1)
        disk.withDisk { disk in
            disk.names["data/" + FileName.segment(1)].map { disk[$0].append(Array("0123abcd {\"seq\":2".utf8)) }
        }
        #expect(try read() == [1])
        withExtendedLifetime(opened) {}
    }

    @Test func readingDroppedHistoryThrows() throws {
        let first = try Journal.open(disk)
        try first.journal.commit(1)
        try first.journal.snapshot([1])
        try first.journal.close(now: .start)
        let second = try Journal.open(disk, options: .small.with { $0.pruning = .olderThan(0) })
        try second.journal.commit(2)
        try second.journal.snapshot([1, 2])
        let error = #expect(throws: JournalError.self) { try read() }
        #expect(error?.kind == .historyDropped)
        #expect(try read(after: 1) == [2])
        #expect(try read(after: nil) == [2])
        #expect(try CommitReader("data", fileSystem: disk, after: nil).firstKept == 2)
    }

    @Test func damageIsNotReadOver() throws {
        let opened = try Journal.open(disk)
        for number in 1...40 { try opened.journal.commit(number) }
        disk.withDisk { disk in
            disk.names["data/" + FileName.segment(1)].map { disk[$0].overwrite(0, at: 1100) }
        }
        let error = #expect(throws: JournalError.self) { try read() }
        #expect(error?.kind == .damaged)
    }
}
