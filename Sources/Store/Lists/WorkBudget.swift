import Synchronization

/// What one request may still spend on what takes unusually long: the occurrences of events, and what of a record
/// matches a search.
///
/// A rule may have an occurrence in a hundred years only, and a list may have thousands of series: a request that would
/// take too long ends early, with what it has found until then, and its response says so. What it has learned of the
/// next occurrences is stored, so that further requests come further. `SearchWork` bounds the search itself.
package final class WorkBudget: Sendable {
    /// The most steps of a request; one takes five to ten nanoseconds.
    package static let most = 225_000
    /// The most steps for what matches in the records of a page.
    static let mostForMatches = 250_000
    /// The steps of preparing a series that is not in memory.
    static let stepsPerSeries = 400
    /// The steps of finding an occurrence, besides one for each month and day that is looked at.
    static let stepsPerList = 100
    static let stepsPerOccurrence = 60
    /// The steps of an event that is looked at.
    static let stepsPerEvent = 10
    /// The steps of reading the texts of a record, and of comparing one of their words with one of a query.
    static let stepsPerRecord = 2_000
    static let stepsPerComparison = 12

    private let steps: Atomic<Int>
    private let isCut = Atomic(false)

    package init(_ steps: Int = most) { self.steps = Atomic(steps) }

    /// Whether something was left out, because finding it would have taken too long.
    package var isBounded: Bool { isCut.load(ordering: .relaxed) }

    /// Nil when none are left, which leaves something out.
    var left: Int? {
        let left = steps.load(ordering: .relaxed)
        if left > 0 { return left }
        leaveOut()
        return nil
    }

    package var hasLeft: Bool { steps.load(ordering: .relaxed) > 0 }

    func spend(_ count: Int) { steps.subtract(count, ordering: .relaxed) }

    /// False when the event must be left out.
    func visit() -> Bool {
        guard left != nil else { return false }
        spend(Self.stepsPerEvent)
        return true
    }

    func leaveOut() { isCut.store(true, ordering: .relaxed) }
}
