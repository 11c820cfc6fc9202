import SookeModel
import Store

/// A record with the records whose names its representation contains, joined in one version of the town.
public enum JoinedRecord: Sendable {
    /// A category.
    case category(TermRecord<CategoryVocabulary>)
    /// An event type.
    case eventType(TermRecord<EventTypeVocabulary>)
    /// A business with its category.
    case business(BusinessRecord, category: TermRecord<CategoryVocabulary>?)
    /// An event with its type and its business.
    case event(EventRecord, type: TermRecord<EventTypeVocabulary>?, business: BusinessRecord?)
    /// An account.
    case person(Person)

    /// Joins a business.
    public init(_ business: BusinessRecord, in community: Community) {
        self = .business(business, category: business.categoryID.flatMap { community.categories[$0] })
    }

    /// Joins an event.
    public init(_ event: EventRecord, in community: Community) {
        self = .event(
            event, type: community.eventTypes[event.eventTypeID],
            business: event.businessID.flatMap { community.businesses[$0] })
    }

    /// Finds a record by its ID and joins it; nil when there is none, or when its kind has no representation.
    init?(_ kind: RecordKind, id: Int, in community: Community) {
        switch kind {
        case .category:
            guard let term = community.categories[id] else { return nil }
            self = .category(term)
        case .eventType:
            guard let term = community.eventTypes[id] else { return nil }
            self = .eventType(term)
        case .business:
            guard let business = community.businesses[id] else { return nil }
            self.init(business, in: community)
        case .event:
            guard let event = community.events[id] else { return nil }
            self.init(event, in: community)
        case .person:
            guard let person = community.people[id] else { return nil }
            self = .person(person)
        case .password, .credential, .receipt: return nil
        }
    }

    /// Finds a record that was changed in the transaction.
    ///
    /// - Throws: `notFound`, when the transaction itself has deleted the record.
    static func find(_ kind: RecordKind, id: Int, in community: Community) throws(ServiceError) -> JoinedRecord {
        guard let record = JoinedRecord(kind, id: id, in: community) else { throw .notFound(.record(kind)) }
        return record
    }

    /// The kind of the record.
    public var kind: RecordKind {
        switch self {
        case .category: .category
        case .eventType: .eventType
        case .business: .business
        case .event: .event
        case .person: .person
        }
    }

    /// The ID of the record.
    public var id: Int {
        switch self {
        case .category(let term): term.value.id
        case .eventType(let term): term.value.id
        case .business(let business, _): business.id
        case .event(let event, _, _): event.value.id
        case .person(let person): person.id
        }
    }

    /// The digest of the stored record, by which preconditions compare versions.
    public var digest: UInt64 {
        switch self {
        case .category(let term): term.digest
        case .eventType(let term): term.digest
        case .business(let business, _): business.digest
        case .event(let event, _, _): event.digest
        case .person(let person): person.digest
        }
    }

    /// Whether the record is visible to a caller.
    func isVisible(to caller: Caller, in community: Community) -> Bool {
        switch self {
        case .category, .eventType: true
        case .business(let business, _): business.isVisible(to: caller, in: community)
        case .event(let event, _, _): event.value.isVisible(to: caller, in: community)
        case .person(let person): caller.personID == person.id || caller.isSuperAdmin(in: community)
        }
    }
}
