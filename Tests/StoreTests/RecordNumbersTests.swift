import Testing

@testable import Store

@Suite struct RecordNumbersTests {
    @Test func everySequenceHasItsOwnNumber() {
        var numbers = RecordNumbers()
        for (index, sequence) in RecordNumbers.Sequence.allCases.enumerated() { numbers[sequence] = index + 1 }
        #expect(RecordNumbers.Sequence.allCases.map { numbers[$0] } == Array(1...RecordNumbers.Sequence.allCases.count))
    }

    @Test func theMaximumHasTheHigherOfEach() {
        var (numbers, others) = (RecordNumbers(), RecordNumbers())
        (numbers[.category], numbers[.receipt]) = (5, 2)
        (others[.category], others[.receipt]) = (3, 7)
        numbers.formMaximum(others)
        #expect(numbers[.category] == 5 && numbers[.receipt] == 7)
        #expect(numbers != others)
        others[.category] = 5
        #expect(numbers == others)
    }
}
