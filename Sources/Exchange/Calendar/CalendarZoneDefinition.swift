import Bytes
import SookeModel

/// A `VTIMEZONE` (RFC 5545, section 3.6.5).
struct CalendarZoneDefinition: Sendable {
    /// A `STANDARD` or `DAYLIGHT`: a change that happens once, on some dates or by a rule.
    private struct Observance: Sendable {
        var start: LocalTime?
        var offsetBefore: Int?
        var offset: Int?
        var rule: String?
        var dates: [LocalTime] = []
    }

    private var observances: [Observance] = []

    private static let most = 200

    mutating func beginObservance() {
        if observances.count < Self.most { observances.append(Observance()) }
    }

    mutating func read(_ line: ContentLine) {
        guard !observances.isEmpty else { return }
        let last = observances.count - 1
        switch line.name {
        case "DTSTART": observances[last].start = Self.local(line.value)
        case "TZOFFSETFROM": observances[last].offsetBefore = Self.offset(line.value.trimmed)
        case "TZOFFSETTO": observances[last].offset = Self.offset(line.value.trimmed)
        case "RRULE": observances[last].rule = line.value.trimmed
        case "RDATE" where observances[last].dates.count < Self.most:
            observances[last].dates += line.texts(at: ",").prefix(Self.most).compactMap(Self.local)
        default: break
        }
    }

    private static func local(_ text: String) -> LocalTime? {
        guard case .local(let local, _) = CalendarMoment(text, zoneName: nil) else { return nil }
        return local
    }

    /// `-0500` or `+013045` in seconds east of UTC.
    static func offset(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5 || bytes.count == 7, let sign = bytes.first, "+-".utf8.contains(sign),
            bytes.dropFirst().allSatisfy(ASCII.isDigit)
        else { return nil }
        let numbers = stride(from: 1, to: bytes.count, by: 2).map {
            Int(bytes[$0] - UInt8(ascii: "0")) * 10 + Int(bytes[$0 + 1] - UInt8(ascii: "0"))
        }
        let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
        return seconds < 93_600 ? (sign == UInt8(ascii: "-") ? -seconds : seconds) : nil
    }

    /// Nil when its rules are not understood. The zone has no name, since it is none of the tz database.
    func zone(in years: ClosedRange<Int>) -> TimeZone? {
        let utc = TimeZone(name: "", fixedOffset: 0)
        guard let first = CivilDate(year: years.lowerBound - 1, month: 1, day: 1),
            let end = CivilDate(year: years.upperBound + 2, month: 1, day: 1)
        else { return nil }
        let range = Timestamp(first)..<Timestamp(end)
        var changes: [(moment: Timestamp, before: Int, offset: Int)] = []
        for observance in observances {
            guard let start = observance.start, let offset = observance.offset else { return nil }
            let before = observance.offsetBefore ?? offset
            let begin = start.clock
            var starts = observance.dates.map(\.clock)
            if let text = observance.rule, !text.isEmpty {
                guard let rule = try? RecurrenceRule(text) else { return nil }
                let series = RecurrenceSeries(start: start, end: nil, zone: utc, rule: rule)
                starts += series.occurrences(in: range, limit: 2 * Self.most).found.map(\.startsAt)
                if let earlier = series.last(before: range.lowerBound) { starts.append(earlier.startsAt) }
            } else {
                starts.append(begin)
            }
            for start in starts { changes.append((start.advanced(bySeconds: -before), before, offset)) }
        }
        changes.sort { $0.moment < $1.moment }
        guard let earliest = changes.first else { return nil }
        var distinct: [(moment: Timestamp, offset: Int)] = []
        for change in changes where distinct.last?.moment != change.moment {
            distinct.append((change.moment, change.offset))
        }
        return TimeZone(
            name: "", firstOffset: changes.count == 1 ? earliest.offset : earliest.before, changes: distinct)
    }
}
