import Bytes
import JSON
import SookeModel

package struct EventIndexes: TableIndexes {
    package typealias Record = EventRecord

    var bySlug = KeyIndex<BySlug>()
    var formerSlugs = FormerSlugIndex<Former>()
    /// The slugs that events had before they were public for the first time.
    var pendingSlugs = FormerSlugIndex<Pending>()
    var byStatus = KeyIndex<ByStatus>()
    /// The public events by submitter and end; those of series come last.
    var publicBySubmitter = KeyIndex<PublicBySubmitter>()
    /// Only approved events: the others are not listed. Those of series are in an index of their own.
    var listedByStart = KeyIndex<ByStart>()
    var listedByEnd = KeyIndex<ByEnd>()
    /// The duration of each listed event: the longest says how far back a current event may have begun.
    var durations = KeyIndex<ByDuration>()
    /// The listed events in series, by ID.
    var listedSeries = KeyIndex<ListedSeries>()
    var withdrawn = KeyIndex<Withdrawn>()
    var search = SearchIndex<EventRecord>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<EventRecord>) {
        visitor.visit(&bySlug)
        visitor.visit(&formerSlugs)
        visitor.visit(&pendingSlugs)
        visitor.visit(&byStatus)
        visitor.visit(&publicBySubmitter)
        visitor.visit(&listedByStart)
        visitor.visit(&listedByEnd)
        visitor.visit(&durations)
        visitor.visit(&listedSeries)
        visitor.visit(&withdrawn)
        visitor.visit(&search)
    }

    enum BySlug: IndexKey {
        static func key(of record: EventRecord) -> Slug? { record.value.slug }
    }

    enum Former: FormerSlugs {
        static func slugs(of record: EventRecord) -> [Slug] { record.value.formerSlugs }
    }

    enum Pending: FormerSlugs {
        static func slugs(of record: EventRecord) -> [Slug] {
            if let slug = record.value.pendingSlug, slug != record.value.slug { [slug] } else { [] }
        }
    }

    enum ByStatus: IndexKey {
        static func key(of record: EventRecord) -> StatusKey? {
            record.value.withdrawnAt == nil ? StatusKey(record) : nil
        }
    }

    enum PublicBySubmitter: IndexKey {
        static func key(of record: EventRecord) -> PersonMomentKey? {
            guard record.isPublic, let person = record.value.submittedBy else { return nil }
            let end = record.isSeries ? Timestamp.endOfTime : record.single.overAt
            return PersonMomentKey(person: person, moment: MomentKey(moment: end, id: record.id))
        }
    }

    enum ByStart: IndexKey {
        static func key(of record: EventRecord) -> MomentKey? { record.isListedOnce ? record.startKey : nil }
    }

    enum ByEnd: IndexKey {
        static func key(of record: EventRecord) -> MomentKey? { record.isListedOnce ? record.endKey : nil }
    }

    enum ByDuration: IndexKey {
        static func key(of record: EventRecord) -> GroupKey? {
            guard record.isListedOnce else { return nil }
            let duration = record.single.overAt.microseconds - record.startsAt.microseconds
            return GroupKey(group: duration, id: record.id)
        }
    }

    enum ListedSeries: IndexKey {
        static func key(of record: EventRecord) -> Int? { record.isListed && record.isSeries ? record.id : nil }
    }
}

extension EventIndexes {
    enum Withdrawn: IndexKey {
        static func key(of record: EventRecord) -> MomentKey? {
            record.value.withdrawnAt.map { MomentKey(moment: $0, id: record.id) }
        }
    }
}

extension Table<EventRecord> {
    /// Those that their calendars no longer have, since a time.
    func withdrawn(since moment: Timestamp) -> some Sequence<EventRecord> {
        indexes.withdrawn.records.elements(from: .start(of: moment)).lazy.map(\.value)
    }

    package subscript(slug: Slug) -> EventRecord? { indexes.bySlug[slug] }

    /// Nil when an event has the slug now.
    package subscript(formerly slug: Slug) -> EventRecord? {
        self[slug] == nil ? indexes.formerSlugs[slug].flatMap { self[$0] } : nil
    }

    /// The public event that had a slug before, even when an event that is not public has it now.
    package func publicEvent(formerly slug: Slug) -> EventRecord? {
        indexes.formerSlugs.holders(of: slug).lazy.compactMap { self[$0] }.first { $0.isPublic }
    }

    package subscript(pending slug: Slug) -> EventRecord? { indexes.pendingSlugs[slug].flatMap { self[$0] } }

    func run(of status: Event.Status) -> SortedMap<StatusKey, EventRecord>.SubSequence {
        indexes.byStatus.records.elements(in: StatusKey.range(of: status))
    }

    /// Those that are not public.
    func hidden(of status: Event.Status, where isIncluded: (EventRecord) -> Bool) -> [EventRecord] {
        status.isPublic ? [] : run(of: status).map(\.value).filter(isIncluded)
    }

    /// The public events of a submitter that may not be over at a time: all series, and others that end later.
    func shown(
        submittedBy person: Int, endingAfter now: Timestamp
    ) -> SortedMap<PersonMomentKey, EventRecord>.SubSequence {
        let last = MomentKey(moment: Timestamp.endOfTime, id: .max)
        return indexes.publicBySubmitter.records.elements(
            in: PersonMomentKey(person: person, moment: .start(of: now))..<PersonMomentKey(person: person, moment: last)
        )
    }

    var listedSeries: some Sequence<EventRecord> { indexes.listedSeries.records.lazy.map(\.value) }

    /// Of the listed events that take place once.
    func nextEnd(at now: Timestamp) -> Timestamp? {
        indexes.listedByEnd.records.elements(from: .start(of: now)).first?.key.moment
    }

    func listed(endingFrom moment: Timestamp) -> some Sequence<EventRecord> {
        indexes.listedByEnd.records.elements(from: .start(of: moment)).lazy.map(\.value)
    }

    /// The listed events that take place once, by their start, from the first that may not have ended at a time to
    /// the last one before another time.
    func listed(from now: Timestamp, until end: Timestamp? = nil) -> SortedMap<MomentKey, EventRecord>.SubSequence {
        let longest = indexes.durations.records.last?.key.group ?? 0
        let (earliest, overflow) = now.microseconds.subtractingReportingOverflow(longest)
        let first = MomentKey.start(of: Timestamp(microseconds: overflow ? .min : earliest))
        guard let end else { return indexes.listedByStart.records.elements(from: first) }
        return indexes.listedByStart.records.elements(in: first..<max(first, .start(of: end)))
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

    /// - Throws: when its type or its business does not exist, or it has no start.
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

    fileprivate var isListedOnce: Bool { isListed && !isSeries }
}

/// The key of a record in a list by status, or in a group of one status, such as the proposals of an account.
struct StatusKey: Comparable, Sendable {
    let group: Int
    let status: Int
    let id: Int

    init(group: Int, status: Int, id: Int) {
        (self.group, self.status, self.id) = (group, status, id)
    }

    init(_ record: EventRecord) {
        self.init(group: 0, status: record.value.status.rank, id: record.value.id)
    }

    static func range(of status: Event.Status) -> Range<StatusKey> { range(of: status.rank, in: 0) }

    static func range(of status: Int, in group: Int) -> Range<StatusKey> {
        StatusKey(group: group, status: status, id: .min)..<StatusKey(group: group, status: status, id: .max)
    }

    static func < (left: StatusKey, right: StatusKey) -> Bool {
        (left.group, left.status, left.id) < (right.group, right.status, right.id)
    }
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
