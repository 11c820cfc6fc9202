import Bytes
import SookeModel
import Store

package struct ConfirmationsDue: Sendable {
    package enum Reason: String, ChoiceValue {
        /// Nobody has confirmed them for a year.
        case year
        /// Nobody has confirmed their hours of the next public holiday.
        case holiday
    }

    /// Those that were not confirmed for the longest time first, those that never were by name.
    package let page: Page<BusinessRecord>
    /// Within 30 days; nil when there is none.
    package let holiday: (name: String, date: CivilDate)?

    /// How long a confirmation counts.
    static let days = 365
    /// How long before a holiday its hours are to be confirmed.
    static let daysBeforeHoliday = 30
}

extension TownService {
    /// Of the businesses that the caller may edit.
    package func confirmationsDue(
        _ reason: ConfirmationsDue.Reason, page request: PageRequest, for caller: Caller, in town: Town
    ) -> ConfirmationsDue {
        let now = clock()
        let clocks = clocks(of: town)
        let holiday = clocks.nextHoliday(from: clocks.zone.localDate(at: now).date)
        let isEditor = caller.isEditor(in: town)
        let person = caller.person(in: town)
        let days = reason == .year ? ConfirmationsDue.days : ConfirmationsDue.daysBeforeHoliday
        let limit = now.advanced(bySeconds: -days * 86_400)
        var known: [String: Bool] = [:]
        guard isEditor || person.map({ $0.role != .generalUser }) ?? false else {
            return ConfirmationsDue(page: Page(of: [], request), holiday: holiday)
        }
        let due = town.listedBusinesses.filter { business in
            guard isEditor || person.map(business.isManaged) ?? false else { return false }
            guard business.confirmedAt.map({ $0 < limit }) ?? true else { return false }
            return reason == .year || holiday.map { business.hasRegularHours(onHoliday: $0.date, &known) } ?? false
        }
        return ConfirmationsDue(page: Page(of: due.sortedByConfirmation, request), holiday: holiday)
    }

}

extension TownClocks {
    fileprivate func nextHoliday(from today: CivilDate) -> (name: String, date: CivilDate)? {
        for day in 0...ConfirmationsDue.daysBeforeHoliday {
            let date = today.advanced(by: day)
            if let name = holidays.name(on: date) { return (name, date) }
        }
        return nil
    }
}

extension [BusinessRecord] {
    /// Those that were never confirmed stay in their order.
    fileprivate var sortedByConfirmation: [BusinessRecord] {
        let earliest = Timestamp.beginningOfTime
        return sorted { ($0.confirmedAt ?? earliest) < ($1.confirmedAt ?? earliest) }
    }
}
