import SookeModel
import Testing

@testable import Store

@Suite struct IDSequencesTests {
    @Test func everySequenceIsSeparate() {
        var sequences = IDSequences()
        for (index, sequence) in IDSequences.Sequence.all.enumerated() { sequences[sequence] = index + 1 }
        #expect(IDSequences.Sequence.all.map { sequences[$0] } == Array(1...IDSequences.Sequence.all.count))
    }

    @Test func theMaximumHasTheHigherOfEach() {
        let (category, receipt) = (IDSequences.Sequence(.category), IDSequences.Sequence(.receipt))
        var (sequences, others) = (IDSequences(), IDSequences())
        (sequences[category], sequences[receipt]) = (5, 2)
        (others[category], others[receipt]) = (3, 7)
        sequences.formMaximum(others)
        #expect(sequences[category] == 5 && sequences[receipt] == 7)
        #expect(sequences != others)
        others[category] = 5
        #expect(sequences == others)
    }
}
