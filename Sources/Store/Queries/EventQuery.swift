import Bytes
import SookeModel

/// Which events are asked for.
public struct EventQuery: Sendable {
    /// Only those whose name holds this text, ignoring case.
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

/// Asks for the events of one status, by their ID.
public struct EventStatusQuery: Sendable {
    /// The status of the events.
    public var status: Event.Status
    /// Only those that a person knows of; nil for all of them.
    public var knownTo: Reader?

    /// A person who may know of events that are not public.
    public struct Reader: Sendable {
        /// Their ID; they know of what they submitted.
        public var id: Int
        /// Whether they know of what happens at the businesses that they own, too.
        public var isOwner: Bool

        /// A person.
        public init(id: Int, isOwner: Bool) {
            (self.id, self.isOwner) = (id, isOwner)
        }
    }

    /// All events of a status.
    public init(_ status: Event.Status, knownTo: Reader? = nil) {
        (self.status, self.knownTo) = (status, knownTo)
    }
}

extension Community {
    /// A page of the listed events that match a query, by their start.
    public func page(_ request: PageRequest, of query: EventQuery) -> Page<EventRecord> {
        var candidates = Candidates(self.events.listed(from: query.now)).filter { $0.isOverAt >= query.now }
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

    /// A page of the events of a status, by their ID.
    public func page(_ request: PageRequest, of query: EventStatusQuery) -> Page<EventRecord> {
        let status = query.status
        guard let reader = query.knownTo else { return Candidates(self.events.run(of: status)).page(request) }
        var known: [Int: EventRecord] = [:]
        for (key, event) in self.events.hiddenRun(of: status, submittedBy: reader.id) { known[key.id] = event }
        for business in reader.isOwner ? self.businesses.owned(by: reader.id) : [] {
            for (key, event) in self.events.hiddenRun(of: status, atBusiness: business) { known[key.id] = event }
        }
        return Candidates(known.sorted { $0.key < $1.key }.map(\.value)).page(request)
    }

    /// How many events of a person have a status that is not public.
    public func hiddenEventCount(of status: Event.Status, submittedBy person: Int) -> Int {
        self.events.hiddenRun(of: status, submittedBy: person).count
    }
}
