import Bytes
import Foundation
import SookeModel

/// All records of a town that a client may see, at one position of the feed.
///
/// It is a value: `apply` makes the next version from a whole commit, so no list and no detail ever disagree. Records
/// refer to others by slug, and names are joined when they are read.
public struct TownReplica: Sendable, Equatable, Codable {
    /// The position in the feed; nil before the first whole version.
    public private(set) var position: String?
    /// When the records were known to be current; nil before the first whole version.
    public private(set) var updatedAt: Date?

    private var categoryTable = ReplicaTable<Category>()
    private var eventTypeTable = ReplicaTable<EventType>()
    private var businessTable = ReplicaTable<BusinessRecord>()
    private var eventTable = ReplicaTable<EventRecord>()

    /// A replica that contains nothing yet.
    public init() {}

    /// Applies an element of the feed.
    ///
    /// - Parameter now: when it was received.
    /// - Returns: whether records have changed.
    public mutating func apply(_ element: LiveChanges.Element, at now: Date) -> Bool {
        switch element {
        case .connected, .disconnected, .revoked: return false
        case .bookmark(let position):
            (self.position, updatedAt) = (position, now)
            return false
        case .whole(let records, let position):
            let before = self
            self = TownReplica(records)
            (self.position, updatedAt) = (position, now)
            return before.position == nil || !hasSameRecords(as: before)
        case .changes(let changes, let position):
            for change in changes { apply(change) }
            (self.position, updatedAt) = (position, now)
            return true
        }
    }

    /// Whether two replicas have the same records, at any positions.
    public func hasSameRecords(as other: TownReplica) -> Bool {
        categoryTable == other.categoryTable && eventTypeTable == other.eventTypeTable
            && businessTable == other.businessTable && eventTable == other.eventTable
    }

    /// The records of a whole version.
    private init(_ changes: [Change]) {
        var (categories, eventTypes) = ([Category](), [EventType]())
        var (businesses, events) = ([BusinessRecord](), [EventRecord]())
        for change in changes {
            switch change.record {
            case .category(let record)?: categories.append(record)
            case .eventType(let record)?: eventTypes.append(record)
            case .business(let record)?: businesses.append(record)
            case .event(let record)?: events.append(record)
            case nil: break
            }
        }
        (categoryTable, eventTypeTable) = (ReplicaTable(categories), ReplicaTable(eventTypes))
        (businessTable, eventTable) = (ReplicaTable(businesses), ReplicaTable(events))
    }

    private mutating func apply(_ change: Change) {
        switch change.record {
        case .category(let record)?: categoryTable.insert(record)
        case .eventType(let record)?: eventTypeTable.insert(record)
        case .business(let record)?: businessTable.insert(record)
        case .event(let record)?: eventTable.insert(record)
        case nil:
            switch change.kind {
            case .category: categoryTable.remove(change.id)
            case .eventType: eventTypeTable.remove(change.id)
            case .business: businessTable.remove(change.id)
            case .event: eventTable.remove(change.id)
            }
        }
    }
}

// MARK: - Reading

extension TownReplica {
    /// The categories by name.
    public var categories: [Category] { categoryTable.records }

    /// The types of events by name.
    public var eventTypes: [EventType] { eventTypeTable.records }

    /// A category.
    public func category(id: Int64) -> Category? { categoryTable[id] }

    /// A type of events.
    public func eventType(id: Int64) -> EventType? { eventTypeTable[id] }

    /// The businesses that are listed, by name.
    ///
    /// - Parameters:
    ///   - search: only businesses whose name contains this text, ignoring case; all if it is empty.
    ///   - category: only businesses of the category with this slug.
    ///   - timeZone: where `todayHours` are those of the day of `now`.
    public func businesses(
        matching search: String = "", category: String? = nil, in timeZone: Foundation.TimeZone = .current,
        at now: Date = Date()
    ) -> [Business] {
        let day = LocalTime(now, in: timeZone).dayOfWeek
        return businessTable.records(named: CaseFolding.fold(search), where: CaseFolding.contains).compactMap {
            // Its owner also sees a business without a category, which is not listed.
            guard let slug = $0.categorySlug, category ?? slug == slug else { return nil }
            return Business($0, categoryName: categoryTable[slug: slug]?.name ?? "", dayOfWeek: day)
        }
    }

    /// A business in a list; nil if there is none.
    ///
    /// - Parameter timeZone: where `todayHours` are those of the day of `now`.
    public func listedBusiness(
        id: Int64, in timeZone: Foundation.TimeZone = .current, at now: Date = Date()
    ) -> Business? {
        guard let record = businessTable[id], let slug = record.categorySlug else { return nil }
        let day = LocalTime(now, in: timeZone).dayOfWeek
        return Business(record, categoryName: categoryTable[slug: slug]?.name ?? "", dayOfWeek: day)
    }

    /// A business; nil if there is none with this slug.
    public func business(slug: String) -> BusinessDetails? { businessTable[slug: slug].map(details) }

    /// A business; nil if there is none with this ID.
    public func business(id: Int64) -> BusinessDetails? { businessTable[id].map(details) }

    /// The approved events that have not ended, by start.
    ///
    /// - Parameters:
    ///   - search: only events whose name contains this text, ignoring case; all if it is empty.
    ///   - type: only events of the type with this slug.
    public func events(matching search: String = "", type: String? = nil, at now: Date = Date()) -> [EventDetails] {
        let moment = Int((now.timeIntervalSince1970 * 1_000_000).rounded(.down))
        return eventTable.records(named: CaseFolding.fold(search), where: CaseFolding.contains)
            .filter { event in
                event.status == "approved" && type ?? event.eventTypeSlug == event.eventTypeSlug
                    && (Timestamp(rfc3339: event.endTime)?.microseconds ?? event.sortKey) >= moment
            }
            .map(details)
    }

    /// An event of any status; nil if there is none with this slug.
    public func event(slug: String) -> EventDetails? { eventTable[slug: slug].map(details) }

    /// An event of any status; nil if there is none with this ID.
    public func event(id: Int64) -> EventDetails? { eventTable[id].map(details) }

    private func details(_ record: BusinessRecord) -> BusinessDetails {
        BusinessDetails(
            id: record.id, name: record.name, slug: record.slug, description: record.description,
            categoryName: record.categorySlug.flatMap { categoryTable[slug: $0]?.name } ?? "",
            categorySlug: record.categorySlug ?? "", address: record.address, latitude: record.latitude,
            longitude: record.longitude, phone: record.phone, email: record.email, website: record.website,
            hours: record.hours, menus: record.menus)
    }

    private func details(_ record: EventRecord) -> EventDetails {
        let business = record.businessSlug.flatMap { businessTable[slug: $0] }
        let hasPlace = record.latitude != nil && record.longitude != nil
        return EventDetails(
            id: record.id, name: record.name, slug: record.slug, description: record.description,
            eventTypeName: eventTypeTable[slug: record.eventTypeSlug]?.name ?? "",
            eventTypeSlug: record.eventTypeSlug, latitude: hasPlace ? record.latitude : business?.latitude,
            longitude: hasPlace ? record.longitude : business?.longitude, startTime: record.startTime,
            endTime: record.endTime, status: record.status, businessName: business?.name,
            businessSlug: record.businessSlug)
    }
}

extension Business {
    /// A business of a replica in a list.
    fileprivate init(_ record: BusinessRecord, categoryName: String, dayOfWeek: Int) {
        self.init(
            id: record.id, name: record.name, slug: record.slug, description: record.description,
            categoryName: categoryName, categorySlug: record.categorySlug ?? "", address: record.address,
            latitude: record.latitude, longitude: record.longitude, phone: record.phone, email: record.email,
            website: record.website, todayHours: record.hours.first { $0.dayOfWeek == dayOfWeek })
    }
}
