import Bytes

/// Compiles rules into plans, as `OpeningSchedule` describes them.
struct ScheduleCompiler {
    private(set) var plans = SchedulePlans()
    private(set) var planner: DayPlanner

    private let rules: [HoursRule]
    /// The rules for which there are patterns.
    private let patterned: [Int]
    /// The plans and patterns that were appended, to be found again.
    private var known: [(rules: [Int], isHoliday: Bool, place: Int)] = []
    private var patterns: [[UInt16]: Int] = [:]
    private var patternCount = 0

    /// The most patterns that are computed.
    private static let mostPatterns = 500
    /// Leap days are 8 years apart at most.
    private static let years = 9

    init(_ rules: [HoursRule]) {
        self.rules = rules
        patterned = rules.indices.filter { !rules[$0].isCounted }
        planner = DayPlanner(rules, plansEachDay: false)
    }

    /// Makes the plans; too many dates are left to the planner.
    mutating func compile() {
        if patterned.contains(where: { rules[$0].isOnHolidays }) { plans.traits.insert(.holidays) }
        let bounds = (days: dayBounds(), monthDays: monthDayBounds())
        if bounds.days.isEmpty, bounds.monthDays.isEmpty {
            compileWeek()
        } else if !compile(bounds.days, bounds.monthDays) {
            plans = SchedulePlans()
            planner = DayPlanner(rules, plansEachDay: true)
        }
    }

    // MARK: - Each week the same

    private mutating func compileWeek() {
        let count = plans.traits.contains(.holidays) ? 14 : 7
        plans.words = Array(repeating: 0, count: count)
        let pattern = pattern(of: patterned)
        plans.words.replaceSubrange(0..<count, with: pattern)
        let first = Int(pattern[0])
        let isWhole =
            plans.words[first] == 0
            || plans.words[first] == 1 && plans.words[first + 2] == 0 && plans.words[first + 3] == 1440
        if !planner.isNeeded, isWhole, pattern.allSatisfy({ $0 == pattern[0] }) { plans.traits.insert(.isConstant) }
    }

    /// The places of the plans by day of the week, appended if need be.
    ///
    /// - Parameter candidates: the rules that hold on the date, if they do on the day of the week.
    private mutating func pattern(of candidates: [Int]) -> [UInt16] {
        let isHolidayOrNot = plans.traits.contains(.holidays) ? [false, true] : [false]
        return isHolidayOrNot.flatMap { isHoliday in
            (0..<7).map { dayOfWeek in
                let indexes = candidates.filter { rules[$0].containsDay(dayOfWeek, isHoliday: isHoliday) }
                if let plan = known.first(where: { $0.rules == indexes && $0.isHoliday == isHoliday }) {
                    return UInt16(plan.place)
                }
                let place = planner.append(indexes, isHoliday: isHoliday, to: &plans.words)
                known.append((indexes, isHoliday, place))
                // Too large a place is never read: `compile` gives up.
                return UInt16(truncatingIfNeeded: place)
            }
        }
    }

    // MARK: - Dates

    /// The days since 1970 on which rules with years begin or have ended.
    private func dayBounds() -> [Int] {
        var bounds: Set<Int> = []
        func insert(_ year: Int, _ monthDay: Int) {
            guard year < HoursRule.lastYear else { return }
            bounds.insert(CivilDate.first(in: year, from: monthDay).daysSinceEpoch)
        }
        for rule in patterned.map({ rules[$0] }) {
            for years in rule.years {
                insert(years.lowerBound, CivilDate.monthDay(1, 1))
                insert(years.upperBound, CivilDate.monthDay(12, 32))
            }
            for span in rule.dates {
                guard let years = span.years else { continue }
                insert(years.first, span.start.first)
                insert(years.last, span.end.last + 1)
            }
        }
        return bounds.sorted()
    }

    /// The days of each year on which rules without years begin or have ended, as `CivilDate.monthDay`.
    private func monthDayBounds() -> [Int] {
        let spans = patterned.flatMap { rules[$0].dates }.filter { $0.years == nil }
        return Set(spans.flatMap { [$0.start.first, $0.end.last + 1] }).sorted()
    }

    /// Makes patterns for the times between the bounds; false when there would be too many.
    private mutating func compile(_ days: [Int], _ monthDays: [Int]) -> Bool {
        plans.traits.insert(.seasons)
        // What is before the first bound has no first day; a time before it has all seasons.
        let origin = (days.first ?? 0) - Self.years * 366
        let ages = [origin] + days
        plans.words = [UInt16(ages.count)] + Array(repeating: 0, count: ages.count * 3)
        var seasonsPlaces: [[UInt16]: Int] = [:]
        for (index, first) in ages.enumerated() {
            guard let seasons = seasons(from: first, to: index < days.count ? days[index] : nil, monthDays) else {
                return false
            }
            let place = seasonsPlaces[seasons] ?? plans.words.count
            if place == plans.words.count {
                plans.words += seasons
                seasonsPlaces[seasons] = place
            }
            let day = UInt32(bitPattern: Int32(truncatingIfNeeded: first))
            plans.words[1 + index * 3] = UInt16(day >> 16)
            plans.words[2 + index * 3] = UInt16(truncatingIfNeeded: day)
            plans.words[3 + index * 3] = UInt16(truncatingIfNeeded: place)
            guard plans.words.count <= SchedulePlans.mostWords else { return false }
        }
        return true
    }

    /// The seasons of an age: their number, then the first day and the place of the pattern of each; nil for too many.
    private mutating func seasons(from first: Int, to end: Int?, _ monthDays: [Int]) -> [UInt16]? {
        var seasons: [Int: UInt16] = [:]
        for day in Self.startsOfSeasons(from: first, to: end, monthDays) {
            let date = CivilDate(daysSinceEpoch: day)
            let season = monthDays.last { $0 <= date.monthDay } ?? monthDays.last ?? 0
            guard seasons[season] == nil else { continue }
            patternCount += 1
            guard patternCount <= Self.mostPatterns, plans.words.count <= SchedulePlans.mostWords else { return nil }
            let pattern = pattern(of: patterned.filter { rules[$0].containsDate(date) })
            let place = patterns[pattern] ?? plans.words.count
            if place == plans.words.count {
                plans.words += pattern
                patterns[pattern] = place
            }
            seasons[season] = UInt16(truncatingIfNeeded: place)
        }
        var words: [UInt16] = [0]
        for (season, place) in seasons.sorted(by: { $0.key < $1.key }) where words[0] == 0 || place != words.last {
            words[0] += 1
            words += [UInt16(season), place]
        }
        return words
    }

    /// A day of each season between two days.
    private static func startsOfSeasons(from first: Int, to end: Int?, _ monthDays: [Int]) -> [Int] {
        let year = CivilDate(daysSinceEpoch: first).year
        let last = min(year + years, end.map { CivilDate(daysSinceEpoch: $0).year } ?? .max)
        let starts = (year...last).lazy.flatMap { year in
            monthDays.lazy.map { CivilDate.first(in: year, from: $0).daysSinceEpoch }
        }
        return [first] + starts.filter { first < $0 && $0 < end ?? .max }
    }
}
