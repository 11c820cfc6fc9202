import Bytes
import JSON
import Platform
import SookeModel
import Store

/// Calendars of others, which `sooke outside` fetches: an editor manages their own, an administrator all.
extension TownService {
    package func calendars(for caller: Caller, in town: Town) -> [PulledCalendar] {
        town.calendars.inOrderOfID.filter { mayManage($0, caller, in: town) }
    }

    package func calendar(_ id: Int, for caller: Caller, in town: Town) throws(ServiceError) -> PulledCalendar {
        guard let calendar = town.calendars[id], mayManage(calendar, caller, in: town) else {
            throw .notFound(.record(.calendar))
        }
        return calendar
    }

    private func mayManage(_ calendar: PulledCalendar, _ caller: Caller, in town: Town) -> Bool {
        if caller.isSuperAdmin(in: town) { return true }
        return caller.isEditor(in: town) && caller.personID != nil && calendar.createdBy == caller.personID
    }

    package func createCalendar(
        _ input: PatchInput<PulledCalendar>, for context: RequestContext
    ) -> Transaction<Outcome> {
        Transaction(for: context, .editor) { [self] transaction in
            var (patch, problems) = input.restricted(to: SettableFields.all(of: PulledCalendar.self))
            complete(&patch, nil, in: transaction.town, &problems)
            problems.require(
                transaction.town.calendars.count < PulledCalendar.mostCalendars, "address",
                "is one too many: there are \(PulledCalendar.mostCalendars) calendars")
            patch.values.createdBy = context.caller.personID
            patch.fields.insert("created_by")
            try transaction.requireNone(of: problems) { [patch] trial throws(WriteError) in try trial.create(patch) }
            let id = try transaction.create(patch).id
            return .created(try transaction.town.joined(PulledCalendar.self, id: id))
        }
    }

    package func updateCalendar(
        _ id: Int, _ input: PatchInput<PulledCalendar>, for context: RequestContext
    ) -> Transaction<Outcome> {
        Transaction(for: context, .editor) { [self] transaction in
            let calendar = try calendar(id, for: context.caller, in: transaction.town)
            try context.precondition.require(calendar, in: transaction.town)
            var (patch, problems) = input.restricted(to: SettableFields.all(of: PulledCalendar.self))
            complete(&patch, calendar, in: transaction.town, &problems)
            try transaction.requireNone(of: problems) { [patch] trial throws(WriteError) in
                try trial.update(id, patch)
            }
            try transaction.update(id, patch)
            fetches.change(id) { ($0.etag, $0.lastModified, $0.isAsked) = (nil, nil, true) }
            return .updated(try transaction.town.joined(PulledCalendar.self, id: id))
        }
    }

    /// What was read with other settings has to be read again.
    private func complete(
        _ patch: inout Patch<PulledCalendar>, _ existing: PulledCalendar?, in town: Town,
        _ problems: inout FieldProblems
    ) {
        patch.values.address = PulledCalendar.address(from: patch.values.address)
        (patch.values.etag, patch.values.lastModified) = (nil, nil)
        patch.fields.formUnion(["etag", "last_modified"])
        guard patch.fields.contains("address") else { return }
        let other = town.calendars.inOrderOfID.first {
            $0.id != existing?.id && $0.address.hasSameBytes(as: patch.values.address)
        }
        if let other { problems.add("address", "is that of \"\(other.name.excerpt())\", which is there already") }
    }

    package func deleteCalendar(_ id: Int, for context: RequestContext) -> Transaction<Outcome> {
        Transaction(for: context, .editor) { [self] transaction in
            let calendar = try calendar(id, for: context.caller, in: transaction.town)
            try context.precondition.require(calendar, in: transaction.town)
            try transaction.deleteCalendar(id)
            return .deleted
        }
    }

    package enum CalendarStep: String, CaseIterable, Sendable {
        /// Publishes all of its events that wait, and trusts it from then on.
        case accept
        /// The events that it lacks are gone.
        case gone
        /// They stay.
        case keep
        case fetch
    }

    package func take(
        _ step: CalendarStep, of id: Int, for context: RequestContext
    ) -> Transaction<Outcome> {
        var transaction = Transaction<Outcome>(for: context, .editor) { [self] transaction in
            let calendar = try calendar(id, for: context.caller, in: transaction.town)
            var patch = Patch<PulledCalendar>()
            switch step {
            case .fetch: fetches.change(id) { $0.isAsked = true }
            case .accept:
                (patch.values.acceptedAt, patch.fields) = (clock(), ["accepted_at", "etag", "last_modified"])
                fetches.change(id) { ($0.etag, $0.lastModified) = ("", "") }
                try publish(eventsOf: id, in: &transaction)
            case .gone, .keep:
                let clock = eventClock(of: transaction.town, at: clock())
                let changes = CalendarMerge.settle(id, areGone: step == .gone, in: transaction.town, at: clock)
                _ = transaction.apply(changes)
                patch.fields = ["gone", "gone_of"]
            }
            try transaction.update(calendar.id, patch)
            return .updated(try transaction.town.joined(PulledCalendar.self, id: id))
        }
        transaction.act = CommitAct(verb: "calendar")
        return transaction
    }

    /// Those that are paused stay so.
    package func fetchCalendars(of caller: Caller) throws(ServiceError) {
        let town = store.current.town
        try Access.editor.check(caller, slug: nil, in: town)
        for calendar in calendars(for: caller, in: town) { fetches.change(calendar.id) { $0.isAsked = true } }
    }

    private func publish(eventsOf id: Int, in transaction: inout WriteTransaction) throws {
        for event in transaction.town.events.of(calendar: id)
        where event.value.status == .pendingReview && event.value.source?.calendar == id {
            var patch = Patch<Event>()
            (patch.values.status, patch.fields) = (.approved, ["status"])
            try transaction.update(event.id, patch)
        }
    }

    /// Takes what the calendar says, where somebody has edited that here.
    package func takeTheirs(
        _ group: String, of slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        changeSource(of: slug, for: context) { event throws(ServiceError) in
            guard let patch = event.theirs(group) else { throw .gone }
            return patch
        }
    }

    /// The calendar has another event with the same name and start: it comes with the next fetch.
    package func tellApart(_ slug: Slug, from calendar: Int, for context: RequestContext) -> Transaction<Outcome> {
        changeSource(of: slug, readingAgain: calendar, for: context) { event throws(ServiceError) in
            guard let index = event.sources.firstIndex(where: { $0.calendar == calendar && $0.part == .other }) else {
                throw .gone
            }
            var patch = Patch<Event>()
            (patch.values.sources, patch.fields) = (event.sources, ["sources"])
            patch.values.sources[index].part = .apart
            return patch
        }
    }

    private func changeSource(
        of slug: Slug, readingAgain calendar: Int? = nil, for context: RequestContext,
        _ body: @escaping @Sendable (Event) throws(ServiceError) -> Patch<Event>
    ) -> Transaction<Outcome> {
        once(for: context, .editor) { [self] transaction in
            let event = try event(slug, matching: context.precondition, in: transaction.town)
            try transaction.update(event.id, try body(event.value))
            if let calendar, transaction.town.calendars[calendar] != nil {
                var patch = Patch<PulledCalendar>()
                patch.fields = ["etag", "last_modified"]
                try transaction.update(calendar, patch)
                fetches.change(calendar) { ($0.etag, $0.lastModified, $0.isAsked) = ("", "", true) }
            }
            return .updated(try transaction.town.joined(Event.self, id: event.id))
        }
    }

    package func checkCalendar(
        _ calendar: PulledCalendar, for context: RequestContext
    ) throws(ServiceError) -> CalendarFetches.Check {
        try Access.editor.check(context.caller, slug: nil, in: store.current.town)
        var (calendar, problems) = (calendar, FieldProblems())
        calendar.address = PulledCalendar.address(from: calendar.address)
        calendar.validateInput(&problems)
        let wrong = problems.all.filter { $0.field == "address" }
        guard wrong.isEmpty, !calendar.address.isEmpty else {
            throw .invalid("address", wrong.first?.message ?? "is missing")
        }
        // Nothing is left out because that is still open.
        let types = store.current.town.eventTypes.inOrderOfName()
        if calendar.eventType.isEmpty { calendar.eventType = types.first?.value.slug ?? calendar.eventType }
        guard let random = try? RandomSource.bytes(16),
            let check = fetches.add(calendar, by: context.caller.personID, token: Hex.encode(random))
        else { throw .overloaded }
        return check
    }
}

extension Event {
    /// What the calendar said last of some fields, if somebody has edited them here.
    package func theirs(_ group: String) -> Patch<Event>? {
        guard let field = source?[group], let value = field.value else { return nil }
        var (reader, problems) = (JSONReader(Array(value.utf8)), FieldProblems())
        guard var patch = try? Patch<Event>(from: &reader, &problems), problems.isEmpty else { return nil }
        patch.values.sources = sources
        patch.values.source?[group] = SourceField(group, field.digest)
        patch.fields.insert("sources")
        return patch
    }
}
