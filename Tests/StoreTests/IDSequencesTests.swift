import Testing

@testable import Store

@Suite struct IDSequencesTests {
    @Test func everySequenceIsSeparate() {
        var sequences = IDSequences()
        for (index, sequence) in IDSequences.Sequence.allCases.enumerated() { sequences[sequence] = index + 1 }
        #expect(IDSequences.Sequence.allCases.map { sequences[$0] } == Array(1...IDSequences.Sequence.allCases.count))
    }

    @Test func theMaximumHasTheHigherOfEach() {
        var (sequences, others) = (IDSequences(), IDSequences())
        (sequences[.category], sequences[.receipt]) = (5, 2)
        (others[.category], others[.receipt]) = (3, 7)
        sequences.formMaximum(others)
        #expect(sequences[.category] == 5 && sequences[.receipt] == 7)
        #expect(sequences != others)
        others[.category] = 5
        #expect(sequences == others)
    }
}
