import Bytes
import Testing

@testable import Journal

@Suite struct JournalTests {
    let disk = SimulatedFileSystem()

    @Test func whatWasCommittedIsThereAfterACleanStop() throws {
        let first = try Journal.open(disk)
        #expect(first.report.isNew)
        #expect(first.ledger.calls == ["begin"])
        try first.journal.commit(10, 11)
        try first.journal.commit(12)
        try first.journal.close(now: .start)

        let second = try Journal.open(disk)
        #expect(second.numbers == [10, 11, 12])
        #expect(second.report.wasClosed)
        #expect(!second.report.isNew)
        #expect(second.report.replayedCommits == 3)
        #expect(second.report.warnings.isEmpty)
        #expect(second.journal.identity == first.journal.identity)
    }

    @Test func whatWasCommittedIsThereAfterAKill() throws {
        let first = try Journal.open(disk)
        try first.journal.commit(10, 11)
        first.journal.append(Ledger.payload(12))
        let second = try Journal.open(disk.afterKill())
        #expect(second.numbers == [10, 11])
        #expect(!second.report.wasClosed)
        #expect(second.report.warnings.isEmpty)
        try second.journal.commit(13)
        #expect(second.journal.durableSequence == 3)
    }

    @Test func theLogReadsLikeThis() throws {
        let opened = try Journal.open(disk)
        try opened.journal.commit(10, 11)
        try opened.journal.commit(12)
        let text = disk.text(of: "data/wal-00000000000000000001.log")
        let lines = text.prefix { $0 != "\0" }.split(separator: "\n").map { line in
            line.dropFirst(9).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(lines.count == 6)
        #expect(
            lines[0]
                == #"{"format":"sooke-log/4","store":"00112233445566778899aabbccddeeff","first":1,"previous":"00000000""#
                + #","chain":"aa596f8c10470e33"}"#)
        #expect(lines[1...2] == [#"{"seq":1,"n":10}"#, #"{"seq":2,"n":11}"#])
        #expect(lines[3].hasPrefix(#"{"synced":2,"after":""#))
        #expect(lines[4] == #"{"seq":3,"n":12}"#)
        #expect(lines[5].hasPrefix(#"{"synced":3,"after":""#))
        #expect(text.drop { $0 != "\0" }.allSatisfy { $0 == "\0" } && text.hasSuffix("\0"))
    }

    @Test func aSnapshotShortensTheReplay() throws {
        let opened = try Journal.open(disk)
        try opened.journal.commit(1, 2, 3)
        try opened.journal.snapshot([1, 2, 3])
        #expect(opened.journal.statistics.bytesSinceSnapshot == 0)
        try opened.journal.commit(4)
        #expect(opened.journal.statistics.commitsSinceSnapshot == 1)
        let again = try Journal.open(disk.afterKill())
        #expect(again.numbers == [1, 2, 3, 4])
        #expect(again.ledger.calls == ["begin 3", "end", "commit 4"])
        #expect(again.report.snapshot == 3)
        #expect(again.report.replayedCommits == 1)
    }

    @Test func commitsGoOnWhileASnapshotIsWritten() throws {
        let opened = try Journal.open(disk)
        try opened.journal.commit(1)
        let writer = try #require(opened.journal.prepareSnapshot(at: .start))
        try opened.journal.commit(2)
        let finished = try writer.write { lines throws(JournalError) in
            for line in Ledger.lines([1]) { try lines.append(line) }
        }
        try opened.journal.commit(3)
        try opened.journal.install(finished, now: .start)
        #expect(opened.journal.statistics.commitsSinceSnapshot == 2)
        let again = try Journal.open(disk.afterPowerLoss())
        #expect(again.numbers == [1, 2, 3])
        #expect(again.report.snapshot == 1)
    }

    @Test func thereIsNothingToTakeASnapshotOfTwice() throws {
        let opened = try Journal.open(disk)
        #expect(opened.journal.prepareSnapshot(at: .start) == nil)
        try opened.journal.commit(1)
        try opened.journal.snapshot([1])
        #expect(opened.journal.prepareSnapshot(at: .start) == nil)
    }

    @Test func largeCommitsAndManyLinesGoThroughInPieces() throws {
        let opened = try Journal.open(disk, options: .small.with { $0.segmentBytes = 64 << 20 })
        let long =
            Array(#""n":7,"pad":""#.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20) + Array("\"".utf8)
        opened.journal.append(long)
        try opened.journal.flush(now: .start)

        struct Lengths: Replayer {
            var lengths: [Int] = []
            mutating func begin(_ origin: CheckedDocument.Origin?) {}
            mutating func snapshotLine(_ line: ArraySlice<UInt8>) {}
            mutating func endSnapshot() {}
            mutating func commit(_ commit: LoggedCommit) { lengths.append(commit.payload.count) }
        }
        var lengths = Lengths()
        _ = try Journal.open("data", fileSystem: disk.afterKill(), options: .small, now: .start, replaying: &lengths)
        #expect(lengths.lengths == [long.count])
    }
}

extension SimulatedFileSystem {
    func bytes(of path: String) -> [UInt8] {
        withDisk { disk in disk.names[path].map { disk[$0].current } ?? [] }
    }

    func text(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    var paths: [String] { withDisk { $0.names.keys.sorted() } }
}
