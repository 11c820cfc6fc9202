import SookeModel

/// A record with the records whose names its representation contains, joined in one version of the town.
public protocol JoinedRecord<Record>: Sendable {
    /// The record in its table.
    associatedtype Record: TableRecord

    /// The record itself.
    var record: Record { get }

    /// Joins a record.
    init(_ record: Record, in town: Town)
}

/// A record whose representation contains no other one.
public struct PlainRecord<Record: TableRecord>: JoinedRecord {
    /// The record itself.
    public let record: Record

    /// The record alone.
    public init(_ record: Record) {
        self.record = record
    }

    /// The record alone.
    public init(_ record: Record, in town: Town) {
        self.record = record
    }
}

/// A business with its category.
public struct JoinedBusiness: JoinedRecord {
    public let record: BusinessRecord
    /// Its category; nil for a business without one.
    public let category: TermRecord<CategoryVocabulary>?

    /// Joins a business.
    public init(_ record: BusinessRecord, in town: Town) {
        self.record = record
        category = record.categoryID.flatMap { town.categories[$0] }
    }
}

/// An event with its type and its business.
public struct JoinedEvent: JoinedRecord {
    public let record: EventRecord
    public let type: TermRecord<EventTypeVocabulary>?
    /// The business where it takes place.
    public let business: BusinessRecord?

    /// Joins an event.
    public init(_ record: EventRecord, in town: Town) {
        self.record = record
        type = town.eventTypes[record.eventTypeID]
        business = town.business(of: record)
    }
}

extension Town {
    /// The business where an event takes place; nil for an event at none.
    public func business(of event: EventRecord) -> BusinessRecord? {
        event.businessID.flatMap { self.businesses[$0] }
    }
}
