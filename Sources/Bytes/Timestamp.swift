/// A time in UTC, in microseconds; without leap seconds, as in POSIX.
///
/// The log, records and responses use it. Its text form covers the years 0 to 9999 (RFC 3339). It lies at most 126,000
/// years from 1970, so that the sum and the difference of two never overflow.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z, negative before it.
    public let microseconds: Int

    /// The time `microseconds` after 1970-01-01T00:00:00Z, or the nearest one in range.
    @inlinable
    public init(microseconds: Int) {
        self.microseconds = min(max(microseconds, -Self.limit), Self.limit)
    }

    /// The time `seconds` after 1970-01-01T00:00:00Z; nil beyond the range.
    @inlinable
    public init?(seconds: Int) {
        guard -Self.limit / 1_000_000...Self.limit / 1_000_000 ~= seconds else { return nil }
        microseconds = seconds * 1_000_000
    }

    /// The time `seconds` after 1970-01-01T00:00:00Z, or the nearest one in range.
    @inlinable
    public init(clampingSeconds seconds: Int) {
        microseconds = min(max(seconds, -Self.limit / 1_000_000), Self.limit / 1_000_000) * 1_000_000
    }

    /// The time some seconds after the midnight of a date in UTC.
    public init(_ date: CivilDate, seconds: Int = 0) {
        self.init(clampingSeconds: date.daysSinceEpoch * 86_400 + seconds)
    }

    @usableFromInline static let limit = 4_000_000_000_000_000_000

    public static let epoch = Timestamp(microseconds: 0)
    public static let beginningOfTime = Timestamp(microseconds: .min)
    public static let endOfTime = Timestamp(microseconds: .max)

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int { microseconds.flooredQuotient(by: 1_000_000).quotient }

    /// The date in UTC and the microseconds since its midnight.
    public var civil: (date: CivilDate, microseconds: Int) {
        let (days, rest) = microseconds.flooredQuotient(by: Self.microsecondsPerDay)
        return (CivilDate(daysSinceEpoch: days), rest)
    }

    static let microsecondsPerDay = 86_400_000_000

    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The range up to a time, which is empty where that is earlier: a time from outside must not be able to trap.
    @inlinable
    public static func ..< (start: Timestamp, end: Timestamp) -> Range<Timestamp> {
        Range(uncheckedBounds: (start, max(start, end)))
    }

    /// The range through a time; only its start where that is earlier.
    @inlinable
    public static func ... (start: Timestamp, end: Timestamp) -> ClosedRange<Timestamp> {
        ClosedRange(uncheckedBounds: (start, max(start, end)))
    }

    /// The first and the last time with a text form.
    static let writable = -62_167_219_200_000_000...253_402_300_799_999_999

    /// Whether it has a text form, which the years 0 to 9999 in UTC have.
    public var hasText: Bool { Self.writable.contains(microseconds) }

    public static let endOfCalendar = Timestamp(microseconds: writable.upperBound)

    /// The time some seconds later, or earlier when they are negative; clamped to the times with a text form.
    public func advanced(bySeconds seconds: Int) -> Timestamp {
        Timestamp(microseconds: microseconds + Timestamp(clampingSeconds: seconds).microseconds).clamped
    }

    public var clamped: Timestamp {
        Timestamp(microseconds: min(max(microseconds, Self.writable.lowerBound), Self.writable.upperBound))
    }
}

extension Int {
    /// The whole part of a number, or the nearest integer to one beyond the range; 0 for none at all (NaN).
    public init(clamping value: Double) {
        self = Int(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
    }

    /// Division that rounds towards negative infinity; the remainder is never negative.
    func flooredQuotient(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// The clocks of the server: those of the system, or others in tests and demonstrations.
public struct TimeSource: Sendable {
    /// Nanoseconds since an arbitrary time; never goes back. All timeouts use it.
    public let monotonic: @Sendable () -> Int
    /// The time of day, for `Date` and for what expires. May jump, but always has a text form: what is stored with its
    /// time can be read again.
    public let wall: @Sendable () -> Timestamp

    public init(monotonic: @escaping @Sendable () -> Int, wall: @escaping @Sendable () -> Timestamp) {
        (self.monotonic, self.wall) = (monotonic, { wall().clamped })
    }
}
