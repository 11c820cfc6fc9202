import BTree
import Bytes
import SookeModel

/// The events, with the indexes that answer questions about them.
public struct EventTable: Sendable {
    private var byID = BTree<Int, EventRecord>()
    private var bySlug = BTree<Slug, EventRecord>()
    private var formerSlugs = FormerSlugs()
    /// The slugs that events had before they were public for the first time.
    private var pendingSlugs = FormerSlugs()
    /// All events by status and number.
    private var byStatus = BTree<StatusKey, EventRecord>()
    /// The events that are not public, by who submitted them and by the business where they happen.
    private var hiddenBySubmitter = BTree<StatusKey, EventRecord>()
    private var hiddenByBusiness = BTree<StatusKey, EventRecord>()
    /// Only approved events: the others are not listed.
    private(set) var listedByStart = BTree<MomentKey, EventRecord>()
    private(set) var listedByEnd = BTree<MomentKey, EventRecord>()
    /// How long each listed event lasts, in microseconds: the longest tells how far back a running one may have begun.
    private var durations = BTree<DurationKey, Void>()

    /// How many there are, those not public included.
    public var count: Int { byID.count }

    /// The event of a number.
    public subscript(id: Int) -> EventRecord? { byID[id] }

    /// The event of a slug, whatever its status.
    public subscript(slug: Slug) -> EventRecord? { bySlug[slug] }

    /// The event that had a slug before; nil when one has it now.
    public subscript(formerly slug: Slug) -> EventRecord? {
        bySlug[slug] == nil ? formerSlugs[slug].flatMap { byID[$0] } : nil
    }

    /// The public event that had a slug before, also when one that is not public has it now.
    public func publicEvent(formerly slug: Slug) -> EventRecord? {
        formerSlugs.holders(of: slug).lazy.compactMap { byID[$0] }.first { $0.value.status.isPublic }
    }

    /// The event that had a slug before it was public for the first time.
    public subscript(pending slug: Slug) -> EventRecord? { pendingSlugs[slug].flatMap { byID[$0] } }

    /// The events of a status by their number.
    func run(of status: Event.Status) -> BTree<StatusKey, EventRecord>.Elements {
        byStatus.elements(in: StatusKey.range(of: status))
    }

    /// The events of a status that is not public, by their number: those that a person has submitted.
    func hiddenRun(of status: Event.Status, submittedBy person: Int) -> BTree<StatusKey, EventRecord>.Elements {
        hiddenBySubmitter.elements(in: StatusKey.range(of: status, in: person))
    }

    /// The events of a status that is not public, by their number: those at a business.
    func hiddenRun(of status: Event.Status, atBusiness id: Int) -> BTree<StatusKey, EventRecord>.Elements {
        hiddenByBusiness.elements(in: StatusKey.range(of: status, in: id))
    }

    /// All events in the order of their numbers.
    public var inOrderOfID: some Sequence<EventRecord> { byID.lazy.map(\.value) }

    /// When the next listed event is over that is not over at a moment; nil when there is none.
    public func nextEnd(at now: Timestamp) -> Timestamp? {
        listedByEnd.elements(from: .start(of: now)).first { _ in true }?.key.moment
    }

    /// The first rank in `listedByStart` at which an event that is not over at a moment can stand.
    func firstRankNotOver(at now: Timestamp) -> Int {
        let longest = durations.last?.key.microseconds ?? 0
        let (earliest, overflow) = now.microseconds.subtractingReportingOverflow(longest)
        return overflow ? 0 : listedByStart.rank(of: .start(of: Timestamp(microseconds: earliest)))
    }

    mutating func put(_ record: EventRecord) {
        remove(id: record.value.id)
        byID.updateValue(record, forKey: record.value.id)
        bySlug.updateValue(record, forKey: record.value.slug)
        formerSlugs.note(record.value.formerSlugs, of: record.value.id)
        pendingSlugs.note(record.formerPendingSlug, of: record.value.id)
        byStatus.updateValue(record, forKey: StatusKey(record))
        if !record.value.status.isPublic {
            if let person = record.value.submittedBy {
                hiddenBySubmitter.updateValue(record, forKey: StatusKey(record, in: person))
            }
            if let business = record.businessID {
                hiddenByBusiness.updateValue(record, forKey: StatusKey(record, in: business))
            }
        }
        guard record.value.status == .approved else { return }
        listedByStart.updateValue(record, forKey: record.startKey)
        listedByEnd.updateValue(record, forKey: record.endKey)
        durations.updateValue((), forKey: DurationKey(record))
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        bySlug.removeValue(forKey: old.value.slug)
        formerSlugs.forget(old.value.formerSlugs, of: id)
        pendingSlugs.forget(old.formerPendingSlug, of: id)
        byStatus.removeValue(forKey: StatusKey(old))
        if !old.value.status.isPublic {
            if let person = old.value.submittedBy { hiddenBySubmitter.removeValue(forKey: StatusKey(old, in: person)) }
            if let business = old.businessID { hiddenByBusiness.removeValue(forKey: StatusKey(old, in: business)) }
        }
        guard old.value.status == .approved else { return }
        listedByStart.removeValue(forKey: old.startKey)
        listedByEnd.removeValue(forKey: old.endKey)
        durations.removeValue(forKey: DurationKey(old))
    }
}

private struct DurationKey: Comparable, Sendable {
    let microseconds: Int
    let id: Int

    init(_ record: EventRecord) {
        microseconds = record.isOverAt.microseconds - record.startsAt.microseconds
        id = record.value.id
    }

    static func < (left: DurationKey, right: DurationKey) -> Bool {
        (left.microseconds, left.id) < (right.microseconds, right.id)
    }
}

/// The place of an event in a list by status, or among those of one status that share a person or a business.
struct StatusKey: Comparable, Sendable {
    let group: Int
    let status: Int
    let id: Int

    private init(group: Int, status: Event.Status, id: Int) {
        (self.group, self.id) = (group, id)
        self.status =
            switch status {
            case .draft: 0
            case .pendingReview: 1
            case .approved: 2
            case .cancelled: 3
            case .rejected: 4
            }
    }

    init(_ record: EventRecord, in group: Int = 0) {
        self.init(group: group, status: record.value.status, id: record.value.id)
    }

    /// The places of all events of a status in a group.
    static func range(of status: Event.Status, in group: Int = 0) -> Range<StatusKey> {
        StatusKey(group: group, status: status, id: .min)..<StatusKey(group: group, status: status, id: .max)
    }

    static func < (left: StatusKey, right: StatusKey) -> Bool {
        (left.group, left.status, left.id) < (right.group, right.status, right.id)
    }
}

extension EventRecord {
    /// The slug that it had before it was public for the first time, if it has another one now.
    fileprivate var formerPendingSlug: [Slug] {
        if let slug = value.pendingSlug, slug != value.slug { [slug] } else { [] }
    }
}
