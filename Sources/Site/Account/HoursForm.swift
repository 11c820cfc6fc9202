import Bytes
import Dispatcher
import Service
import SookeModel
import Store

/// The hours of a business as a form shows them, and what its texts make of them.
///
/// What the form cannot show stays as it is: a rule that is more than a week is a text of its own, and days that nobody
/// touched keep their rows.
struct HoursForm {
    struct Holiday {
        let date: CivilDate
        let name: String

        var field: String { "holiday.\(date.text)" }
    }

    static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    static let (rule, standing) = ("opening_hours", "public_holidays")

    let holidays: [Holiday]
    private let has24Hours: Bool

    /// The days from today on that belong to the holidays ahead, how many of those are shown, and how many at most of
    /// those that are asked for together.
    private static let (ahead, mostHolidays, mostAsked) = (250, 5, 12)

    init(_ view: View) { self.init(view.call, in: view.town) }

    init(_ call: Call, in town: Town) {
        let now = call.service.openHoursClock(of: town, at: call.now).moment
        self.init(now, has24Hours: town.settings.has24Hours)
    }

    init(_ now: HoursMoment, has24Hours: Bool) {
        self.has24Hours = has24Hours
        let asked = now.holidays(within: ConfirmationsDue.daysAhead).prefix(Self.mostAsked)
        holidays = now.holidays(within: Self.ahead).prefix(max(Self.mostHolidays, asked.count))
            .map { Holiday(date: $0.date, name: $0.name) }
    }

    // MARK: - As the form shows them

    static func isWeek(_ value: Business) -> Bool { week(of: value) != nil }

    /// The times of each day from Monday on; nil for hours that are more than a week.
    private static func week(of value: Business) -> [[TimeSpan]?]? {
        if let text = value.openingHours { return (try? OpeningHours(text))?.withoutClosedHolidays.days }
        return days.indices.map { DayHours.times(of: rows(of: $0, in: value)) }
    }

    private static func rows(of day: Int, in value: Business) -> [DayHours] {
        value.hours.filter { $0.dayOfWeek == (day + 1) % 7 }
    }

    func texts(of business: BusinessRecord) -> [(name: String, text: String)] {
        let value = business.value
        let week = Self.week(of: value)
        let usual =
            if let week {
                zip(Self.days, week).map { (name: $0, text: $1.map(text) ?? "") }
            } else {
                [(name: Self.rule, text: value.openingHours ?? "")]
            }
        return usual + [(Self.standing, Self.standing(of: value)?.rawValue ?? "")]
            + holidays.map { ($0.field, text(on: $0.date, in: value)) }
    }

    /// What the record says of all holidays, or its hours do.
    private static func standing(of value: Business) -> Business.PublicHolidays? {
        value.holidayRule?.isClosedHoliday == true ? .closed : value.publicHolidays
    }

    func text(of rows: [SpecialHours]) -> String {
        text(of: rows.filter { !$0.isClosed }.map { TimeSpan($0.opens, $0.closes) })
    }

    private func text(of times: [TimeSpan]) -> String { HoursNotation.text(of: times, has24Hours: has24Hours) }

    func usualText(on date: CivilDate, of business: BusinessRecord, at clock: OpenHoursClock) -> String? {
        business.usualTimes(on: date, at: clock).map(text)
    }

    func text(on date: CivilDate, in value: Business) -> String {
        let rows = value.specialHours.filter { $0.from == date && $0.to == date && $0.notice == nil }
        if rows.isEmpty { return "" }
        return text(of: rows)
    }

    // MARK: - What the texts make of them

    func patch(_ changes: [String: String], of business: BusinessRecord, _ others: OtherDays) throws -> Patch<Business>
    {
        var (patch, problems) = (Patch<Business>(), FieldProblems())
        let value = business.value
        if let text = changes[Self.rule] { Self.set(rule: text, &patch, &problems) }
        if let text = changes[Self.standing] {
            patch.values.publicHolidays = Business.PublicHolidays(named: text)
            patch.fields.insert(Self.standing)
        }
        set(days: changes, of: value, &patch, &problems)
        var special = value.specialHours
        for holiday in holidays {
            guard let text = changes[holiday.field] else { continue }
            let reason = special.first { $0.from == holiday.date && $0.to == holiday.date }?.reason ?? holiday.name
            special.removeAll { $0.from == holiday.date && $0.to == holiday.date && $0.notice == nil }
            if text.isEmpty { continue }
            let times = times(text, holiday.field, &problems)
            special += SpecialHours.rows(of: times, from: holiday.date, to: holiday.date, reason: reason)
        }
        others.apply(to: &special, self, &problems)
        if !problems.isEmpty { throw FormRefusal(problems) }
        if special != value.specialHours {
            patch.values.specialHours = special
            patch.fields.insert("special_hours")
        }
        return patch
    }

    private static func set(rule text: String, _ patch: inout Patch<Business>, _ problems: inout FieldProblems) {
        do throws(OpeningHoursError) {
            patch.values.openingHours = text.isEmpty ? nil : try HoursNotation.text(ofCell: text)
            if HoursNotation.opensOnHolidays(inCell: text) {
                patch.values.publicHolidays = .asUsual
                patch.fields.insert(standing)
            }
            // Without a rule nothing is known.
            patch.fields.formUnion(text.isEmpty ? ["opening_hours", "hours"] : ["opening_hours"])
        } catch {
            problems.add(rule, advice(error, about: text))
        }
    }

    private func set(
        days changes: [String: String], of value: Business, _ patch: inout Patch<Business>,
        _ problems: inout FieldProblems
    ) {
        // The text goes, and what it said of holidays stays unless that is what changes.
        let hasText = value.openingHours != nil && changes[Self.standing] != nil
        guard var week = Self.week(of: value), hasText || Self.days.contains(where: { changes[$0] != nil }) else {
            return
        }
        if changes[Self.standing] == nil, let answer = Self.standing(of: value) {
            patch.values.publicHolidays = answer
            patch.fields.insert(Self.standing)
        }
        var rows = value.openingHours == nil ? Self.days.indices.map { Self.rows(of: $0, in: value) } : []
        for (index, name) in Self.days.enumerated() {
            guard let text = changes[name] else { continue }
            week[index] = text.isEmpty ? nil : times(text, name, &problems)
            if !rows.isEmpty { rows[index] = week[index].map { DayHours.rows(of: $0, on: (index + 1) % 7) } ?? [] }
        }
        // Rows have no open end, such as "5 pm - late".
        if week.contains(where: { $0?.contains(where: \.isOpenEnded) ?? false }) {
            patch.values.openingHours = OpeningHours(days: week).text
            patch.fields.insert("opening_hours")
            return
        }
        if rows.isEmpty {
            rows = week.enumerated().map { day, times in times.map { DayHours.rows(of: $0, on: (day + 1) % 7) } ?? [] }
        }
        patch.values.hours = rows.flatMap(\.self)
        patch.fields.insert("hours")
    }

    func times(_ text: String, _ field: String, _ problems: inout FieldProblems) -> [TimeSpan] {
        do throws(OpeningHoursError) {
            return try HoursNotation.times(text, has24Hours: has24Hours)
        } catch {
            problems.add(field, Self.advice(error, about: text))
            return []
        }
    }

    private static func advice(_ error: OpeningHoursError, about text: String) -> String {
        guard error.advice == nil, error.expected.hasPrefix("\"am\" or \"pm\"") else {
            let advice = error.advice.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return advice ?? "We could not read “\(text.excerpt())”. \(example(for: text))"
        }
        let numbers = text.split(separator: "-").map { $0.filter { !$0.isWhitespace } }
        let isPlain =
            numbers.count == 2 && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isNumber || $0 == ":" } }
        let example = isPlain ? "\(numbers[0]) am to \(numbers[1]) pm" : "7 am to 11 pm"
        return "“\(text.excerpt())” could be the morning or the evening. Write it with am and pm, such as “\(example)”"
    }

    private static func example(for text: String) -> String {
        let isAlone = (try? HoursNotation.times("\(text) - late")) != nil
        return isAlone
            ? "Give both times, such as 10am–6pm" : "Write the times as on the door, such as 11:30-2, 5-10, or “closed”"
    }
}

/// Special days other than the holidays ahead: which are removed, and what is added.
struct OtherDays {
    /// The first and the last day of some rows, as in the name of the box that removes them.
    struct Span: Hashable {
        let from: CivilDate
        let to: CivilDate?

        init?(_ row: SpecialHours) {
            guard let from = row.from else { return nil }
            (self.from, to) = (from, row.to)
        }

        var field: String { "remove.\(from.text).\(to?.text ?? "")" }
    }

    static let (special, closed, other, hours) = ("special", "closed", "other", ".hours")
    static let usual = "usual"

    private let removed: Set<ByteText>
    private let added: (from: String, to: String, hours: String, reason: String)

    init(_ sent: Submission) {
        removed = Set(sent.fields.lazy.map(\.name).filter { $0.hasPrefix("remove.") }.map(ByteText.init))
        added = (sent["from"] ?? "", sent["to"] ?? "", sent[Self.special] ?? "", sent["reason"] ?? "")
    }

    var isEmpty: Bool { removed.isEmpty && !isAdded }

    /// Whether days are added. That they are closed is chosen before anyone writes something.
    var isAdded: Bool {
        ![added.from, added.to, added.reason].allSatisfy(\.isEmpty)
            || !added.hours.isEmpty && added.hours != Self.closed
    }

    func apply(to rows: inout [SpecialHours], _ form: HoursForm, _ problems: inout FieldProblems) {
        rows.removeAll { row in Span(row).map { removed.contains(ByteText($0.field)) } ?? false }
        guard isAdded else { return }
        guard let from = CivilDate(added.from) else { return problems.add("from", "Choose the first day") }
        let to = added.to.isEmpty ? from : CivilDate(added.to)
        guard let to, to >= from else { return problems.add("to", EventForm.lastBeforeFirst) }
        if added.hours.isEmpty { return problems.add(Self.special, "Enter the hours, such as 11-3, or “closed”") }
        let times = form.times(added.hours, Self.special, &problems)
        rows.removeAll { $0.from == from && $0.to == to && $0.notice == nil }
        rows += SpecialHours.rows(of: times, from: from, to: to, reason: added.reason)
    }
}
