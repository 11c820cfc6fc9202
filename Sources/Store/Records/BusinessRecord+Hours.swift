import Bytes
import JSON
import SookeModel
import Synchronization

/// The hours of a business. What follows from them is computed when it is first needed: a start does not need it.
extension BusinessRecord {
    var hours: BusinessHours {
        lazyHours.load() ?? lazyHours.storeIfNil(BusinessHours(value))
    }

    /// Whether it opens as usual on a public holiday of which nobody has said anything.
    package func isUnconfirmed(on date: CivilDate, at clock: OpenHoursClock) -> Bool {
        openDay(on: date, at: clock).unconfirmed != nil
    }

    /// The hours of a date by the regular hours alone; nil when they, or their end, are not known.
    package func usualTimes(on date: CivilDate, at clock: OpenHoursClock) -> [TimeSpan]? {
        let schedule = OpeningSchedule(week: value.hours, text: value.openingHours, special: [])
        let day = schedule.day(date, around: clock.moment(in: timeZone) ?? clock.moment)
        return day.isKnown && !day.spans.contains(where: \.isOpenEnded)
            ? day.spans.map { TimeSpan($0.start, $0.end) } : nil
    }

    func checkedText(at clock: OpenHoursClock) -> String? {
        confirmedAt.map { ElapsedTime.text(from: $0, to: clock.moment.timestamp, in: clock.moment.zone) }
    }

    package var confirmedAt: Timestamp? { value.confirmedAt }

    /// Whether the business is open; not when its hours are not known.
    package func isOpen(at clock: OpenHoursClock) -> Bool { hours.openness(at: clock)?.isOpen ?? false }

    package func openState(at clock: OpenHoursClock) -> OpenState {
        // Most are on the clocks of the town, whose time is not copied.
        guard let timeZone else { return hours.schedule.state(at: clock.moment) }
        return clock.moment(in: timeZone).map { hours.schedule.state(at: $0) } ?? .unknown
    }

    package var hasSameHoursEachWeek: Bool { hours.schedule.isSameEachWeek }

    package func usualSpans(_ dayOfWeek: Int) -> [OpenDay.Span] { hours.schedule.usualSpans(dayOfWeek) }

    package func openDay(on date: CivilDate, at clock: OpenHoursClock) -> OpenDay {
        hours.schedule.day(date, around: clock.moment(in: timeZone) ?? clock.moment)
    }

    /// Appends them with a comma before each.
    @inline(__always)
    func appendTimedMembers(to object: inout [UInt8], at time: inout ListTime) {
        // The clock is not passed on before it is needed: a copy of it is a dozen references.
        let (moment, today) = (time.clock.moment.timestamp, time.dayOfWeek)
        let generation = time.clock.generation
        if timedMembers.append(to: &object, at: moment, today: today, generation, &time.validUntil) { return }
        // Another thread may store those of another time meanwhile.
        let entry = computedMembers(at: time.clock, today: today)
        timedMembers.store(entry)
        entry.append(to: &object, &time.validUntil)
    }

    @inline(never)
    private func computedMembers(at clock: OpenHoursClock, today: Int) -> TimedMembers.Entry {
        let state = openState(at: clock)
        var members = [UInt8](",")
        members.append { writer in
            writer.key("today_hours")
            if let row = value.hours.row(of: today) { row.writeShown(to: &writer) } else { writer.null() }
            writer.key("open_state")
            writer.write(state)
            writer.member("confirmed_at", value.confirmedAt)
        }
        return TimedMembers.Entry(
            from: clock.moment.timestamp, until: state.validUntil ?? Timestamp.endOfTime, today: today,
            generation: clock.generation, members: members)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ state: OpenState) {
        beginObject()
        member("status", state.status.rawValue)
        member("until", state.end)
        member("next_open", state.nextOpening)
        member("reason", state.reason.rawValue)
        member("comment", state.comment.isEmpty ? nil : state.comment)
        if let holiday = state.unconfirmed {
            key("unconfirmed")
            beginObject()
            member("holiday", holiday)
            endObject()
        }
        endObject()
    }
}

final class BusinessHours: Sendable {
    let timeZone: String?
    let schedule: OpeningSchedule

    init(_ business: Business) {
        schedule = OpeningSchedule(
            week: business.hours, text: business.openingHours, special: business.specialHours,
            holidays: business.publicHolidays)
        timeZone = business.timeZone
    }

    func openness(at clock: OpenHoursClock) -> OpeningSchedule.Openness? {
        guard let timeZone else { return schedule.openness(at: clock.moment) }
        return clock.moment(in: timeZone).map { schedule.openness(at: $0) }
    }
}
