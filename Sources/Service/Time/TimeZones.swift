import Bytes
import SookeModel
import Synchronization

/// The time zones of a tz database, whose files the caller reads.
///
/// A command reads a zone when it needs it. A server calls `load` with all files before it serves requests: from then
/// on no name from a client opens a file.
package final class TimeZones: Sendable {
    private let file: @Sendable (_ name: String) -> [UInt8]?
    private let limit: Int
    private let known = Mutex(Known())

    private struct Known {
        var zones: [String: TimeZone] = [:]
        var names: [String] = []
        /// Of the whole database by zone name; nil until they are loaded.
        var files: [String: [UInt8]]?
    }

    /// At most `limit` (1 or more) zones stay in memory, each of a few kilobytes.
    ///
    /// - Parameter file: nil when there is none. It is not called for a name that would lead out of the database.
    package init(limit: Int = 100, file: @escaping @Sendable (_ name: String) -> [UInt8]?) {
        self.limit = limit
        self.file = file
    }

    /// No other file is read from then on.
    package func load(_ files: [String: [UInt8]]) {
        known.withLock { $0.files = files }
    }

    /// `UTC` exists even without a database. Requests for many unknown names do not fill the memory.
    ///
    /// - Throws: when there is none, also for a name that would lead out of the database.
    package func zone(named name: String) throws(TimeZoneError) -> TimeZone {
        // First, because some different spellings in Unicode are equal keys of a dictionary of strings.
        guard TimeZone.isAcceptable(name) else { throw TimeZoneError(name: name) }
        if let zone = known.withLock({ $0.zones[name] }) { return zone }
        guard let zone = read(name) else { throw TimeZoneError(name: name) }
        known.withLock { known in
            guard known.zones.updateValue(zone, forKey: name) == nil else { return }
            known.names.append(name)
            if known.names.count > limit { known.zones[known.names.removeFirst()] = nil }
        }
        return zone
    }

    /// `did you mean America/Vancouver?`; nil when that is unknown, and before `load`.
    func advice(for name: String) -> String? {
        guard let names = known.withLock({ $0.files?.keys }) else { return nil }
        return TimeZoneSuggestion.advice(for: name, among: names)
    }

    var countInMemory: Int { known.withLock { $0.zones.count } }

    private func read(_ name: String) -> TimeZone? {
        let file =
            if let files = known.withLock({ $0.files }) {
                files[name.hasPrefix("posix/") ? String(name.dropFirst(6)) : name]
            } else {
                self.file(name)
            }
        if let file, let zone = try? TZifReader.read(file, name: name) { return zone }
        return name == "UTC" ? TimeZone(name: name, fixedOffset: 0) : nil
    }
}

/// The zone of a town's clocks, and the public holidays that count there.
package struct TownClocks: Sendable {
    package let zone: TimeZone
    package let holidays: Holidays
    /// The clocks before have another one.
    let generation: Int
    private var (timeZone, region): (String?, String?) = (nil, nil)
    private var dates: [HolidayDate] = []

    init(_ zone: TimeZone, _ holidays: Holidays) {
        (self.zone, self.holidays, generation) = (zone, holidays, 0)
    }

    /// What the settings leave open is as in other clocks.
    init(of settings: Settings, _ zones: TimeZones, orElse others: TownClocks, after last: TownClocks) {
        generation = last.generation + 1
        zone = settings.timeZone.flatMap { try? zones.zone(named: $0) } ?? others.zone
        holidays = Holidays.of(settings) ?? others.holidays
        (timeZone, region, dates) = (settings.timeZone, settings.holidays, settings.holidayDates)
    }

    func areThose(of settings: Settings) -> Bool {
        timeZone == settings.timeZone && region == settings.holidays && dates == settings.holidayDates
    }
}
