import BTree
import Bytes
import SookeModel

/// The events, with the indexes that answer questions about them.
public struct EventTable: Sendable {
    private var byID = BTree<Int, EventRecord>()
    private var bySlug = BTree<Slug, EventRecord>()
    private var formerSlugs = FormerSlugs()
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

    /// All events in the order of their numbers.
    public var inOrderOfID: some Sequence<EventRecord> { byID.lazy.map(\.value) }

    /// How many listed events are not over at a moment.
    func countNotOver(at now: Timestamp) -> Int {
        listedByEnd.count - listedByEnd.rank(of: .start(of: now))
    }

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
        guard record.value.status == .approved else { return }
        listedByStart.updateValue(record, forKey: record.startKey)
        listedByEnd.updateValue(record, forKey: record.endKey)
        durations.updateValue((), forKey: DurationKey(record))
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        bySlug.removeValue(forKey: old.value.slug)
        formerSlugs.forget(old.value.formerSlugs, of: id)
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
