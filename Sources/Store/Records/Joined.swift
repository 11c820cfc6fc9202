import SookeModel

/// A record with the records whose names its representation contains, joined in one version of the town.
package enum Joined: Sendable {
    case business(JoinedBusiness)
    case event(JoinedEvent)
    case proposal(JoinedProposal)
    /// A record whose representation contains no other one.
    case plain(any TableRecord)

    package var record: any TableRecord {
        switch self {
        case .business(let joined): joined.record
        case .event(let joined): joined.record
        case .proposal(let joined): joined.record
        case .plain(let record): record
        }
    }
}

package struct JoinedBusiness: Sendable {
    package let record: BusinessRecord
    package let category: TermRecord<CategoryVocabulary>?

    package init(_ record: BusinessRecord, in town: Town) {
        self.record = record
        category = town.category(of: record)
    }
}

package struct JoinedEvent: Sendable {
    package let record: EventRecord
    package let type: TermRecord<EventTypeVocabulary>?
    package let business: BusinessRecord?
    /// The business that organizes it.
    package let host: BusinessRecord?

    package init(_ record: EventRecord, in town: Town) {
        self.record = record
        type = town.eventTypes[record.eventTypeID]
        host = record.value.host.flatMap { town.businesses[$0] }
        business = town.business(of: record)
    }
}

package struct JoinedProposal: Sendable {
    package let record: Proposal
    package let business: BusinessRecord?
    package let event: EventRecord?
    /// The account that sent it; nil for a sender without one.
    package let sender: Person?

    package init(_ record: Proposal, in town: Town) {
        self.record = record
        business = record.business.flatMap { town.businesses[$0] }
        event = record.event.flatMap { town.events[$0] }
        sender = record.submittedBy.flatMap { town.people[$0] }
    }
}

extension Town {
    package func category(of business: BusinessRecord) -> TermRecord<CategoryVocabulary>? {
        business.categoryID.flatMap { self.categories[$0] }
    }

    package func business(of event: EventRecord) -> BusinessRecord? {
        event.businessID.flatMap { self.businesses[$0] }
    }
}
