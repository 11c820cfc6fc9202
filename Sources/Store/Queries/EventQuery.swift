import Bytes
import SookeModel

/// A query of events.
public struct EventQuery: Sendable {
    /// Only events whose name contains this text, ignoring case.
    public var search: String?
    /// Only events of one of these types; nil for all types.
    public var eventTypes: [Slug]?
    /// Only events that have not ended at this moment.
    public var now: Timestamp

    /// All listed events that have not ended.
    public init(search: String? = nil, eventTypes: [Slug]? = nil, now: Timestamp) {
        self.search = search
        self.eventTypes = eventTypes
        self.now = now
    }
}

/// A query of the events of one status, by ID.
public struct EventStatusQuery: Sendable {
    /// The status of the events.
    public var status: Event.Status
    /// Only events that this person may read; nil for all events.
    public var visibleTo: Reader?

    /// A person who may read events that are not public.
    public struct Reader: Sendable {
        /// The person's ID. They may read events that they submitted.
        public var id: Int
        /// Whether they may also read events at the businesses that they own.
        public var isOwner: Bool

        /// A person.
        public init(id: Int, isOwner: Bool) {
            (self.id, self.isOwner) = (id, isOwner)
        }
    }

    /// All events of a status.
    public init(_ status: Event.Status, visibleTo: Reader? = nil) {
        (self.status, self.visibleTo) = (status, visibleTo)
    }
}

extension Community {
    /// A page of the listed events that match a query, by their start.
    public func page(_ request: PageRequest, of query: EventQuery) -> Page<EventRecord> {
        var candidates = Candidates(self.events.listed(from: query.now)).filter { $0.effectiveEnd >= query.now }
        if let slugs = query.eventTypes {
            let types = Set(slugs.compactMap { self.eventTypes[$0]?.id })
            candidates = candidates.filter { types.contains($0.eventTypeID) }
        }
        if let search = query.search {
            let text = CaseFolding.fold(search)
            candidates = candidates.filter { CaseFolding.contains($0.foldedName, text) }
        }
        return candidates.page(request)
    }

    /// A page of the events of a status, by ID.
    public func page(_ request: PageRequest, of query: EventStatusQuery) -> Page<EventRecord> {
        let status = query.status
        guard let reader = query.visibleTo else { return Candidates(self.events.run(of: status)).page(request) }
        var known: [Int: EventRecord] = [:]
        for (key, event) in self.events.hiddenRun(of: status, submittedBy: reader.id) { known[key.id] = event }
        for business in reader.isOwner ? self.businesses.owned(by: reader.id) : [] {
            for (key, event) in self.events.hiddenRun(of: status, atBusiness: business) { known[key.id] = event }
        }
        return Candidates(known.sorted { $0.key < $1.key }.map(\.value)).page(request)
    }

    /// The number of events of a person with a status that is not public.
    public func hiddenEventCount(of status: Event.Status, submittedBy person: Int) -> Int {
        self.events.hiddenRun(of: status, submittedBy: person).count
    }
}
