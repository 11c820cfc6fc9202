import Bytes
import SookeModel

/// A date or a local time of a calendar (RFC 5545, sections 3.3.4 and 3.3.5).
enum CalendarMoment: Sendable, Hashable {
    /// `20261124T190000Z`.
    case utc(Timestamp)
    /// On the clocks of a zone; without a name on those of the reader.
    case local(LocalTime, zoneName: String?)
    /// `20261124`.
    case date(CivilDate)

    init?(_ text: String, zoneName: String?) {
        guard let time = LocalTime(basicText: text.trimmed) else { return nil }
        if time.isDate {
            self = .date(time.date)
        } else {
            self = time.instant.map(Self.utc) ?? .local(time, zoneName: zoneName)
        }
    }

    var year: Int {
        switch self {
        case .utc(let moment): moment.civil.date.year
        case .local(let local, _): local.date.year
        case .date(let date): date.year
        }
    }

    var dayAtMidnight: CivilDate? {
        switch self {
        case .date(let date): date
        case .local(let local, _): local.secondsOfDay == 0 ? local.date : nil
        case .utc(let moment):
            moment.civil.microseconds == 0 ? moment.civil.date : nil
        }
    }

    var zoneName: String? { if case .local(_, let name) = self { name } else { nil } }
}

/// RFC 5545, section 3.3.6: days on the clocks, then seconds that pass.
struct CalendarDuration: Sendable, Hashable {
    var days = 0
    var seconds = 0

    /// In days, longer than any event.
    private static let longest = 100_000

    /// `P1DT2H30M` or `P2W`; nil when it is negative or too long.
    init?(_ text: String) {
        var rest = text.trimmed.utf8[...]
        if rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
        var isTime = false
        while let first = rest.popFirst() {
            if first == UInt8(ascii: "T"), !isTime, !rest.isEmpty {
                isTime = true
                continue
            }
            guard var number = ASCII.decimalValue(first) else { return nil }
            while let digit = rest.first.flatMap(ASCII.decimalValue) {
                number = min(number * 10 + digit, Self.longest * 86_400)
                rest.removeFirst()
            }
            switch (rest.popFirst(), isTime) {
            case (UInt8(ascii: "W"), false): days += number * 7
            case (UInt8(ascii: "D"), false): days += number
            case (UInt8(ascii: "H"), true): seconds += number * 3600
            case (UInt8(ascii: "M"), true): seconds += number * 60
            case (UInt8(ascii: "S"), true): seconds += number
            default: return nil
            }
            guard days <= Self.longest, seconds <= Self.longest * 86_400 else { return nil }
        }
    }
}
