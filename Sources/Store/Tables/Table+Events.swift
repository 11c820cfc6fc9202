import Bytes
import JSON
import SookeModel

package struct EventIndexes: TableIndexes {
    package typealias Record = EventRecord

    var bySlug = KeyIndex<Slug, EventRecord> { $0.value.slug }
    var formerSlugs = FormerSlugIndex<EventRecord> { $0.value.formerSlugs }
    /// The slugs that events had before they were public for the first time.
    var pendingSlugs = FormerSlugIndex<EventRecord> { event in
        [event.value.pendingSlug].compactMap(\.self).filter { $0 != event.value.slug }
    }
    var byStatus = KeyIndex<GroupKey, EventRecord> { event in
        event.value.withdrawnAt == nil ? GroupKey(group: event.value.status.rank, id: event.id) : nil
    }
    /// Only approved events that take place once: the others are not listed, or are in a series.
    var listedByEnd = KeyIndex<MomentKey, EventRecord> { event in
        event.isListed && !event.isSeries ? MomentKey(moment: event.single.overAt, id: event.id) : nil
    }
    var search = SearchIndex<EventRecord>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<EventRecord>) {
        visitor.visit(&bySlug)
        visitor.visit(&formerSlugs)
        visitor.visit(&pendingSlugs)
        visitor.visit(&byStatus)
        visitor.visit(&listedByEnd)
        visitor.visit(&search)
    }
}

extension Table<EventRecord> {
    /// Those that their calendars no longer have, since a time.
    func withdrawn(since moment: Timestamp) -> [EventRecord] {
        inOrderOfID.filter { $0.value.withdrawnAt.map { $0 >= moment } ?? false }
    }

    package subscript(slug: Slug) -> EventRecord? { indexes.bySlug[slug] }

    package subscript(formerly slug: Slug) -> EventRecord? {
        self[slug] == nil ? indexes.formerSlugs[slug].flatMap { self[$0] } : nil
    }

    /// The public event that had a slug before, even when an event that is not public has it now.
    package func publicEvent(formerly slug: Slug) -> EventRecord? {
        indexes.formerSlugs.holders(of: slug).lazy.compactMap { self[$0] }.first { $0.isPublic }
    }

    package subscript(pending slug: Slug) -> EventRecord? { indexes.pendingSlugs[slug].flatMap { self[$0] } }

    func run(of status: Event.Status) -> SortedMap<GroupKey, EventRecord>.SubSequence {
        indexes.byStatus.records.elements(in: GroupKey.range(of: status.rank))
    }

    func hidden(of status: Event.Status, where isIncluded: (EventRecord) -> Bool) -> [EventRecord] {
        status.isPublic ? [] : run(of: status).map(\.value).filter(isIncluded)
    }

    /// The public events of a submitter that may not be over at a time, by their end, then all series.
    func shown(submittedBy person: Int, endingAfter now: Timestamp) -> [EventRecord] {
        func end(_ event: EventRecord) -> Timestamp { event.isSeries ? .endOfTime : event.single.overAt }
        return inOrderOfID.filter { $0.isPublic && $0.value.submittedBy == person && end($0) >= now }
            .sorted { end($0) < end($1) }
    }

    var listedSeries: [EventRecord] { inOrderOfID.filter { $0.isListed && $0.isSeries } }

    /// Of the listed events that take place once.
    func nextEnd(at now: Timestamp) -> Timestamp? {
        indexes.listedByEnd.records.elements(from: .start(of: now)).first?.key.moment
    }

    /// The listed events that take place once, by their end.
    func listed(endingFrom moment: Timestamp) -> some Sequence<EventRecord> {
        indexes.listedByEnd.records.elements(from: .start(of: moment)).lazy.map(\.value)
    }
}

extension EventRecord: TableRecord {
    package static var table: TablePath<EventRecord> { \.events }

    package typealias Indexes = EventIndexes

    package var id: Int { value.id }
    package var isPublic: Bool { value.isPublic }

    package func joined(in town: Town) -> Joined { .event(JoinedEvent(self, in: town)) }

    package var memory: Int {
        // The texts are in the value too.
        600 + 2 * (head.count + middle.count) + (value.reason?.utf8.count ?? 0)
            + (value.exdates.count + value.rdates.count) * 8 + value.overrides.count * 64
    }

    package static func make(
        _ value: Event, in town: Town, after existing: EventRecord?
    ) throws(InapplicableChange) -> EventRecord {
        let eventTypeID = try town.known(
            town.eventTypes[value.eventType]?.value.id, .eventType, value.eventType)
        let businessID = try value.business.map { slug throws(InapplicableChange) in
            try town.known(town.businesses[slug]?.id, .business, slug)
        }
        guard let record = EventRecord(value, eventTypeID: eventTypeID, businessID: businessID) else {
            throw InapplicableChange(description: "the event \(value.id) has no start")
        }
        return record
    }

    var isListed: Bool { value.status == .approved && isPublic }
}

extension Event.Status {
    fileprivate var rank: Int {
        switch self {
        case .draft: 0
        case .pendingReview: 1
        case .approved: 2
        case .cancelled: 3
        case .rejected: 4
        }
    }
}
