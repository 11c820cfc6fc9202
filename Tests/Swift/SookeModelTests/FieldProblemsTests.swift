import SookeModel
import Testing

/// The problems of a record are bounded.
@Suite struct FieldProblemsTests {
    @Test func aFieldsFirstProblemCounts() {
        var problems = FieldProblems()
        problems.add("name", "is missing")
        problems.add("name", "must be a text")
        problems.add("caf\u{E9}", "is not a field here")
        problems.add("cafe\u{301}", "is not a field here")
        #expect(problems.all.map(\.field.utf8.count) == [4, 5, 6])
        #expect(problems.all[0].message == "is missing")
    }

    @Test func noMoreThanAHundredAreCollected() {
        var problems = FieldProblems()
        for number in 0..<100_000 { problems.add("field \(number)", "is not a field here") }
        #expect(problems.all.map(\.field) == (0..<100).map { "field \($0)" })
    }

    /// As keys of a set these would take seconds.
    @Test(.timeLimit(.minutes(1)))
    func longRunsOfCombiningMarksAreOrdinaryNames() {
        var problems = FieldProblems()
        let marks = String(repeating: "\u{301}\u{316}", count: 200_000)
        for name in ["a", "b", "a"] { problems.add(name + marks, "is not a field here") }
        #expect(problems.all.count == 2)
    }
}
