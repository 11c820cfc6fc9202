import Bytes
import Foundation
import JSON
import SookeModel

/// All records of a town that a client may see, at one position of the feed.
///
/// It is a value: `apply` makes the next version from a whole commit, so no list and no detail ever disagree. Records
/// refer to others by slug, and names are joined when they are read.
public struct TownReplica: Sendable, Equatable {
    /// The position in the feed; nil before the first snapshot.
    public private(set) var position: String?
    /// When the records were known to be current; nil before the first snapshot.
    public private(set) var updatedAt: Date?

    struct Tables: Sendable, Equatable {
        var categories = ReplicaTable<SookeModel.Category>()
        var eventTypes = ReplicaTable<SookeModel.EventType>()
        var businesses = ReplicaTable<SookeModel.Business>()
        var events = ReplicaTable<SookeModel.Event>()
        var notices = ReplicaTable<SookeModel.Notice>()
        var settings = ReplicaTable<SookeModel.Settings>()
    }

    private var tables = Tables()

    /// A replica that contains nothing yet.
    public init() {}

    /// Applies an element of the feed; `now` is when it was received. Returns whether records have changed.
    public mutating func apply(_ element: LiveChanges.Element, at now: Date) -> Bool {
        switch element {
        case .connected, .disconnected, .revoked: return false
        case .bookmark(let position):
            (self.position, updatedAt) = (position, now)
            return false
        case .whole(let changes, let position):
            let before = self
            for kind in Change.Kind.allCases {
                kind.replica.fill(&tables, changes.filter { $0.kind == kind })
            }
            (self.position, updatedAt) = (position, now)
            return before.position == nil || !hasSameRecords(as: before)
        case .changes(let changes, let position):
            for change in changes { change.kind.replica.apply(change, &tables) }
            (self.position, updatedAt) = (position, now)
            return true
        }
    }

    /// Whether two replicas have the same records, at any positions.
    public func hasSameRecords(as other: TownReplica) -> Bool { tables == other.tables }
}

extension TownReplica {
    private var town: SookeModel.Settings? { tables.settings.records.first }

    /// What the town says of itself; nil when nobody has set it, and from servers that do not say.
    public var settings: TownSettings? { town.map(TownSettings.init) }

    /// The time zone of the town; that of the device if the town says none.
    public var timeZone: Foundation.TimeZone {
        town?.timeZone.flatMap(Foundation.TimeZone.init(identifier:)) ?? .current
    }

    private func clock(at now: Date, in zone: Foundation.TimeZone?) -> HoursClock {
        HoursClock(now, in: zone ?? timeZone, town.flatMap { Holidays.of($0) } ?? .britishColumbia)
    }

    /// What the town has to say at a time: a danger first, then the newest; without what is over, even offline.
    public func notices(at now: Date = Date()) -> [Notice] {
        let moment = Timestamp(now)
        let current = tables.notices.records.filter { $0.isCurrent(at: moment) }
        return current.sorted(by: SookeModel.Notice.comesFirst).map(Notice.init)
    }

    /// The categories by name.
    public var categories: [Category] { tables.categories.records.map(Category.init) }

    /// The types of events by name.
    public var eventTypes: [EventType] { tables.eventTypes.records.map(EventType.init) }

    /// The businesses that are listed, by name: those whose name contains a text, ignoring case, in a category, by its
    /// slug. `todayHours` are those of the day of `now` in the time zone; nil for that of the town.
    public func businesses(
        matching search: String = "", category: String? = nil, in timeZone: Foundation.TimeZone? = nil,
        at now: Date = Date()
    ) -> [Business] {
        let named = tables.businesses.records(named: search)
        return list(named.filter { isListed($0, category) }, clock(at: now, in: timeZone))
    }

    /// The businesses that the server's `q` finds, the best match first: words in any order and field, also begun,
    /// joined or with a typo. A text that `q` refuses, such as one without letters, is looked for in the names.
    public func businesses(
        about text: String, category: String? = nil, in timeZone: Foundation.TimeZone? = nil, at now: Date = Date()
    ) -> [Business] {
        guard let query = try? SearchQuery(text) else {
            return businesses(matching: text, category: category, in: timeZone, at: now)
        }
        let found = tables.businesses.records.filter { isListed($0, category) }
            .ranked(by: query, SookeModel.Business.forEachText) {
                [.term: categoryName(of: $0), .synonym: self.category(of: $0)?.synonymText]
            }
        return list(found, clock(at: now, in: timeZone))
    }

    /// An owner also sees a business without a category, which is in no list.
    private func isListed(_ record: SookeModel.Business, _ category: String?) -> Bool {
        record.category != nil && category.map(Slug.init) ?? record.category == record.category
    }

    private func list(_ records: [SookeModel.Business], _ clock: HoursClock) -> [Business] {
        records.map { record in
            let joined = JoinedInList(
                category: categoryName(of: record),
                todayHours: record.hours.row(of: clock.dayOfWeek).map(BusinessHour.init),
                openState: BusinessOpenState(clock.state(of: record)), isLocated: isLocated(record))
            var listed = SookeModel.Business()
            listed.take(SookeModel.Business.listed.union(["category"]), from: located(record))
            return Business(listed, joined)
        }
    }

    private func isLocated(_ record: SookeModel.Business) -> Bool? { record.coordinates == nil ? false : nil }

    /// A business at the center of the town if its location is not known, as in responses.
    private func located(_ record: SookeModel.Business) -> SookeModel.Business {
        guard record.coordinates == nil, let center = town?.center else { return record }
        var shown = record
        (shown.latitude, shown.longitude) = (center.latitude, center.longitude)
        return shown
    }

    private func category(of record: SookeModel.Business) -> SookeModel.Category? {
        record.category.flatMap { tables.categories[slug: $0.text] }
    }

    private func categoryName(of record: SookeModel.Business) -> String? { category(of: record)?.name }

    /// A business; nil if there is none with this slug. Without `now`, what depends on the clock is left out.
    public func business(
        slug: String, in timeZone: Foundation.TimeZone? = nil, at now: Date? = nil
    ) -> BusinessDetails? {
        tables.businesses[slug: slug].map { details($0, at: now.map { clock(at: $0, in: timeZone) }) }
    }

    /// A business; nil if there is none with this ID.
    public func business(id: Int64, in timeZone: Foundation.TimeZone? = nil, at now: Date? = nil) -> BusinessDetails? {
        tables.businesses[Int(id)].map { details($0, at: now.map { clock(at: $0, in: timeZone) }) }
    }

    /// The approved events that have not ended, by the start of the only or next occurrence: those whose name contains
    /// a text, ignoring case, of a type, by its slug. The time zone, by default the town's, is for series without one.
    public func events(
        matching search: String = "", type: String? = nil, in timeZone: Foundation.TimeZone? = nil,
        at now: Date = Date()
    ) -> [EventDetails] {
        let moment = Timestamp(now)
        let listed = tables.events.records(named: search)
            .filter { $0.status == .approved && type.map(Slug.init) ?? $0.eventType == $0.eventType }
            .map { details($0, in: timeZone, at: now, isAlone: false) }
            .filter { (Timestamp(rfc3339: $0.endTime) ?? moment) >= moment }
        // The others are in this order already.
        guard listed.contains(where: { $0.value.hasSeries }) else { return listed }
        return listed.map { (start: Timestamp(rfc3339: $0.startTime) ?? moment, event: $0) }
            .sorted { ($0.start, $0.event.id) < ($1.start, $1.event.id) }
            .map(\.event)
    }

    /// The approved events that have not ended and that the server's `q` finds, the best match first.
    public func events(
        about text: String, type: String? = nil, in timeZone: Foundation.TimeZone? = nil, at now: Date = Date()
    ) -> [EventDetails] {
        guard let query = try? SearchQuery(text) else {
            return events(matching: text, type: type, in: timeZone, at: now)
        }
        return events(type: type, in: timeZone, at: now)
            .ranked(by: query, { $0.value.forEachText }) {
                [
                    .term: $0.joined.eventTypeName, .place: $0.joined.businessName,
                    .synonym: tables.eventTypes[slug: $0.eventTypeSlug]?.synonymText,
                ]
            }
    }

    /// An event of any status; nil if there is none with this slug.
    public func event(slug: String, in zone: Foundation.TimeZone? = nil, at now: Date = Date()) -> EventDetails? {
        tables.events[slug: slug].map { details($0, in: zone, at: now) }
    }

    /// An event of any status; nil if there is none with this ID.
    public func event(id: Int64, in zone: Foundation.TimeZone? = nil, at now: Date = Date()) -> EventDetails? {
        tables.events[Int(id)].map { details($0, in: zone, at: now) }
    }

    private func details(_ record: SookeModel.Business, at clock: HoursClock?) -> BusinessDetails {
        let joined = JoinedInDetails(
            category: categoryName(of: record), openState: clock.map { BusinessOpenState($0.state(of: record)) },
            checked: clock.flatMap { clock in record.confirmedAt.map(clock.elapsed) }, isLocated: isLocated(record))
        var shown = located(record)
        shown.hours = record.hours.rowsOfWeek
        if record.openingHours == nil, !record.hours.isEmpty {
            shown.openingHours = OpeningHours(week: record.hours).text
        }
        return BusinessDetails(shown, joined)
    }

    /// - Parameter isAlone: whether it is no item of a list: then it has the next occurrences of its series.
    private func details(
        _ record: SookeModel.Event, in zone: Foundation.TimeZone?, at now: Date, isAlone: Bool = true
    ) -> EventDetails {
        let business = record.business.flatMap { tables.businesses[slug: $0.text] }
        var shown = record
        if record.latitude == nil || record.longitude == nil {
            (shown.latitude, shown.longitude) = (business?.latitude, business?.longitude)
        }
        shown.timeZone = record.timeZone ?? business?.timeZone ?? (zone ?? timeZone).identifier
        return EventDetails(
            shown,
            record.joined(
                type: tables.eventTypes[slug: record.eventType.text]?.name ?? "", business: business?.name,
                at: Timestamp(now), in: zone ?? timeZone, isAlone: isAlone))
    }
}

extension TownReplica: SavedContent {
    var json: [UInt8] {
        JSONWriter.object { writer in
            if let position { writer.member("position", position) }
            if let updatedAt { writer.member("updated_at", updatedAt.timeIntervalSinceReferenceDate) }
            for kind in Change.Kind.allCases { kind.replica.write(tables, &writer) }
        }
    }

    init(json: [UInt8]) throws(JSONError) {
        var reader = JSONReader(json, limits: .trusted)
        var kinds = Change.Kind.allCases
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch name {
            case "position": position = try reader.readString()
            case "updated_at": updatedAt = Date(timeIntervalSinceReferenceDate: try reader.readDouble())
            default:
                guard let index = kinds.firstIndex(where: { $0.replica.name == name }) else {
                    throw reader.error("an unknown member")
                }
                let kind = kinds.remove(at: index)
                try kind.replica.read(&reader, &tables)
            }
        }
        try reader.finish()
        // An earlier version knew fewer kinds: it begins again with a snapshot.
        if !kinds.isEmpty { position = nil }
    }
}

extension Timestamp {
    fileprivate init(_ date: Date) {
        self.init(microseconds: Int(clamping: (date.timeIntervalSince1970 * 1_000_000).rounded(.down)))
    }
}

extension Array {
    /// The best first, and equal ones in their order.
    func ranked(
        by query: SearchQuery, _ forEachText: (Element) -> ((SearchText) -> Void) -> Void,
        joined: (Element) -> [SearchField: String?]
    ) -> [Element] {
        let scorer = SearchScorer(query)
        func score(_ element: Element) -> Int? {
            var texts = joined(element).compactMap { field, name in name.map { SearchText(field: field, text: $0) } }
            forEachText(element)({ texts.append($0) })
            return scorer.score(of: texts)
        }
        return compactMap { element in score(element).map { (score: $0, element: element) } }
            .enumerated().sorted { ($0.element.score, $0.offset) < ($1.element.score, $1.offset) }
            .map(\.element.element)
    }
}
