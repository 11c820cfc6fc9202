/// The days of a rule from a day on, in ascending or descending order.
///
/// It ends where the calendar has repeated without an occurrence: that bounds the work for any rule.
struct RecurrenceDays: IteratorProtocol {
    private let pattern: RecurrencePattern
    private let bounds: (first: Int, last: Int)
    private let isAscending: Bool
    private var period: Int
    /// The period with the last day.
    private let lastPeriod: Int
    /// The days of one period that are still to come; the next one is the last.
    private var pending: [Int] = []
    private var emptyPeriods = 0
    /// How many days were tested.
    private(set) var tested = 0

    /// The days from a day through another, or to the end of the calendar.
    init(of pattern: RecurrencePattern, from first: Int, through last: Int?) {
        self.pattern = pattern
        bounds = (max(first, pattern.startDay), last ?? .max)
        isAscending = true
        period = max(pattern.period(of: bounds.first), 0)
        lastPeriod = last.map(pattern.period(of:)) ?? .max
    }

    /// The days from a day backwards.
    init(of pattern: RecurrencePattern, backFrom last: Int) {
        self.pattern = pattern
        bounds = (pattern.startDay, min(last, RecurrencePattern.lastDay))
        isAscending = false
        period = pattern.period(of: bounds.last)
        lastPeriod = period
    }

    mutating func next() -> Int? {
        while pending.isEmpty {
            guard 0...max(lastPeriod, 0) ~= period, emptyPeriods < pattern.cycle, let found = pattern.days(in: period)
            else { return nil }
            tested += found.tested
            emptyPeriods = found.days.isEmpty ? emptyPeriods + 1 : 0
            pending = found.days.filter { bounds.first <= $0 && $0 <= bounds.last }
            if isAscending { pending.reverse() }
            period += isAscending ? 1 : -1
        }
        return pending.removeLast()
    }
}
