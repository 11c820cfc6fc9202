import Bytes
import Foundation
import Testing

@testable import SookeModel

/// Random schedules: what is computed with spans of days equals what the rules say minute by minute.
@Suite struct OpeningHoursPropertyTests {
    private static let utc = SookeModel.TimeZone(name: "UTC", fixedOffset: 0)
    /// `SOOKE_HOURS_SCHEDULES=10000 swift test --filter OpeningHoursPropertyTests` tries that many.
    private static let count = ProcessInfo.processInfo.environment["SOOKE_HOURS_SCHEDULES"].flatMap { Int($0) } ?? 150

    @Test func everyMinute() throws {
        var random = SplitMix64(seed: 20_261_124)
        for _ in 0..<Self.count {
            let rules = (0...random.below(4)).map { _ in Self.rule(&random) }
            let hours = OpeningHours(rules: rules)
            #expect(try OpeningHours(hours.text).rules == rules, "\(hours.text)")
            let day = 20_454 + random.below(800)
            try compare(hours, rules, from: day * 1440 + random.below(1440), minutes: 4 * 1440, &random)
        }
    }

    /// Compares each change in some minutes, and the state at random ones of them.
    private func compare(
        _ hours: OpeningHours, _ rules: [HoursRule], from start: Int, minutes: Int, _ random: inout SplitMix64
    ) throws {
        var moment = start
        while moment < start + minutes {
            let state = hours.state(at: Timestamp(seconds: moment * 60), in: Self.utc, .britishColumbia)
            let status = Self.status(rules, at: moment)
            #expect(state.status == status, "\(hours.text) at \(Timestamp(seconds: moment * 60).rfc3339)")
            // Until the next change, or for a day, nothing changes.
            let end = min(state.until.map { $0.seconds / 60 } ?? moment + 1440, moment + 1440)
            let wrong = (moment..<end).first { Self.status(rules, at: $0) != status }
            #expect(wrong == nil, "\(hours.text) after \(Timestamp(seconds: moment * 60).rfc3339)")
            if let until = state.until {
                #expect(Self.status(rules, at: until.seconds / 60) != status, "\(hours.text) at \(until.rfc3339)")
            }
            if status != .open, let next = state.nextOpening {
                #expect(Self.status(rules, at: next.seconds / 60) == .open, "\(hours.text) at \(next.rfc3339)")
                let early = (moment..<min(next.seconds / 60, moment + 1440)).first {
                    Self.status(rules, at: $0) == .open
                }
                #expect(early == nil, "\(hours.text) opens before \(next.rfc3339)")
            }
            moment = end
        }
    }

    /// What the rules say of a minute, without spans: the last rule that names it decides, and a rule that replaces
    /// others ends them on its days.
    private static func status(_ rules: [HoursRule], at minute: Int) -> OpenState.Status {
        let (day, time) = (minute.quotient(roundedDownBy: 1440), minute - minute.quotient(roundedDownBy: 1440) * 1440)
        return status(rules, on: day, time) ?? status(rules, on: day - 1, time + 1440) ?? .closed
    }

    private static func status(_ rules: [HoursRule], on day: Int, _ time: Int) -> OpenState.Status? {
        let date = CivilDate(daysSinceEpoch: day)
        let isHoliday = Holidays.britishColumbia.name(on: date) != nil
        var status: OpenState.Status?
        for rule in rules where rule.contains(date, isHoliday: isHoliday) {
            let isNamed = (rule.times.isEmpty ? [TimeSpan(0, 1440)] : rule.times).contains {
                $0.start <= time && time < $0.end
            }
            switch rule.kind {
            case .closed: if isNamed { status = nil }
            case .open: status = isNamed ? .open : rule.isAdditional ? status : nil
            case .unknown: status = isNamed ? .unknown : rule.isAdditional ? status : nil
            }
        }
        return status
    }

    // MARK: - Random rules

    private static func rule(_ random: inout SplitMix64) -> HoursRule {
        var rule = HoursRule()
        // In the text one year before a date belongs to the date.
        if random.once(in: 8) { rule.years = [2026...2027] }
        if random.once(in: 4) { rule.dates = [DateSpan(day(&random), day(&random))] }
        if random.once(in: 10) {
            rule.weeks = [WeekSpan(1 + random.below(20)...30 + random.below(20), step: 1 + random.below(3))]
        }
        if random.once(in: 2) { rule.weekdays = [weekday(&random)] }
        if random.once(in: 6) { rule.isOnHolidays = true }
        rule.times = (0..<random.below(3)).map { _ in time(&random) }
        rule.kind = random.once(in: 5) ? .closed : random.once(in: 8) ? .unknown : .open
        return rule
    }

    private static func day(_ random: inout SplitMix64) -> DateSpan.Day {
        DateSpan.Day(month: 1 + random.below(12), day: 1 + random.below(28))
    }

    private static func weekday(_ random: inout SplitMix64) -> WeekdaySpan {
        if random.once(in: 5) {
            let day = random.below(7)
            return WeekdaySpan(day, day, ordinals: [random.once(in: 2) ? 1 + random.below(5) : -1 - random.below(5)])
        }
        return WeekdaySpan(random.below(7), random.below(7))
    }

    private static func time(_ random: inout SplitMix64) -> TimeSpan {
        let start = random.below(48) * 30
        return TimeSpan(start, start + 30 + random.below(47) * 30)
    }
}
