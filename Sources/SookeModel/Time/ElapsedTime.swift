import Bytes

/// How long ago a time is, as people say it: "3 weeks ago".
public enum ElapsedTime {
    /// The words for a time, seen from a later one on the clocks of a zone.
    public static func text(from moment: Timestamp, to now: Timestamp, in zone: TimeZone) -> String {
        let days = zone.localDate(at: now).date.daysSinceEpoch - zone.localDate(at: moment).date.daysSinceEpoch
        return switch days {
        case ...0: "today"
        case 1: "yesterday"
        case 2..<14: count(days, "day")
        case 14..<61: count(days / 7, "week")
        case 61..<730: count(days * 12 / 365, "month")
        default: count(days / 365, "year")
        }
    }

    private static func count(_ number: Int, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s") ago"
    }
}
