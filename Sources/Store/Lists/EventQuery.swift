import Bytes
import SookeModel
import Synchronization

package struct EventQuery: Sendable {
    /// Only events whose name contains this text, ignoring case.
    package var search: String?
    package var eventTypes: [Slug]?
    package var business: Slug?
    /// Only events that a business organizes elsewhere.
    package var host: Slug?
    package var visible = VisibleBusinesses.listed
    package var near: GeoCircle?
    package var box: BoundingBox?
    /// Only these events, for `occurrences`: the result of a ranked search.
    package var matches: [EventRecord]?
    /// Only events with an occurrence in this range; nil for those that have not ended.
    package var range: Range<Timestamp>?
    package var clock: EventClock
    /// The listed series at the time of the clock; nil to find them.
    package var series: UpcomingSeries?

    package init(
        search: String? = nil, eventTypes: [Slug]? = nil, business: Slug? = nil, range: Range<Timestamp>? = nil,
        clock: EventClock
    ) {
        (self.search, self.eventTypes, self.business) = (search, eventTypes, business)
        (self.range, self.clock) = (range, clock)
    }
}

/// A query of the events of one status, by ID.
package struct EventStatusQuery: Sendable {
    package var status: Event.Status
    /// Only events that this person may read; nil for all events.
    package var visibleTo: Reader?

    package struct Reader: Sendable {
        /// They may read events that they submitted.
        package var id: Int
        /// Whether they may also read events at the businesses that they own.
        package var isOwner: Bool

        package init(id: Int, isOwner: Bool) {
            (self.id, self.isOwner) = (id, isOwner)
        }
    }

    package init(_ status: Event.Status, visibleTo: Reader? = nil) {
        (self.status, self.visibleTo) = (status, visibleTo)
    }
}

extension Town {
    /// A page of the listed events that match a query, by the start of the only or next occurrence.
    package func page(_ request: PageRequest, of query: EventQuery) -> Page<EventRecord> {
        candidates(query).page(request)
    }

    /// In the order of the pages; they are found while the list is read.
    package func list(of query: EventQuery) -> EventList { EventList(timely(query), query, in: self) }

    /// As far as the work allows, cancelled ones included: `limit` occurrences of a series, of `count` events visited.
    package func occurrences(
        of query: EventQuery, limit: Int, visiting count: Int
    ) -> [(event: EventRecord, occurrence: Occurrence)] {
        guard let range = query.range else { return [] }
        // The time of a series is looked up once: that may take longest.
        let conditions = conditions(of: query).dropLast()
        var found: [(event: EventRecord, occurrence: Occurrence)] = []
        let all =
            query.matches == nil ? timely(query).prefix(count) + self.events.run(of: .cancelled).lazy.map(\.value) : []
        for event in query.matches ?? all where conditions.allSatisfy({ $0(event) }) {
            let series = event.occurrences(in: range, limit: limit, at: query.clock, business(of: event))
            let times = series?.found ?? (event.single.isIn(range) ? [event.single] : [])
            found += times.map { (event, $0) }
        }
        return found
    }

    package func nextEvent(at clock: EventClock, _ series: UpcomingSeries) -> EventRecord? {
        var query = EventQuery(clock: clock)
        query.series = series
        return timely(query).first { isScheduled($0, query) }
    }

    func nextMatches(
        of query: EventQuery, in candidates: inout ArraySlice<EventRecord>, visiting count: Int
    ) -> [EventRecord] {
        let conditions = conditions(of: query)
        var found: [EventRecord] = []
        for _ in 0..<min(count, candidates.count) where query.clock.work.hasLeft {
            let event = candidates.removeFirst()
            if conditions.allSatisfy({ $0(event) }) { found.append(event) }
        }
        return found
    }

    func candidates(_ query: EventQuery) -> Candidates<EventRecord> {
        conditions(of: query).reduce(Candidates(timely(query))) { $0.filter($1) }
    }

    package func page(_ request: PageRequest, of search: SearchQuery, in query: EventQuery) -> SearchPage<EventRecord> {
        let conditions = conditions(of: query)
        return page(request, of: search, among: query.visible) { event in conditions.allSatisfy { $0(event) } }
    }

    /// The last condition is that of the time, which may take longest; without work left, none is satisfied.
    private func conditions(of query: EventQuery) -> [@Sendable (EventRecord) -> Bool] {
        var conditions: [@Sendable (EventRecord) -> Bool] = [{ [work = query.clock.work] _ in work.visit() }]
        if let slugs = query.eventTypes {
            let types = Set(slugs.compactMap { self.eventTypes[$0]?.id })
            conditions.append { types.contains($0.eventTypeID) }
        }
        if let slug = query.business {
            let business = business(slug, among: query.visible)?.id
            conditions.append { business != nil && $0.businessID == business }
        }
        if let host = query.host { conditions.append { $0.value.host == host && $0.value.business != host } }
        if let search = query.search {
            let text = CaseFolding.fold(search)
            conditions.append { CaseFolding.contains($0.foldedName, text) }
        }
        @Sendable func place(of event: EventRecord) -> Coordinates? {
            event.coordinates ?? business(of: event)?.coordinates
        }
        if let near = query.near { conditions.append { place(of: $0).map(near.contains) ?? false } }
        if let box = query.box { conditions.append { place(of: $0).map(box.contains) ?? false } }
        conditions.append { isScheduled($0, query) }
        return conditions
    }

    private func isScheduled(_ event: EventRecord, _ query: EventQuery) -> Bool {
        let (clock, range) = (query.clock, query.range)
        if let range { return event.hasOccurrence(in: range, at: clock, business(of: event)) }
        guard event.isSeries else { return event.single.overAt >= clock.now }
        let business = business(of: event)
        return event.hasDates(at: clock, business) && event.representative(at: clock, business).overAt >= clock.now
    }

    /// The listed events that may be of the right time, by the start of the only or next occurrence.
    private func timely(_ query: EventQuery) -> [EventRecord] {
        let (now, range) = (query.clock.now, query.range)
        let singles = self.events.listed(endingFrom: range?.lowerBound ?? now).lazy
            .filter { event in range.map { event.startsAt < $0.upperBound } ?? true }
            .map { (key: $0.startKey, event: $0) }
        let series = (query.series ?? UpcomingSeries(of: self, at: query.clock)).elements
            .filter { range != nil || $0.end >= now }.map { (key: $0.key, event: $0.event) }
        return (series + singles).sorted { $0.key < $1.key }.map(\.event)
    }

    /// By ID: the public events, cancelled ones included, that have not ended, and all in series, whose occurrences are
    /// not found here.
    ///
    /// - Parameter business: only events at this business, if it is visible; nil for all.
    package func calendarEvents(
        since moment: Timestamp, withdrawnSince: Timestamp = .endOfTime, eventTypes: [Slug]?, business: Slug?,
        among visible: VisibleBusinesses = .listed
    ) -> [EventRecord] {
        let types = eventTypes.map { Set($0.compactMap { self.eventTypes[$0]?.id }) }
        let businessID = business.map { self.business($0, among: visible)?.id ?? 0 }
        func isIncluded(_ event: EventRecord) -> Bool {
            types?.contains(event.eventTypeID) != false && businessID ?? event.businessID == event.businessID
                && (event.isSeries || event.single.isIn(moment..<Timestamp.endOfTime))
        }
        let found =
            self.events.listed(endingFrom: moment).filter(isIncluded) + self.events.listedSeries.filter(isIncluded)
            + self.events.run(of: .cancelled).lazy.map(\.value).filter(isIncluded)
            + self.events.withdrawn(since: withdrawnSince).filter { $0.value.status.isPublic && isIncluded($0) }
        return found.sorted { $0.id < $1.id }
    }

    /// The end of an event or an occurrence: until then the list of events stays the same.
    package func nextEventEnd(at clock: EventClock, _ series: UpcomingSeries? = nil) -> Timestamp? {
        let series = series ?? UpcomingSeries(of: self, at: clock)
        return [self.events.nextEnd(at: clock.now), series.nextEnd].compactMap(\.self).min()
    }

    package func page(_ request: PageRequest, of query: EventStatusQuery) -> Page<EventRecord> {
        let status = query.status
        guard let reader = query.visibleTo else {
            return Candidates(self.events.run(of: status), \.value).page(request)
        }
        let owned = reader.isOwner ? Set(self.businesses.owned(by: reader.id)) : []
        let known = self.events.hidden(of: status) { event in
            event.value.submittedBy == reader.id || event.businessID.map(owned.contains) == true
        }
        return Candidates(known).page(request)
    }

    package func hasFutureEvents(above limit: Int, submittedBy person: Int, at clock: EventClock) -> Bool {
        var count = 0
        for event in self.events.shown(submittedBy: person, endingAfter: clock.now) where event.isListed {
            if event.isSeries, !event.isFuture(at: clock, in: self) { continue }
            count += 1
            if count > limit { return true }
        }
        return false
    }

    package func eventCount(of status: Event.Status) -> Int { self.events.run(of: status).count }

    package func firstEvent(of status: Event.Status) -> EventRecord? { self.events.run(of: status).first?.value }

    package func hiddenEventCount(of status: Event.Status, atBusiness id: Int) -> Int {
        self.events.hidden(of: status) { $0.businessID == id }.count
    }

    package func hiddenEventCount(of status: Event.Status, submittedBy person: Int) -> Int {
        self.events.hidden(of: status) { $0.value.submittedBy == person }.count
    }
}

package struct EventList: Sendable {
    private var candidates: ArraySlice<EventRecord>
    private let query: EventQuery
    private let town: Town

    init(_ candidates: [EventRecord], _ query: EventQuery, in town: Town) {
        (self.candidates, self.query, self.town) = (candidates[...], query, town)
    }

    /// Nil at the end; an empty part is not the end. It visits fewer if that takes too long.
    package mutating func next(visiting count: Int) -> [EventRecord]? {
        if candidates.isEmpty { return nil }
        var query = query
        query.clock = query.clock.renewed()
        return town.nextMatches(of: query, in: &candidates, visiting: count)
    }
}

extension Town {
    /// The events that a person submitted, as far as they still matter: those that are not public, the newest first,
    /// then those that are not over, also cancelled ones.
    package func openEvents(submittedBy person: Int, at now: Timestamp, limit: Int = 100) -> [EventRecord] {
        let hidden = Event.Status.allCases.flatMap { status in
            self.events.hidden(of: status) { $0.value.submittedBy == person }
        }
        return hidden.suffix(limit).reversed()
            + self.events.shown(submittedBy: person, endingAfter: now).prefix(limit)
    }
}

/// The listed events in series at an instant, by the start of the occurrence that represents each.
///
/// A version finds them once for all requests until one of the occurrences ends.
package struct UpcomingSeries: Sendable {
    struct Element: Sendable {
        let key: MomentKey
        let end: Timestamp
        let event: EventRecord
    }

    let elements: [Element]
    let nextEnd: Timestamp?
    /// The zone of the town, and the time in which they are the same.
    private let zone: String
    private let moments: ClosedRange<Timestamp>

    /// Series whose occurrences take too long to find are left out.
    init(of town: Town, at clock: EventClock) {
        var elements: [Element] = []
        for event in town.events.listedSeries {
            guard clock.work.visit() else { break }
            let business = town.business(of: event)
            guard event.hasDates(at: clock, business) else { continue }
            let shown = event.representative(at: clock, business)
            let key = MomentKey(moment: shown.startsAt, id: event.id)
            elements.append(Element(key: key, end: shown.overAt, event: event))
        }
        elements.sort { $0.key < $1.key }
        self.elements = elements
        nextEnd = elements.lazy.map(\.end).filter { $0 >= clock.now }.min()
        zone = clock.zone.name
        moments = clock.now...(nextEnd ?? Timestamp.endOfTime)
    }

    func isValid(at clock: EventClock) -> Bool { zone == clock.zone.name && moments.contains(clock.now) }
}

extension Version {
    package func upcomingSeries(at clock: EventClock) -> UpcomingSeries {
        if let known = series.withLock({ $0 }), known.isValid(at: clock) { return known }
        let found = UpcomingSeries(of: town, at: clock)
        if !clock.work.isBounded { series.withLock { $0 = found } }
        return found
    }
}
