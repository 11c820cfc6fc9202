import Bytes
import SookeModel
import Store

extension TownService {
    package func openHoursClock(of town: Town, at moment: Timestamp) -> OpenHoursClock {
        let (zones, clocks) = (zones, clocks(of: town))
        let moment = HoursMoment(at: moment, in: clocks.zone, clocks.holidays)
        return OpenHoursClock(moment, generation: clocks.generation) { try? zones.zone(named: $0) }
    }

    /// What it says of today stays true to the end of the minute.
    package func listTime(of town: Town, at now: Timestamp, in zone: TimeZone) -> ListTime {
        ListTime(
            openHoursClock(of: town, at: now), dayOfWeek: zone.localDate(at: now).date.dayOfWeek,
            center: town.settings.center, validUntil: now.endOfMinute)
    }

    /// By name, and until when that is so.
    package func openNow(in version: Version) -> OpenNow {
        let clock = openHoursClock(of: version.town, at: clock())
        let known = lastOpenNow.withLock { $0 }
        if let known, known.revision == version.publicRevision, known.now.time.contains(clock.moment.timestamp) {
            return known.now
        }
        let now = OpenNow(in: version.town, at: clock)
        lastOpenNow.withLock { $0 = (version.publicRevision, now) }
        return now
    }

    func checkTimeZone(_ name: String?, _ problems: inout FieldProblems) {
        guard let name, (try? zones.zone(named: name)) == nil else { return }
        let advice = zones.advice(for: name).map { "is not a known time zone; \($0)" }
        problems.add("time_zone", advice ?? TextRules.unknownTimeZone)
    }
}

extension Timestamp {
    /// No day begins within a minute, in any time zone.
    package var endOfMinute: Timestamp {
        let microsecond = civil.microseconds % 60_000_000
        return Timestamp(microseconds: microseconds - microsecond + 59_999_999)
    }
}
