import Bytes
import Foundation
import Testing

@testable import SookeModel

/// Random schedules: the intervals of a schedule are those of its rules painted minute by minute, for a year in the long
/// run, and for two months with a leap day and three changes of clocks in the short one.
@Suite struct OpeningHoursPropertyTests {
    /// `SOOKE_HOURS_SCHEDULES=10000 swift test --filter OpeningHoursPropertyTests` tries that many.
    private static let wanted = ProcessInfo.processInfo.environment["SOOKE_HOURS_SCHEDULES"].flatMap { Int($0) }
    private static let count = wanted ?? 24
    /// From 2027-06-01 or 2028-02-15.
    private static let (firstDay, dayCount) = wanted == nil ? (21_229, 61) : (20_970, 366)

    @Test(arguments: ["UTC", "America/Vancouver", "Australia/Lord_Howe", "Europe/Berlin"])
    func everyMinute(of zone: String) throws {
        var random = SplitMix64(seed: 20_261_124)
        let zone = zone == "UTC" ? TimeZone(name: "UTC", fixedOffset: 0) : try TimeZoneTests.zone(zone)
        let clocks = PaintedHours.Clocks(zone, firstDay: Self.firstDay, dayCount: Self.dayCount)
        let dates = Set(try HolidaysTests.dates(of: "CA-BC").map(\.date))
        for number in 0..<Self.count / 4 {
            let rules = (0...random.below(5)).map { _ in RandomRules.rule(&random) }
            let special = number.isMultiple(of: 3) ? (0...random.below(3)).map { _ in RandomRules.dated(&random) } : []
            let base = OpeningHours(rules: rules)
            #expect(try OpeningHours(base.text).rules == rules, "\(base.text)")
            let painted = PaintedHours(rules + special, clocks, dates)
            let text = OpeningHours(rules: rules + special).text
            try compare(OpeningSchedule(base: base, special: special), painted, text, &random)
        }
    }

    private func compare(
        _ schedule: OpeningSchedule, _ painted: PaintedHours, _ text: String, _ random: inout SplitMix64
    ) throws {
        func state(at minute: Int) -> OpenState {
            schedule.state(at: Timestamp(clampingSeconds: minute * 60), in: painted.clocks.zone, .britishColumbia)
        }
        func base(_ state: OpenState) -> OpenState.Status {
            state.isOpen.map { $0 ? .open : .closed } ?? .unknown
        }
        var minute = painted.first
        while minute < painted.end {
            let (state, status) = (state(at: minute), painted.status(at: minute))
            let name = "\(text) at \(Timestamp(clampingSeconds: minute * 60).rfc3339)"
            #expect(base(state) == status, "\(name)")
            guard let change = painted.nextChange(after: minute) else {
                #expect(state.until.map { $0.seconds / 60 >= painted.end } ?? true, "\(name)")
                break
            }
            let isUnsure = painted.paint[change - 1 - painted.first] == .unsure
            #expect(state.until == (isUnsure ? nil : Timestamp(clampingSeconds: change * 60)), "\(name)")
            let from = status == .open ? change : minute
            if let opening = painted.opening(from: from) {
                #expect(state.nextOpening == Timestamp(clampingSeconds: opening * 60), "\(name)")
            }
            try compareBetween(minute, change, schedule, painted, name, &random)
            minute = change
        }
    }

    /// Between two changes the state stays, except for what is soon, as long as it says that it is valid.
    private func compareBetween(
        _ minute: Int, _ change: Int, _ schedule: OpeningSchedule, _ painted: PaintedHours, _ name: String,
        _ random: inout SplitMix64
    ) throws {
        let time = Timestamp(clampingSeconds: (minute + random.below(change - minute)) * 60)
        let moment = HoursMoment(at: time, in: painted.clocks.zone, .britishColumbia)
        let state = schedule.state(at: moment)
        #expect(schedule.status(at: moment) == painted.status(at: minute), "\(name): \(time.rfc3339)")
        #expect(schedule.isOpen(at: moment) == (painted.status(at: minute) == .open), "\(name): \(time.rfc3339)")
        let soon = [state.until, state.nextOpening].contains { moment in
            moment.map { $0.seconds - time.seconds <= 3600 } ?? false
        }
        #expect(soon || [.open, .closed, .unknown].contains(state.status), "\(name): \(time.rfc3339)")
        if let valid = state.validUntil {
            #expect(valid > time && valid.seconds / 60 <= change, "\(name): \(time.rfc3339)")
            let late = Timestamp(microseconds: valid.microseconds - 1)
            #expect(schedule.state(at: late, in: moment.zone, moment.holidays) == state, "\(name): \(late.rfc3339)")
        }
    }
}
