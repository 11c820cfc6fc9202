import SookeModel

/// A record with the records whose names its representation contains, joined in one version of the town.
package protocol JoinedRecord<Record>: Sendable {
    associatedtype Record: TableRecord

    var record: Record { get }
    init(_ record: Record, in town: Town)
}

/// A record whose representation contains no other one.
package struct PlainRecord<Record: TableRecord>: JoinedRecord {
    package let record: Record

    package init(_ record: Record) {
        self.record = record
    }

    package init(_ record: Record, in town: Town) {
        self.record = record
    }
}

package struct JoinedBusiness: JoinedRecord {
    package let record: BusinessRecord
    package let category: TermRecord<CategoryVocabulary>?

    package init(_ record: BusinessRecord, in town: Town) {
        self.record = record
        category = record.categoryID.flatMap { town.categories[$0] }
    }
}

package struct JoinedEvent: JoinedRecord {
    package let record: EventRecord
    package let type: TermRecord<EventTypeVocabulary>?
    package let business: BusinessRecord?

    package init(_ record: EventRecord, in town: Town) {
        self.record = record
        type = town.eventTypes[record.eventTypeID]
        business = town.business(of: record)
    }
}

extension Town {
    package func business(of event: EventRecord) -> BusinessRecord? {
        event.businessID.flatMap { self.businesses[$0] }
    }
}
