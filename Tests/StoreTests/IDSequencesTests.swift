import Testing

@testable import Store

@Suite struct IDSequencesTests {
    @Test func everySequenceHasItsOwnNumber() {
        var numbers = IDSequences()
        for (index, sequence) in IDSequences.Sequence.allCases.enumerated() { numbers[sequence] = index + 1 }
        #expect(IDSequences.Sequence.allCases.map { numbers[$0] } == Array(1...IDSequences.Sequence.allCases.count))
    }

    @Test func theMaximumHasTheHigherOfEach() {
        var (numbers, others) = (IDSequences(), IDSequences())
        (numbers[.category], numbers[.receipt]) = (5, 2)
        (others[.category], others[.receipt]) = (3, 7)
        numbers.formMaximum(others)
        #expect(numbers[.category] == 5 && numbers[.receipt] == 7)
        #expect(numbers != others)
        others[.category] = 5
        #expect(numbers == others)
    }
}
