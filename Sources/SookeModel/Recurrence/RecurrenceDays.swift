/// The days of a rule from a day on, in ascending or descending order.
///
/// It ends where the calendar has repeated without an occurrence: that bounds the work for any rule.
struct RecurrenceDays: IteratorProtocol {
    private let pattern: RecurrencePattern
    private let bounds: (first: Int, last: Int)
    private let isAscending: Bool
    private var period: Int
    private let lastPeriod: Int
    /// The days of one period that are still to come; the next one is the last.
    private var pending: [Int] = []
    private var emptyPeriods = 0
    /// What finding the days has taken.
    private(set) var work = RecurrenceWork()
    private let mostSteps: Int
    /// Whether it has ended because of them: the next day is not before `reached`.
    private(set) var isCut = false

    /// The days from a day through another, or to the end of the calendar.
    init(of pattern: RecurrencePattern, from first: Int, through last: Int?, steps: Int = .max) {
        (self.pattern, mostSteps) = (pattern, steps)
        bounds = (max(first, pattern.startDay), last ?? .max)
        isAscending = true
        period = max(pattern.period(of: bounds.first), 0)
        lastPeriod = last.map(pattern.period(of:)) ?? .max
    }

    init(of pattern: RecurrencePattern, backFrom last: Int) {
        (self.pattern, mostSteps) = (pattern, .max)
        bounds = (pattern.startDay, min(last, RecurrencePattern.lastDay))
        isAscending = false
        period = pattern.period(of: bounds.last)
        lastPeriod = period
    }

    /// The first day that was not looked at.
    var reached: Int { pattern.firstDay(of: period) }

    mutating func next() -> Int? {
        while pending.isEmpty {
            guard 0...max(lastPeriod, 0) ~= period, emptyPeriods < pattern.cycle else { return nil }
            guard work.steps < mostSteps else {
                isCut = true
                return nil
            }
            guard let found = pattern.days(in: period) else { return nil }
            work.tested += found.work.tested
            work.steps += found.work.steps
            emptyPeriods = found.days.isEmpty ? emptyPeriods + 1 : 0
            pending = found.days.filter { bounds.first <= $0 && $0 <= bounds.last }
            if isAscending { pending.reverse() }
            period += isAscending ? 1 : -1
        }
        return pending.removeLast()
    }
}
