import Bytes
import JSON

/// A date and time as people write it: what the clocks of a zone show, or a date without a time.
///
/// An offset tells which of two times is meant where clocks show a time twice. Outside the store a text with an offset,
/// such as `2027-06-01T19:00:00Z`, is an instant: `TimeZone.localTime(_:)` turns it into what the clocks show then.
public struct LocalTime: Sendable, Hashable, Comparable {
    /// What the clocks show, as if they showed UTC.
    public let clock: Timestamp
    /// In seconds east of UTC.
    public let offset: Int?
    public let isDate: Bool

    public init(clock: Timestamp, offset: Int? = nil) {
        (self.clock, self.offset, isDate) = (clock, offset, false)
    }

    public init(_ date: CivilDate, secondsOfDay: Int, offset: Int? = nil) {
        self.init(clock: Timestamp(date, seconds: secondsOfDay), offset: offset)
    }

    public init(_ date: CivilDate) {
        (clock, offset, isDate) = (Timestamp(date), nil, true)
    }

    /// An instant, which is a local time in UTC.
    public init(instant: Timestamp) {
        self.init(clock: instant, offset: 0)
    }

    public var date: CivilDate { clock.civil.date }

    public var secondsOfDay: Int { clock.civil.microseconds / 1_000_000 }

    /// The instant of a text with an offset; nil without one.
    public var instant: Timestamp? {
        offset.map { Timestamp(microseconds: clock.microseconds - $0 * 1_000_000) }
    }

    /// Some days later, at the same time.
    public func advanced(byDays days: Int) -> LocalTime {
        isDate ? LocalTime(date.advanced(by: days)) : LocalTime(clock: clock.advanced(bySeconds: days * 86_400))
    }

    /// The nearest one with a text form.
    var clamped: LocalTime { clock.hasText ? self : LocalTime(clock: clock.clamped) }

    public var withoutTime: LocalTime { LocalTime(date) }

    public var withoutOffset: LocalTime { isDate ? self : LocalTime(clock: clock) }

    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        // Of two times that clocks show, the one with the greater offset comes first.
        (left.clock, -(left.offset ?? .max)) < (right.clock, -(right.offset ?? .max))
    }
}

extension LocalTime {
    /// Reads `2027-06-01`, `2027-06-01T19:00`, also with seconds and a fraction, and with an offset (RFC 3339).
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        if bytes.count == 10 {
            guard let date = CivilDate(text) else { return nil }
            self.init(date)
            return
        }
        guard bytes.count >= 16, bytes[13] == UInt8(ascii: ":") else { return nil }
        let end = bytes[16...].firstIndex { !ASCII.isDigit($0) && !":.".utf8.contains($0) } ?? bytes.endIndex
        let seconds: [UInt8] = end == 16 ? Array(":00".utf8) : []
        guard let clock = Timestamp(rfc3339: bytes[..<end] + seconds + "Z".utf8) else { return nil }
        if end == bytes.endIndex {
            self.init(clock: clock)
        } else {
            let noon = "1970-01-02T12:00:00".utf8
            guard let shifted = Timestamp(rfc3339: noon + bytes[end...]) else { return nil }
            self.init(clock: clock, offset: 36 * 3600 - shifted.seconds)
        }
    }

    public var text: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// `2027-06-01T19:00`, with seconds and a fraction only where there are some.
    func append(to text: inout [UInt8]) {
        let start = text.count
        text.append(rfc3339: clock)
        text.removeLast()
        let isWholeMinute = clock.civil.microseconds % 60_000_000 == 0
        if isDate { text.removeLast(text.count - start - 10) } else if isWholeMinute { text.removeLast(3) }
        guard let offset else { return }
        if offset == 0 { return text.append("Z") }
        text.append(offset < 0 ? "-" : "+")
        text.append(decimal: abs(offset) / 3600, width: 2)
        text.append(":")
        text.append(decimal: abs(offset) / 60 % 60, width: 2)
    }
}

extension LocalTime: ShapedValue {
    public static var kind: FieldDescription.Kind { .localTime }

    public static var shape: String { "a date and time like 2027-06-01T19:00, or a date like 2027-06-01" }

    public static var placeholder: LocalTime { LocalTime(clock: .epoch) }

    public init?(shaped text: String) {
        self.init(text)
    }

    public func validate(_ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems) {
        problems.require(clock.hasText, field, "must lie in the years 0 to 9999")
    }

    public var shapedText: String { text }

    public func write(to writer: inout JSONWriter) {
        writer.string { append(to: &$0) }
    }
}

extension LocalTime: ValueElement {
    public static var listKind: FieldDescription.Kind { .texts }

    public static var elementRule: NoRule { .any }

    static let mostInList = 500

    public static func validateList(_ list: [LocalTime], _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(
            list.count <= mostInList, "\(field)", "has \(list.count) entries, at most \(mostInList) are allowed")
    }
}

extension TimeZone {
    /// What the clocks show at an instant; with the offset where they show that time twice.
    public func localTime(at instant: Timestamp) -> LocalTime {
        let (period, seconds) = (period(containing: instant.seconds), instant.seconds)
        let offset = period.offset
        let clock = Timestamp(microseconds: instant.microseconds + offset * 1_000_000)
        // Offsets are below 26 hours: far from a change nothing is shown twice.
        let isFar =
            (period.start.map { seconds - $0 > 93_600 } ?? true) && (period.end.map { $0 - seconds > 93_600 } ?? true)
        if isFar { return LocalTime(clock: clock) }
        let (date, microseconds) = clock.civil
        let isTwice = timestamps(of: date, secondsOfDay: microseconds / 1_000_000).count > 1
        return LocalTime(clock: clock, offset: isTwice ? offset : nil)
    }

    /// The local time that a text means: one with an offset is an instant.
    public func localTime(_ given: LocalTime) -> LocalTime { given.instant.map(localTime(at:)) ?? given }

    public func localStart(of occurrence: Occurrence) -> LocalTime {
        occurrence.days.map { LocalTime($0.lowerBound) } ?? localTime(at: occurrence.startsAt)
    }

    public func localEnd(of occurrence: Occurrence) -> LocalTime? {
        occurrence.days.map { LocalTime($0.upperBound) } ?? occurrence.endsAt.map(localTime(at:))
    }

    /// The instant of a local time; for a date its first one. An offset counts where clocks show a time twice; without
    /// one it is the first. A time that clocks skip is that by the offset before the gap (RFC 5545, section 3.3.5).
    public func instant(of local: LocalTime) -> Timestamp {
        let (date, microseconds) = local.clock.civil
        let found = moment(of: date, secondsOfDay: microseconds / 1_000_000)
        let first = Timestamp(microseconds: found.microseconds + microseconds % 1_000_000)
        guard let instant = local.instant, instant != first, localTime(at: instant) == local else { return first }
        return instant
    }

    /// Nil for a local time that clocks show, else the first one after it that they show.
    public func replacement(of local: LocalTime) -> LocalTime? {
        guard !local.isDate, localTime(at: instant(of: local)).clock != local.clock else { return nil }
        let shifted = instant(of: local)
        return period(containing: shifted.seconds).start.map { localTime(at: Timestamp(clampingSeconds: $0)) }
    }

    /// The end of what begins at a local time and has no end: the next four o'clock in the morning.
    func nextMorning(after start: LocalTime) -> Timestamp {
        let isNight = start.secondsOfDay < 4 * 3600
        return moment(of: start.date.advanced(by: isNight ? 0 : 1), secondsOfDay: 4 * 3600).clamped
    }
}
