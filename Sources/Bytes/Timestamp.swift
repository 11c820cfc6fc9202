/// A moment in UTC, in microseconds; without leap seconds, as in POSIX.
///
/// The log, records and responses use it. Its text form covers the years 0 to 9999 (RFC 3339).
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z, negative before it.
    public let microseconds: Int

    /// The moment `microseconds` after 1970-01-01T00:00:00Z.
    @inlinable
    public init(microseconds: Int) {
        self.microseconds = microseconds
    }

    /// The moment `seconds` after 1970-01-01T00:00:00Z.
    @inlinable
    public init(seconds: Int) {
        microseconds = seconds * 1_000_000
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int { microseconds.flooredQuotient(by: 1_000_000).quotient }

    /// The date in UTC and the microseconds since its midnight.
    public var civil: (date: CivilDate, microseconds: Int) {
        let (days, rest) = microseconds.flooredQuotient(by: Self.microsecondsPerDay)
        return (CivilDate(daysSinceEpoch: days), rest)
    }

    static let microsecondsPerDay = 86_400_000_000

    /// Whether one moment is before another.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The first and the last moment with a text form.
    static let writable = -62_167_219_200_000_000...253_402_300_799_999_999

    /// Whether it has a text form, which the years 0 to 9999 in UTC have.
    public var hasText: Bool { Self.writable.contains(microseconds) }

    /// The last moment with a text form.
    public static let endOfCalendar = Timestamp(microseconds: writable.upperBound)

    /// The moment some seconds later, or earlier when they are negative; clamped to the moments with a text form.
    public func advanced(bySeconds seconds: Int) -> Timestamp {
        let (difference, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isBeyond) = microseconds.addingReportingOverflow(difference)
        let isFuture = seconds > 0
        guard !isTooFar, !isBeyond else {
            return Timestamp(microseconds: isFuture ? Self.writable.upperBound : Self.writable.lowerBound)
        }
        return Timestamp(microseconds: sum).clamped
    }

    /// The nearest moment with a text form.
    public var clamped: Timestamp {
        Timestamp(microseconds: min(max(microseconds, Self.writable.lowerBound), Self.writable.upperBound))
    }
}

extension Int {
    /// Division that rounds towards negative infinity; the remainder is never negative.
    func flooredQuotient(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// The clocks of the server: those of the system, or others in tests and demonstrations.
public struct TimeSource: Sendable {
    /// Nanoseconds since an arbitrary moment; never goes back. All timeouts use it.
    public let monotonic: @Sendable () -> Int
    /// The time of day, for `Date` and for what expires. May jump, but always has a text form: what is stored with its
    /// time can be read again.
    public let wall: @Sendable () -> Timestamp

    /// A source made of two functions.
    public init(monotonic: @escaping @Sendable () -> Int, wall: @escaping @Sendable () -> Timestamp) {
        (self.monotonic, self.wall) = (monotonic, { wall().clamped })
    }
}
