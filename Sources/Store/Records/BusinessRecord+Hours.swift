import Bytes
import JSON
import SookeModel
import Synchronization

/// The hours of a business. What follows from them is computed when it is first needed: a start does not need it.
extension BusinessRecord {
    /// The weekly hours.
    var hours: [DayHours] { (0..<text.dayCount).map { text.day($0).value } }

    /// The hours in the syntax of OpenStreetMap, as given or made from the weekly hours; nil when there are none.
    var openingHours: String? {
        if let text = rare?.openingHours { return text }
        if text.dayCount == 0 { return nil }
        if let text = lazyOpeningHours.load() { return text.value }
        return lazyOpeningHours.storeIfNil(Boxed(OpeningHours(week: hours).text)).value
    }

    /// All hours, compiled.
    var schedule: Boxed<OpeningSchedule> { lazySchedule.load() ?? lazySchedule.storeIfNil(compiledSchedule) }

    private var compiledSchedule: Boxed<OpeningSchedule> {
        let (text, special) = (rare?.openingHours, rare?.specialHours ?? [])
        func compile() -> OpeningSchedule { OpeningSchedule(week: hours, text: text, special: special) }
        if !special.isEmpty { return Boxed(compile()) }
        let rows = (0..<self.text.dayCount).map { self.text.day($0).times }
        return SharedSchedules.all.schedule(of: SharedSchedules.Key(rows: rows, text: text), compile)
    }

    /// Compiles the hours, so that the first question for what is open does not have to.
    func compileHours() { _ = schedule }

    /// Whether its regular hours would count on a holiday, because no other hours say what holds then.
    ///
    /// - Parameter known: the answers for texts of opening hours, which many businesses share.
    public func hasRegularHours(onHoliday date: CivilDate, _ known: inout [String: Bool]) -> Bool {
        if HoursRule.special(rare?.specialHours ?? []).contains(where: { $0.names(holiday: date) }) { return false }
        // The rows of a week name no dates.
        guard let text = rare?.openingHours else { return self.text.dayCount > 0 }
        if let isRegular = known[text] { return isRegular }
        let rules = (try? OpeningHours(text))?.rules
        let isRegular = rules.map { !$0.contains { $0.names(holiday: date) } } ?? false
        known[text] = isRegular
        return isRegular
    }

    /// How long ago that was, for people; nil when nobody has.
    func checkedText(at clock: OpenHoursClock) -> String? {
        confirmedAt.map { ElapsedTime.text(from: $0, to: clock.moment.timestamp, in: clock.moment.zone) }
    }

    /// When somebody last confirmed that its hours and data are right.
    public var confirmedAt: Timestamp? { rare?.confirmedAt }

    /// Whether the business is open; not when its hours are not known.
    public func isOpen(at clock: OpenHoursClock) -> Bool {
        clock.moment(in: rare?.timeZone).map { schedule.value.isOpen(at: $0) } ?? false
    }

    /// Whether the business is open, until when, and why.
    public func openState(at clock: OpenHoursClock) -> OpenState {
        clock.moment(in: rare?.timeZone).map { schedule.value.state(at: $0) } ?? .unknown
    }

    /// Appends the members of responses that depend on the clock, with a comma before them.
    @inline(__always)
    func appendOpenState(to object: inout [UInt8], at time: inout ListTime) {
        // The clock is not passed on before it is needed: a copy of it is a dozen references.
        if openStates.append(to: &object, at: time.clock.moment.timestamp, &time.validUntil) { return }
        // Another thread may store those of another moment meanwhile.
        let entry = computedOpenState(at: time.clock)
        openStates.store(entry)
        entry.append(to: &object, &time.validUntil)
    }

    @inline(never)
    private func computedOpenState(at clock: OpenHoursClock) -> OpenStateCache.Entry {
        let state = openState(at: clock)
        var members = [UInt8](",")
        members.append { writer in
            writer.key("open_state")
            writer.write(state)
            writer.member("confirmed_at", rare?.confirmedAt)
        }
        return OpenStateCache.Entry(
            from: clock.moment.timestamp, until: state.validUntil ?? Timestamp(microseconds: .max), members: members)
    }
}

/// A value that is computed when it is first needed.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ state: OpenState) {
        beginObject()
        member("status", state.status.rawValue)
        member("until", state.until)
        member("next_open", state.nextOpening)
        member("reason", state.reason.rawValue)
        member("comment", state.comment.isEmpty ? nil : state.comment)
        endObject()
    }
}
