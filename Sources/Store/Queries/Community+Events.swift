import Bytes
import SookeModel

/// Which events are asked for.
public struct EventQuery: Sendable {
    /// Only those whose name holds this text, letter case aside.
    public var search: String?
    /// Only those of one of these types; nil for all of them.
    public var eventTypes: [Slug]?
    /// Only those that are not over at this moment.
    public var now: Timestamp

    /// All listed events that are not over.
    public init(search: String? = nil, eventTypes: [Slug]? = nil, now: Timestamp) {
        self.search = search
        self.eventTypes = eventTypes
        self.now = now
    }
}

extension Community {
    /// A page of the listed events that a query asks for, by their start.
    public func events(_ query: EventQuery, page: PageRequest) -> Page<EventRecord> {
        let types = query.eventTypes.map { slugs in Set(slugs.compactMap { eventTypes[$0]?.value.id }) }
        let needle = query.search.map(CaseFolding.fold)
        let candidates = events.listedByStart.elements(at: events.firstRankNotOver(at: query.now))
        let matches = candidates.lazy.map(\.value).filter { event in
            event.isOverAt >= query.now
                && types?.contains(event.eventTypeID) != false
                && needle.map { CaseFolding.contains(event.foldedName, $0) } != false
        }
        return Page(of: matches, page)
    }

    /// A page of the events of a status, by their number.
    public func events(of status: Event.Status, page: PageRequest) -> Page<EventRecord> {
        let run = events.run(of: status)
        let wanted = page.ranks(in: run.count)
        let records = run.dropFirst(wanted.lowerBound).prefix(wanted.count).map(\.value)
        return Page(records: records, request: page, total: run.count)
    }

    /// A page of the events of a status that is not public, by their number, of which a person knows: those that they
    /// submitted and those at the businesses that they own.
    ///
    /// - Parameter isOwner: whether they decide on what happens at their businesses.
    public func events(
        of status: Event.Status, page: PageRequest, knownTo person: Int, isOwner: Bool
    ) -> Page<EventRecord> {
        var known: [Int: EventRecord] = [:]
        for (key, event) in events.hiddenRun(of: status, submittedBy: person) { known[key.id] = event }
        for business in isOwner ? businesses.owned(by: person) : [] {
            for (key, event) in events.hiddenRun(of: status, atBusiness: business) { known[key.id] = event }
        }
        return Page(of: known.sorted { $0.key < $1.key }.lazy.map(\.value), page)
    }

    /// How many events of a person have a status that is not public.
    public func hiddenEventCount(of status: Event.Status, submittedBy person: Int) -> Int {
        events.hiddenRun(of: status, submittedBy: person).count
    }

    /// A page of the people with accounts, by their number; with an e-mail address, the one who has it.
    public func people(email: String? = nil, page: PageRequest) -> Page<Person> {
        guard let email else { return Page(of: people.inOrderOfID, page) }
        return Page(of: CollectionOfOne(people[email: email]).compactMap(\.self), page)
    }
}
