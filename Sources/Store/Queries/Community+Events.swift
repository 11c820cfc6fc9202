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

    /// A page of the events of a status, by their number, of which a reader may see those that pass.
    public func events(
        of status: Event.Status, page: PageRequest, where isVisible: (Event) -> Bool
    ) -> Page<EventRecord> {
        let matches = events.inOrderOfID.filter { $0.value.status == status && isVisible($0.value) }
        return Page(of: matches, page)
    }

    /// How many of a person's events have a status.
    public func eventCount(of status: Event.Status, submittedBy person: Int) -> Int {
        events.inOrderOfID.reduce(0) {
            $0 + ($1.value.status == status && $1.value.submittedBy == person ? 1 : 0)
        }
    }

    /// A page of the people with accounts, by their number; with an e-mail address, the one who has it.
    public func people(email: String? = nil, page: PageRequest) -> Page<Person> {
        guard let email else { return Page(of: people.inOrderOfID, page) }
        return Page(of: CollectionOfOne(people[email: email]).compactMap(\.self), page)
    }
}
