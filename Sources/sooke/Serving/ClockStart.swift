import Bytes
import HTTP
import SookeModel
import Synchronization

/// Where `--now` sets the clock of a town.
enum ClockStart: Sendable, Equatable {
    case moment(Timestamp)
    /// Noon of a day in the town's time zone.
    case day(CivilDate)

    /// Reads a moment in RFC 3339, or a date; nil for another text.
    init?(_ text: String) {
        if let moment = Timestamp(rfc3339: text) {
            self = .moment(moment)
        } else if let noon = Timestamp(rfc3339: "\(text)T12:00:00Z") {
            self = .day(noon.civil.date)
        } else {
            return nil
        }
    }

    /// The last moment at which a clock that runs may start; times after the year 9999 cannot be stored.
    private static let lastStart = Timestamp.endOfCalendar.advanced(bySeconds: -366 * 86_400)

    /// A clock that stands there, or runs on from there as the system's monotonic clock does.
    ///
    /// - Throws: when it would not stay in the years 0 to 9999.
    func clock(
        in place: ClockPlace, ticks: Bool, monotonic: @escaping @Sendable () -> Int = TimeSource.system.monotonic
    ) throws(CommandError) -> TimeSource {
        let start: @Sendable () -> Timestamp = { moment(in: place.zone) }
        guard start().hasText, !ticks || start() <= Self.lastStart else {
            throw CommandError(
                .usage,
                "--now: the clock must stay in the years 0 to 9999; choose an earlier time, or a later one in the "
                    + "year 0"
            )
        }
        guard ticks else { return TimeSource(monotonic: monotonic, wall: start) }
        let begin = monotonic()
        return TimeSource(
            monotonic: monotonic,
            wall: { Timestamp(microseconds: start().microseconds + (monotonic() - begin) / 1000) })
    }

    private func moment(in zone: TimeZone) -> Timestamp {
        switch self {
        case .moment(let moment): return moment
        case .day(let date):
            let noon = 12 * 3600
            if let moment = zone.timestamps(of: date, secondsOfDay: noon).first { return moment }
            // The clocks skipped this noon, as they skip a day at the date line.
            return Timestamp(date, seconds: noon)
        }
    }
}

/// The zone on whose clocks a day is meant. That of a town is known when its folder has been read, which needs a clock.
final class ClockPlace: Sendable {
    private let current: Mutex<TimeZone>

    init(_ zone: TimeZone) { current = Mutex(zone) }

    var zone: TimeZone { current.withLock(\.self) }

    func set(_ zone: TimeZone) { current.withLock { $0 = zone } }
}

extension ValueSyntax where Value == ClockStart {
    /// A moment in RFC 3339, or a date.
    static let clockStart = Self(
        expectation: "a time such as 2026-11-21T09:30:00Z, or a date such as 2026-11-21", completion: .none
    ) { ClockStart($0) }
}
