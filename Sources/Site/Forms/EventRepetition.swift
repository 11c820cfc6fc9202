import Bytes
import SookeModel

/// How often an event takes place, as a choice of a few and a last day.
struct EventRepetition {
    let rule: String
    let until: String
    let dates: String

    /// The choice of a list of dates, and that of a rule that is none of the choices.
    static let (listed, kept) = ("listed", "kept")
    private static let mostListed = 200
    private static let choices = ["", "once", "daily", "weekly", "second", "nth", "last", "yearly", listed]

    /// The choices with their words, for an event on a day.
    static func choices(on day: CivilDate?, keeping words: String?) -> [(value: String, label: String)] {
        let name = day.map { Words.weekdays[$0.dayOfWeek] } ?? "week on that day"
        var choices = [
            (value: "once", label: "Once"), (value: "daily", label: "Every day"),
            (value: "weekly", label: "Every \(name)"),
            (value: "second", label: "Every second \(day == nil ? "week on that day" : name)"),
        ]
        if let day {
            let ordinals = ["first", "second", "third", "fourth"]
            let week = (day.day - 1) / 7
            if week < 4 { choices.append(("nth", "Every month on the \(ordinals[week]) \(name)")) }
            if isInLastWeek(day) { choices.append(("last", "Every month on the last \(name)")) }
        } else {
            choices.append(("nth", "Every month on the same day of the week"))
        }
        choices.append(("yearly", "Every year"))
        choices.append((listed, "On some dates that I list"))
        if let words { choices.append((kept, "As it is: \(words)")) }
        return choices
    }

    private static func isInLastWeek(_ day: CivilDate) -> Bool { day.advanced(by: 7).month != day.month }

    /// The rule of a choice for an event on a day; nil for a choice without one.
    private static func rule(of choice: String, on day: CivilDate) -> RecurrenceRule? {
        switch choice {
        case "daily": return RecurrenceRule(.daily)
        case "weekly": return RecurrenceRule(.weekly)
        case "second":
            var rule = RecurrenceRule(.weekly)
            rule.interval = 2
            return rule
        case "nth", "last":
            var rule = RecurrenceRule(.monthly)
            let week = (day.day - 1) / 7 + 1
            rule.weekdays = [.init(day.dayOfWeek, ordinal: choice == "last" || week > 4 ? -1 : week)]
            return rule
        case "yearly": return RecurrenceRule(.yearly)
        default: return nil
        }
    }

    static func texts(of event: Event, from day: CivilDate?) -> (rule: String, until: String) {
        guard let text = event.rrule else { return (event.rdates.isEmpty ? "once" : listed, "") }
        guard var rule = try? RecurrenceRule(text), event.rdates.isEmpty, let day else { return (kept, "") }
        var until = ""
        switch rule.end {
        case .never: break
        case .date(let date): until = date.text
        case .count, .moment: return (kept, "")
        }
        rule.end = .never
        // What the day says anyway.
        if rule.frequency == .weekly, rule.weekdays == [.init(day.dayOfWeek)] { rule.weekdays = [] }
        rule.weekStart = 1
        let choice = ["daily", "weekly", "second", "nth", "last", "yearly"].first { Self.rule(of: $0, on: day) == rule }
        return choice.map { ($0, until) } ?? (kept, "")
    }

    func set(
        in patch: inout Patch<Event>, of event: Event, from start: Timestamp, _ zone: SookeModel.TimeZone,
        _ problems: inout FieldProblems
    ) {
        let (day, seconds) = zone.localDate(at: start)
        switch rule {
        case Self.kept: return
        case _ where !Self.choices.contains { $0 == rule }: return problems.add("repeat", "is not one of these")
        case Self.listed:
            let days = dates.split(at: "\n", ",", " ").map { CivilDate($0) }
            guard !days.isEmpty, days.count <= Self.mostListed, !days.contains(nil) else {
                return problems.add("dates", "need a day a line, such as 2026-12-24, at most \(Self.mostListed)")
            }
            patch.values.rrule = nil
            patch.values.rdates = days.compactMap { $0.map { zone.moment(of: $0, secondsOfDay: seconds) } }.filter {
                $0 != start
            }
        default:
            var rule = Self.rule(of: rule, on: day)
            if !until.isEmpty, rule != nil {
                guard let last = CivilDate(until), last >= day else {
                    return problems.add("until", "is no day after the first one")
                }
                rule?.end = .date(last)
            }
            (patch.values.rrule, patch.values.rdates) = (rule?.text, [])
        }
        patch.fields.formUnion(["rrule", "rdates"])
        if patch.values.rrule == nil, patch.values.rdates.isEmpty, event.hasSeries {
            (patch.values.exdates, patch.values.overrides) = ([], [])
            patch.fields.formUnion(["exdates", "overrides"])
        }
    }
}
