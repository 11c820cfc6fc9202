import Bytes
import JSON
import SookeModel
import Synchronization

/// A business in a version of the town, with the parts of responses encoded once, when they are first needed: what an
/// import only tries is never shown.
package final class BusinessRecord: Sendable {
    // What a scan of all businesses reads comes first, in the cache line of the object's header.

    package let id: Int
    /// Nil without a location, or when an import gave one that is not on Earth.
    let surfacePoint: SurfacePoint?
    let lazyHours = AtomicLazyReference<BusinessHours>()
    /// Nil for a business without category, which is not listed.
    package let categoryID: Int?
    private let lazyMembers = AtomicLazyReference<ListedMembers>()
    let timedMembers = TimedMembers()
    package let value: Business
    let nameKey: NameKey
    let foldedName: [UInt8]
    private let lazyDigest = LazyDigest()

    /// The business as it would be with another value: for looking at it before it is stored.
    package func with(_ value: Business) -> BusinessRecord {
        BusinessRecord(value, categoryID: categoryID, after: self)
    }

    /// - Parameter old: the business before a change; if it has the same name, its collation key is reused.
    init(_ value: Business, categoryID: Int?, after old: BusinessRecord? = nil) {
        (self.value, id, self.categoryID) = (value, value.id, categoryID)
        if let old, old.id == value.id, old.name.hasSameBytes(as: value.name) {
            (nameKey, foldedName) = (old.nameKey, old.foldedName)
        } else {
            (nameKey, foldedName) = (NameKey(name: value.name, id: value.id), CaseFolding.fold(value.name))
        }
        surfacePoint = Self.place(of: value).map { SurfacePoint($0) }
    }

    package var slug: Slug { value.slug }
    package var category: Slug? { value.category }
    package var ownerID: Int? { value.ownerID }
    package var formerSlugs: [Slug] { value.formerSlugs }
    package var coordinates: Coordinates? { Coordinates(latitude: value.latitude, longitude: value.longitude) }
    var place: Coordinates? { Self.place(of: value) }

    private static func place(of value: Business) -> Coordinates? {
        Coordinates(latitude: value.latitude, longitude: value.longitude).flatMap { $0.isValid ? $0 : nil }
    }

    package var times: RecordTimes { value.times }
    package var name: String { value.name }
    /// Read here, since a reader of `value` in another module would copy all of it.
    package var addressOrArea: String { value.addressOrArea }
    package var timeZone: String? { value.timeZone }

    package static let noCategory = referenceMembers(of: "category", name: nil, slug: nil)

    /// `"business_name":…,"business_slug":…`, as an event has them.
    package var reference: [UInt8] { referenceMembers(of: "business", name: name, slug: slug) }

    package var digest: UInt64 { lazyDigest.get { value.digest } }

    /// Writes the members that lists have; other members may follow. `category` is the two that refer to its category.
    package func writeListed(to writer: inout JSONWriter, category: [UInt8], at time: inout ListTime) {
        writer.members { appendMembers(to: &$0, category: category, at: &time) }
    }

    package func writeDetail(to writer: inout JSONWriter, category: [UInt8], at time: inout ListTime) {
        writeListed(to: &writer, category: category, at: &time)
        writer.member("checked", checkedText(at: time.clock))
        let shown = shown(at: time.clock)
        writer.key("hours")
        writer.beginArray()
        for day in shown.hours { day.writeShown(to: &writer) }
        writer.endArray()
        shown.writeFields(Self.onlyInDetail.subtracting(Self.leftOut), empty: .written, to: &writer)
        shown.writeFields(Self.leftOut, to: &writer)
    }

    private static let onlyInDetail = Business.shown.subtracting(Business.listed).subtracting(["hours"])
    /// Which apps do not expect.
    private static let leftOut: FieldSet<Business> = ["public_holidays"]

    private func appendMembers(to object: inout [UInt8], category: [UInt8], at time: inout ListTime) {
        let members = members(shownAt: time.center)
        object.append(contentsOf: members.beforeCategory)
        object.append(contentsOf: category)
        object.append(contentsOf: members.afterCategory)
        appendTimedMembers(to: &object, at: &time)
    }

    @inline(__always)
    private func members(shownAt center: Coordinates?) -> ListedMembers {
        guard value.latitude == nil, let center else {
            return lazyMembers.load() ?? lazyMembers.storeIfNil(ListedMembers(value))
        }
        return ListedMembers(value, at: center)
    }

    /// The business as responses show it: a row for each day, the menus by name, no special hours that are over.
    private func shown(at clock: OpenHoursClock) -> Business {
        var shown = value
        shown.hours = value.hours.rowsOfWeek
        if value.openingHours == nil, !value.hours.isEmpty {
            shown.openingHours = OpeningHours(week: value.hours).text
        }
        if let today = clock.moment(in: timeZone)?.date {
            shown.specialHours.removeAll { row in row.to.map { $0 < today } ?? false }
        }
        shown.menus = value.menus.map(\.sortedByName)
        return shown
    }
}

/// The members of a business in a list, without braces: the two of its category come in between, and behind them what
/// depends on the clock.
private final class ListedMembers: Sendable {
    let beforeCategory: [UInt8]
    let afterCategory: [UInt8]

    // The two members of the category follow the description.
    private static let first: FieldSet<Business> = ["id", "name", "slug", "description"]
    private static let last = Business.listed.subtracting(first).subtracting(["confirmed_at"])

    /// - Parameter center: where one without a location is shown, for apps that need numbers.
    init(_ value: Business, at center: Coordinates? = nil) {
        var shown = value
        if let center { (shown.latitude, shown.longitude) = (center.latitude, center.longitude) }
        let comma = UInt8(ascii: ",")
        let members = { (fields: FieldSet<Business>) in
            var writer = JSONWriter(reservingCapacity: 512)
            writer.beginObject()
            shown.writeFields(fields, to: &writer)
            return Array(writer.bytes.dropFirst())
        }
        beforeCategory = members(Self.first) + [comma]
        afterCategory = [comma] + members(Self.last) + (center == nil ? [] : Array(",\"has_location\":false".utf8))
    }
}

/// The members of a business in responses that depend on the clock, encoded for as long as they stay the same.
///
/// A list of a hundred businesses would evaluate the hours and write the times of each; most of them stay the same for
/// hours.
struct TimedMembers: ~Copyable, Sendable {
    struct Entry {
        var from = Timestamp.endOfTime
        /// The first instant at which they may be different.
        var until = Timestamp.beginningOfTime
        /// The day of the week that is today, which depends on the zone of the client.
        var today = 0
        /// That of `OpenHoursClock`.
        var generation = 0
        /// Each with a comma before it.
        var members: [UInt8] = []

        /// - Parameter validUntil: is lowered to the last instant at which they are the same.
        @inline(__always)
        func append(to object: inout [UInt8], _ validUntil: inout Timestamp) {
            object.append(contentsOf: members)
            validUntil = min(validUntil, Timestamp(microseconds: until.microseconds - 1))
        }
    }

    private let entry = Mutex(Entry())

    /// False when they are not known.
    @inline(__always)
    func append(
        to object: inout [UInt8], at moment: Timestamp, today: Int, _ generation: Int,
        _ validUntil: inout Timestamp
    ) -> Bool {
        entry.withLock { entry in
            if moment < entry.from || entry.until <= moment || entry.today != today || entry.generation != generation {
                return false
            }
            entry.append(to: &object, &validUntil)
            return true
        }
    }

    func store(_ entry: Entry) {
        self.entry.withLock { $0 = entry }
    }
}

/// The digest of a record, computed when it is first needed: a town of a million businesses starts without it.
///
/// Two threads may compute it at the same time, with the same result.
struct LazyDigest: ~Copyable, Sendable {
    /// 0 until it is computed. A digest that is 0 is computed each time.
    private let value = Atomic<UInt64>(0)

    func get(_ compute: () -> UInt64) -> UInt64 {
        let known = value.load(ordering: .relaxed)
        if known != 0 { return known }
        let digest = compute()
        value.store(digest, ordering: .relaxed)
        return digest
    }
}
