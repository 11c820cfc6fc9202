import Testing

@testable import Journal

/// `CommitReader.after`: the commits after a position, which is in the log, was dropped, or never was in it.
@Suite struct CommitReaderPositionTests {
    private let disk = SimulatedFileSystem()

    private func read(after position: CommitPosition, through: Int = .max) throws -> [Int]? {
        guard var reader = try CommitReader.after(position, in: "data", fileSystem: disk, through: through) else {
            return nil
        }
        var sequences: [Int] = []
        while let commit = try reader.next() { sequences.append(commit.sequence) }
        return sequences
    }

    /// Commits numbers and returns the positions before and after each.
    private func commit(_ numbers: ClosedRange<Int>, to journal: Journal) throws -> [CommitPosition] {
        try [journal.durablePosition]
            + numbers.map { number in
                try journal.commit(number)
                return journal.durablePosition
            }
    }

    /// Also at the first and the last commit of a segment, and before the first commit ever.
    @Test func everyPositionIsContinued() throws {
        let opened = try Journal.open(disk)
        let positions = try commit(1...40, to: opened.journal)
        #expect(opened.journal.statistics.segments > 3)
        for position in positions { #expect(try read(after: position) == Array(position.sequence + 1..<41)) }
        #expect(try read(after: positions[0], through: 3) == [1, 2, 3])
    }

    @Test func otherPositionsAreNotContinued() throws {
        let opened = try Journal.open(disk)
        let positions = try commit(1...40, to: opened.journal)
        for sequence in 0...41 {
            let foreign = CommitPosition(sequence, CommitChain(7))
            #expect(try read(after: foreign) == nil, "\(sequence)")
            #expect(try read(after: foreign, through: 40) == nil, "\(sequence)")
        }
        #expect(try read(after: CommitPosition(41, positions[40].chain)) == nil)
        #expect(try read(after: CommitPosition(.max, positions[40].chain)) == nil)
        #expect(try read(after: positions[30], through: 20) == nil)
    }

    /// The position before the oldest commit can still be continued, because the first line of its segment has it.
    @Test func whatWasDroppedIsTooOld() throws {
        let first = try Journal.open(disk)
        let positions = try commit(1...5, to: first.journal)
        try first.journal.snapshot(Array(1...5))
        try first.journal.close(now: .start)
        let second = try Journal.open(disk, options: .small.with { $0.pruning = .olderThan(0) })
        #expect(second.journal.durablePosition == positions[5])
        try second.journal.commit(6)
        try second.journal.snapshot(Array(1...6))
        for position in positions.dropLast() { #expect(try read(after: position) == nil, "\(position)") }
        #expect(try read(after: positions[5]) == [6])
        #expect(try read(after: CommitPosition(5, positions[4].chain)) == nil)
    }

    @Test(arguments: [
        "", "0", "1", "1.", "x.8f3c5a7790d1e2b4", "1.8f3c5a7790d1e2b", "1.8f3c5a7790d1e2b4 ", "1.8F3C5A7790D1E2B4",
        "-1.8f3c5a7790d1e2b4", "99999999999999999999.8f3c5a7790d1e2b4", "1.8f3c5a7790d1e2b4.0",
    ])
    func otherTextIsNoPosition(text: String) {
        #expect(CommitPosition(text) == nil)
    }
}
