import Bytes
import SookeModel
import Synchronization

/// The listed businesses that are open at a moment, in the order of their names.
///
/// Businesses with the same hours share them (`SharedSchedules`), so a question evaluates each of the different hours
/// once, and then only reads which of them each business has. That list is made by the first question; a commit changes
/// the places in it that it concerns. What is open now is found again when something opens or closes, or a day ends.
package final class OpenBusinesses: Sendable {
    private let state = Mutex<EvaluatedHours?>(nil)

    /// Nothing is evaluated yet.
    package init() {}

    /// The businesses of a version that are open at a moment.
    package func list(in version: Version, at clock: OpenHoursClock) -> [BusinessRecord] {
        state.withLock { $0.move(to: version).open(at: clock).businesses }
    }

    /// The same for the present moment.
    package func listNow(in version: Version, at clock: OpenHoursClock) -> OpenNow {
        state.withLock { state in
            let hours = state.move(to: version)
            let now = clock.moment.timestamp
            if let known = state?.now, known.generation == clock.generation, known.from <= now, now < known.until {
                return known
            }
            let found = hours.open(at: clock)
            state?.now = found
            return found
        }
    }
}

/// What is open, and as long as that is the same unless the town changes.
package struct OpenNow: Sendable {
    /// By name.
    package let businesses: [BusinessRecord]
    /// Those of them whose hours say nothing of the holiday on which they are usually open.
    package let unconfirmed: [BusinessRecord]
    /// The names of those holidays.
    package let holidays: Set<String>
    let from: Timestamp
    /// That of the clocks by which they are open; see `OpenHoursClock`.
    let generation: Int
    /// When something opens or closes, or a day ends, if no hours change before.
    package let until: Timestamp
}

private struct EvaluatedHours {
    var hours: HoursOfBusinesses
    var now: OpenNow?
}

extension EvaluatedHours? {
    fileprivate mutating func move(to version: Version) -> HoursOfBusinesses {
        if let state = self, state.hours.version === version { return state.hours }
        // Taken out, because a second reference to the lists would make a change copy them.
        let moved = take()
        var hours = moved?.hours
        let now = moved?.now
        if hours?.move(to: version) != true { hours = nil }
        let isSame = hours?.hasChanged == false
        var result = hours ?? HoursOfBusinesses(of: version)
        result.hasChanged = false
        self = EvaluatedHours(hours: result, now: isSame ? now : nil)
        return result
    }
}

/// Which hours each listed business of a version has.
private struct HoursOfBusinesses {
    private struct Key: Hashable {
        let schedule: ObjectIdentifier
        let zone: String?
    }

    private(set) var version: Version
    /// Whether a move changed a business.
    var hasChanged = false
    /// The listed businesses, by name, and the index of the hours of each.
    private var records: [BusinessRecord] = []
    private var indexes: [UInt32] = []
    private var different: [Boxed<OpeningSchedule>] = []
    private var known: [Key: UInt32] = [:]
    /// The indexes of the hours in each time zone; nil stands for that of the town.
    private var zones: [String?: [Int]] = [:]

    /// With more changes, and with more hours that no business has any more, making the list anew is not slower.
    private static let mostChanges = 1000

    init(of version: Version) {
        self.version = version
        records = version.town.businesses.listed.values
        indexes.reserveCapacity(records.count)
        for record in records { indexes.append(index(of: record)) }
    }

    func open(at clock: OpenHoursClock) -> OpenNow {
        var isOpen = [Bool](repeating: false, count: different.count)
        var holidays: [UInt32: String] = [:]
        var minutes = 1440
        for (zone, indexes) in zones {
            guard let moment = clock.moment(in: zone) else { continue }
            for index in indexes {
                let found = different[index].value.openness(at: moment)
                isOpen[index] = found.isOpen
                if let holiday = found.unconfirmed { holidays[UInt32(index)] = holiday }
                minutes = min(minutes, found.minutes)
            }
            minutes = min(minutes, moment.minutesOfPeriod)
        }
        var (found, unconfirmed): ([BusinessRecord], [BusinessRecord]) = ([], [])
        for (place, index) in indexes.enumerated() where isOpen[Int(index)] {
            found.append(records[place])
            if !holidays.isEmpty, holidays[index] != nil { unconfirmed.append(records[place]) }
        }
        let now = clock.moment.timestamp
        // Hours have no seconds.
        let minute = now.seconds - now.seconds % 60
        return OpenNow(
            businesses: found, unconfirmed: unconfirmed, holidays: Set(holidays.values), from: now,
            generation: clock.generation, until: Timestamp(clampingSeconds: minute + 60 * minutes))
    }

    /// Applies the commits up to a version; false when they are not known, or too many.
    mutating func move(to later: Version) -> Bool {
        guard let commits = later.commits(after: version.position),
            commits.reduce(0, { $0 + $1.changeCount }) <= Self.mostChanges,
            different.count <= records.count + Self.mostChanges
        else { return false }
        for change in commits.lazy.compactMap(\.changes).joined() {
            guard let (before, after) = change.of(BusinessRecord.self) else { continue }
            hasChanged = true
            if let before { remove(before) }
            if let after, after.categoryID != nil { insert(after) }
        }
        version = later
        return true
    }

    private mutating func insert(_ record: BusinessRecord) {
        let place = place(of: record)
        records.insert(record, at: place)
        indexes.insert(index(of: record), at: place)
    }

    private mutating func remove(_ record: BusinessRecord) {
        let place = place(of: record)
        guard place < records.count, records[place].id == record.id else { return }
        records.remove(at: place)
        indexes.remove(at: place)
    }

    /// The index of the first record that is not before another.
    private func place(of record: BusinessRecord) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].nameKey < record.nameKey { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func index(of record: BusinessRecord) -> UInt32 {
        let (schedule, zone) = (record.schedule, record.timeZone)
        let key = Key(schedule: ObjectIdentifier(schedule), zone: zone)
        if let index = known[key] { return index }
        let index = UInt32(different.count)
        different.append(schedule)
        zones[zone, default: []].append(Int(index))
        known[key] = index
        return index
    }
}

extension Town {
    /// The listed businesses, by name.
    package var listedBusinesses: some Sequence<BusinessRecord> { self.businesses.listed.values }
}
