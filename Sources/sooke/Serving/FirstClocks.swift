import Bytes
import HTTP
import Platform
import SookeModel
import Store
import Synchronization

/// The time zone and the holidays of a town whose settings name none: what a command is given, else what is likely.
struct FirstClocks: Sendable {
    var timeZone: String?
    var holidays: String?
    /// Whether the town may be where this machine is.
    var mayBeHere = true

    static let firstTowns = "America/Vancouver"

    func likelyZone(in database: TimeZoneDatabase) -> String {
        timeZone ?? (mayBeHere ? database.machineZone() : nil) ?? Self.firstTowns
    }

    func likelyHolidays(in zone: TimeZone) -> Holidays { Holidays.of(likelyRegion(in: zone.name)) ?? .none }

    private func likelyRegion(in zone: String) -> String { holidays ?? Holidays.region(ofZone: zone) }

    /// Sets what the settings do not name; returns whether anything was missing.
    @discardableResult
    func fill(_ transaction: inout WriteTransaction, likely zone: String) throws -> Bool {
        let settings = transaction.town.settings
        var patch = Patch<Settings>()
        if settings.timeZone == nil {
            patch.values.timeZone = zone
            patch.fields.insert("time_zone")
        }
        if settings.holidays == nil, settings.holidayDates.isEmpty {
            patch.values.holidays = likelyRegion(in: settings.timeZone ?? zone)
            patch.fields.insert("holidays")
        }
        if patch.fields.isEmpty { return false }
        try transaction.upsert(patch)
        transaction.settleEvents()
        return true
    }

    /// Warns of options without effect. Returns what the town has now; nil if nothing was missing or it is read-only.
    func fill(_ store: Store, likely zone: TimeZone, _ console: Console) -> String? {
        // A town that was there before it had settings had the clocks of the first towns.
        let before = store.current.town
        let name = timeZone ?? (before.isEmpty ? zone.name : Self.firstTowns)
        warn(of: before.settings, console)
        if store.readOnly != nil { return nil }
        if before.settings.timeZone != nil, Holidays.of(before.settings) != nil { return nil }
        do {
            _ = try waitFor {
                try await store.write(by: .local) { transaction in try fill(&transaction, likely: name) }
            }
            return Self.words(store.current.town.settings)
        } catch {
            // Such as a full disk: it serves what there is.
            console.log(.warning, "the time zone of the town could not be stored: \(error)")
            return nil
        }
    }

    func warn(of settings: Settings, _ console: Console) {
        let given = [
            ("--time-zone", timeZone, settings.timeZone),
            ("--holidays", holidays, settings.holidayDates.isEmpty ? settings.holidays : "a list of dates"),
        ]
        for (option, value, own) in given {
            guard let value, let own, value != own else { continue }
            console.log(
                .warning,
                "\(option) \(value) was ignored: the town already uses \(own); "
                    + "to change that: sooke town \(option) \(value)")
        }
    }

    static func words(_ settings: Settings) -> String {
        let region = settings.holidays.map { $0 == "none" ? "no public holidays" : "the public holidays of \($0)" }
        let holidays = settings.holidayDates.isEmpty ? region ?? "" : "a list of public holidays"
        return "the town has the clocks of \(settings.timeZone ?? "") and \(holidays); to change that: "
            + "sooke town --time-zone ZONE --holidays REGION"
    }
}

/// Where `--now` sets the clock of a town.
enum ClockStart: Sendable, Equatable {
    case moment(Timestamp)
    /// Noon of a day in the town's time zone.
    case day(CivilDate)

    init?(_ text: String) {
        if let moment = Timestamp(rfc3339: text) {
            self = .moment(moment)
        } else if let noon = Timestamp(rfc3339: "\(text)T12:00:00Z") {
            self = .day(noon.civil.date)
        } else {
            return nil
        }
    }

    /// The last instant at which a clock that runs may start; times after the year 9999 cannot be stored.
    private static let lastStart = Timestamp.endOfCalendar.advanced(bySeconds: -366 * 86_400)

    /// Throws when the clock would not stay in the years 0 to 9999.
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
    static let clockStart = Self(
        expectation: "a time such as 2026-11-21T09:30:00Z, or a date such as 2026-11-21", completion: .none
    ) { ClockStart($0) }
}
