import Bytes
import SookeModel

/// What a calendar of others says now, merged into a version of the town, three ways: what it said last is the base,
/// and what somebody has edited here since stays.
///
/// It is computed on a published version, and applied where its records are still the same.
package struct CalendarMerge: Sendable {
    package struct Change: Sendable {
        package let before: Event?
        package var patch: Patch<Event>

        var bytes: Int { patch.values.writtenMembers(before == nil ? .all : patch.fields).count * 2 }
    }

    let calendar: PulledCalendar
    package let town: Town
    let clock: EventClock
    package internal(set) var changes: [Change] = []
    package internal(set) var counts = PulledDay()
    /// Those that are here already, from elsewhere.
    package internal(set) var twins: [EventRecord] = []
    package private(set) var coming = 0
    /// Whether the same answer can change more, later.
    package private(set) var isOpen = false
    /// Why some of it is left out, beside what is wrong with single events.
    package private(set) var leftOut: [String] = []
    package internal(set) var gone: (count: Int, of: Int)?
    private var seen: Set<Int> = []
    var own: [EventRecord] = []

    /// - Parameter events: nil where it has not changed since the last answer.
    package init(_ events: [PulledEvent]?, of calendar: PulledCalendar, in town: Town, at clock: EventClock) {
        (self.calendar, self.town, self.clock) = (calendar, town, clock)
        own = town.events.of(calendar: calendar.id)
        if let events { merge(events) }
        if events == nil { seen = Set(own.lazy.filter { $0.value.source?.missed == 0 }.map(\.id)) }
        withdraw(own.filter { isFollowed($0) && !seen.contains($0.id) && isComing($0) })
    }

    /// What the changes take in the log, about.
    package var bytes: Int { changes.reduce(0) { $0 + $1.bytes } }

    package var makesPending: Bool { changes.contains { $0.before == nil && $0.patch.values.status == .pendingReview } }

    /// Drops the last changes, which a later answer brings again.
    package mutating func limit(toBytes most: Int) {
        var rest = most
        let kept = changes.prefix { change in
            rest -= change.bytes
            return rest >= 0
        }
        let late = changes.count - kept.count
        if late == 0 { return }
        changes = Array(kept)
        isOpen = true
        leftOut.append("\(Count(late, "change")) that the log has no room for now: they come on a later day")
    }

    package func hasEvent(before end: Timestamp) -> Bool {
        own.contains { record in isComing(record) && record.next(in: town, at: clock).startsAt < end }
    }

    func isFollowed(_ record: EventRecord) -> Bool { record.value.source?.calendar == calendar.id }

    /// When a new one is next.
    package func next(_ event: Event) -> Timestamp {
        (try? EventRecord.make(event, in: town, after: nil)).map { $0.next(in: town, at: clock).startsAt } ?? .epoch
    }

    func isComing(_ record: EventRecord) -> Bool { record.isComing(in: town, at: clock) }

    private func isComing(_ event: Event) -> Bool {
        (try? EventRecord.make(event, in: town, after: nil)).map(isComing) ?? false
    }

    private mutating func merge(_ events: [PulledEvent]) {
        var known: [ByteText: (record: EventRecord, part: EventSource.Part)] = [:]
        for record in own {
            for source in record.value.sources where source.calendar == calendar.id {
                if source.part == .apart, known[ByteText(source.key)] != nil { continue }
                known[ByteText(source.key)] = (record, source.part)
            }
        }
        var (new, others) = ([(PulledEvent, Event)](), Set<ByteText>())
        for pulled in events {
            let found = known[ByteText(pulled.key)]
            if found?.part == .source, let record = found?.record {
                seen.insert(record.id)
                // What is over stays as it was.
                if let event = pulled.event, isComing(record) || isComing(event) {
                    update(record, to: event, at: pulled.key)
                }
            } else if found?.part == .other {
                others.insert(ByteText(pulled.key))
            } else if let event = pulled.event, isComing(event) {
                new.append((pulled, event))
            }
        }
        unlink(besides: others)
        coming = seen.count + others.count + new.count
        new.sort { ($0.1.startsAt ?? .epoch) < ($1.1.startsAt ?? .epoch) }
        add(renamed(new))
    }

    /// An event of another calendar that this one has no longer: that says nothing about the event.
    private mutating func unlink(besides others: Set<ByteText>) {
        let id = calendar.id
        func isLost(_ source: EventSource) -> Bool {
            source.calendar == id && source.part == .other && !others.contains(ByteText(source.key))
        }
        for record in own where record.value.sources.contains(where: isLost) {
            change(record) { event, _ in event.sources.removeAll(where: isLost) }
        }
    }

    /// Finds those that are the same event under a new key: exactly one of a name, a start and a place has come, and
    /// exactly one has gone, in this answer. Returns the others.
    private mutating func renamed(_ new: [(PulledEvent, Event)]) -> [(PulledEvent, Event)] {
        let gone = own.filter { record in
            let source = record.value.source
            return isFollowed(record) && !seen.contains(record.id) && source?.missed == 0 && isComing(record)
        }
        if gone.isEmpty { return new }
        let left = Dictionary(grouping: gone) { $0.value.source?.likeness ?? "" }
        let come = Dictionary(grouping: new) { $0.1.likeness(in: town) }
        return new.filter { pulled, event in
            let key = event.likeness(in: town)
            guard come[key]?.count == 1, let records = left[key], records.count == 1 else { return true }
            seen.insert(records[0].id)
            update(records[0], to: event, at: pulled.key)
            return false
        }
    }

    private mutating func add(_ new: [(PulledEvent, Event)]) {
        // Mostly there are none, and to fold the names of all events takes time.
        if new.isEmpty { return }
        let twinsHere = Dictionary(
            grouping: town.events.inOrderOfID.filter { record in
                (record.isPublic || record.value.status == .pendingReview) && record.value.withdrawnAt == nil
                    && !isFollowed(record)
            }
        ) { EventIdentity($0.value) }
        var (room, late) = (PulledCalendar.mostEvents - seen.count, 0)
        for (pulled, event) in new where event.status != .cancelled {
            if room <= 0 {
                late += 1
                continue
            }
            let place = event.foldedPlace(in: town)
            let twin = twinsHere[EventIdentity(event)]?.first { record in
                let isApart = record.value.sources.contains {
                    $0.calendar == calendar.id && $0.part == .apart && $0.key.hasSameBytes(as: pulled.key)
                }
                return !isApart && EventIdentity.mayBeSame(record.value.foldedPlace(in: town), place)
            }
            if let twin {
                join(twin, event, at: pulled.key)
            } else {
                room -= 1
                make(event, at: pulled.key)
            }
        }
        if late == 0 { return }
        isOpen = true
        leftOut.append("\(Count(late, "event")) after the first \(Count.grouped(PulledCalendar.mostEvents)) to come")
    }

    private mutating func make(_ event: Event, at key: String) {
        var patch = Patch<Event>()
        patch.values = event
        var source = EventSource(calendar.id, key)
        source.likeness = event.likeness(in: town)
        for group in Event.groups {
            source.fields.append(SourceField(group.name, event.digest(of: group.fields)))
            patch.fields.formUnion(group.fields)
        }
        source.fields.append(SourceField("status", "confirmed"))
        let isPublished = calendar.trust == .publish && calendar.acceptedAt != nil
        (patch.values.status, patch.values.sources) = (isPublished ? .approved : .pendingReview, [source])
        patch.values.submittedBy = calendar.createdBy
        patch.fields.formUnion(["event_type", "status", "sources", "submitted_by"])
        changes.append(Change(before: nil, patch: patch))
        counts.made += 1
    }

    /// The event is here already: it names this calendar, too. The calendar of its host is the one that it follows.
    private mutating func join(_ twin: EventRecord, _ event: Event, at key: String) {
        twins.append(twin)
        let source = twin.value.source
        let (id, host) = (calendar.id, calendar.host)
        let isHosts = host != nil && (twin.value.host == host || twin.value.business == host)
        guard isHosts, let source, town.calendars[source.calendar]?.host != host else {
            return change(twin) { event, _ in event.sources.append(EventSource(id, key, .other)) }
        }
        update(twin, to: event, at: key)
    }
}

extension EventRecord {
    fileprivate func next(in town: Town, at clock: EventClock) -> Occurrence {
        representative(at: clock, businessID.flatMap { town.businesses[$0] })
    }

    func isComing(in town: Town, at clock: EventClock) -> Bool { next(in: town, at: clock).overAt > clock.now }
}

extension CalendarMerge {
    /// Changes an event; the body sets its fields, and adds their names but that of `sources`.
    mutating func change(_ record: EventRecord, _ body: (inout Event, inout FieldSet<Event>) -> Void) {
        let index = changes.firstIndex { $0.before?.id == record.id }
        var patch = index.map { changes[$0].patch } ?? Patch<Event>()
        if index == nil { patch.values = record.value }
        body(&patch.values, &patch.fields)
        if patch.values.sources != record.value.sources { patch.fields.insert("sources") }
        if let index {
            changes[index].patch = patch
        } else if !patch.fields.isEmpty {
            changes.append(Change(before: record.value, patch: patch))
        }
    }

    private mutating func update(_ record: EventRecord, to theirs: Event, at key: String) {
        let (id, now, likeness) = (calendar.id, clock.now, theirs.likeness(in: town))
        var isShown = false
        change(record) { event, fields in
            let index = event.sources.firstIndex { $0.part == .source }
            var source = index.map { event.sources[$0] } ?? EventSource(id, key)
            if source.calendar != id, let index {
                event.sources[index] = EventSource(source.calendar, source.key, .other)
            }
            let isBack = source.withdrawnAt != nil
            (source.calendar, source.key, source.missed, source.isKept) = (id, key, 0, false)
            (source.missingSince, source.withdrawnAt, source.likeness) = (nil, nil, likeness)
            for group in Event.groups where source.merge(group, of: theirs, into: &event) {
                fields.formUnion(group.fields)
            }
            source.mergeStatus(of: theirs, into: &event, at: now, &fields)
            isShown = isBack || !fields.isEmpty
            event.sources.removeAll { $0.calendar == id && $0.part != .apart }
            event.sources.insert(source, at: 0)
        }
        if isShown { counts.changed += 1 }
        if theirs.status == .cancelled, record.value.status == .pendingReview { isOpen = true }
    }
}

extension EventSource {
    /// - Returns: whether the event takes what the calendar says.
    fileprivate mutating func merge(
        _ group: (name: String, fields: FieldSet<Event>), of theirs: Event, into event: inout Event
    ) -> Bool {
        let (base, said) = (self[group.name], theirs.digest(of: group.fields))
        let here = event.digest(of: group.fields)
        if here == said {
            self[group.name] = SourceField(group.name, said)
            return false
        }
        guard base == nil || base?.digest == here, base?.digest != said else {
            let value = String(decoding: theirs.writtenMembers(group.fields), as: UTF8.self)
            self[group.name] = SourceField(group.name, said, value)
            return false
        }
        self[group.name] = SourceField(group.name, said)
        event.take(group.fields, from: theirs)
        return true
    }

    /// One that is not public yet keeps its state: it is cancelled when it is.
    fileprivate mutating func mergeStatus(
        of theirs: Event, into event: inout Event, at now: Timestamp, _ fields: inout FieldSet<Event>
    ) {
        let said = theirs.status == .cancelled ? "cancelled" : "confirmed"
        if self["status"]?.digest == said { return }
        switch (said, event.status) {
        case ("cancelled", .approved):
            (event.status, event.cancelledAt, event.cancelledBy) = (.cancelled, now, nil)
        case ("confirmed", .cancelled) where event.cancelledBy == nil: event.status = .approved
        case ("cancelled", .pendingReview): return
        default:
            self["status"] = SourceField("status", said)
            return
        }
        self["status"] = SourceField("status", said)
        fields.formUnion(["status", "cancelled_at", "cancelled_by"])
    }
}
