import SookeModel

extension PulledCalendar: TableRecord, WritableRecord {
    package typealias Stored = PulledCalendar
    package typealias Indexes = NoIndexes<PulledCalendar>

    package static var table: TablePath<PulledCalendar> { \.calendars }

    package var importKey: String { "" }

    package static func existing(for patch: inout Patch<PulledCalendar>, in town: Town) -> PulledCalendar? { nil }
}

extension Table<EventRecord> {
    /// Those that a calendar of others has, also as another one beside their own.
    package func of(calendar id: Int) -> [EventRecord] {
        inOrderOfID.filter { $0.value.sources.contains { $0.calendar == id } }
    }
}

extension WriteTransaction {
    /// Deletes an event; one that follows a calendar is rejected, or that would bring it again.
    package mutating func removeForNow(_ event: Event) throws(WriteError) {
        if event.source == nil { return try deleteEvent(event.id) }
        var patch = Patch<Event>()
        (patch.values.status, patch.fields) = (.rejected, ["status"])
        try update(event.id, patch)
    }

    /// Its events stay, but those that it has withdrawn.
    package mutating func deleteCalendar(_ id: Int) throws(WriteError) {
        guard town.calendars[id] != nil else { throw .notFound }
        for event in town.events.of(calendar: id) {
            if event.value.source?.calendar == id, event.value.withdrawnAt != nil {
                try deleteEvent(event.id)
                continue
            }
            var patch = Patch<Event>()
            patch.values.sources = event.value.sources.filter { $0.calendar != id }
            patch.fields = ["sources"]
            try update(event.id, patch)
        }
        append(.delete(.calendar, id: id))
    }
}
