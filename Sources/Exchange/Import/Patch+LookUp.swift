import Bytes
import SookeModel
import Store

/// Resolves what a row leaves open; see `TableNames`.
extension Patch where Value: WritableRecord {
    @specialized(where Value == Business)
    @specialized(where Value == Event)
    mutating func lookUp(
        _ row: TableNames, in lookup: inout NameLookup, _ transaction: inout WriteTransaction,
        _ options: ImportOptions, _ problems: inout FieldProblems
    ) {
        if let calendar = row.calendar { lookUp(calendar, in: &lookup, transaction.town) }
        for reference in Value.references {
            if case .id(let path) = reference.path {
                guard let email = row.email else { continue }
                values[keyPath: path] = lookup.person(email, in: transaction.town, reference.column, &problems)
                continue
            }
            if row.isFromOtherFile { dropUnknown(reference, in: &lookup, options, transaction.town) }
            addDefault(for: reference, options, transaction.town)
            guard let name = reference.slug(in: values) else { continue }
            reference.setSlug(
                lookup.slug(of: name, reference.kind, in: &transaction, reference.field, &problems), in: &values)
        }
        if let plain = row.plainSlug { keepSlug(plain, row.localTimes, options, transaction.town) }
        keepOtherDays(than: row.days, in: transaction.town)
        resolve(row.localTimes, options, transaction.town)
    }

    /// The category or event type that new records get.
    private static func defaultTerm(of kind: RecordKind, _ options: ImportOptions) -> String? {
        switch kind {
        case .category: options.category
        case .eventType: options.eventType
        default: nil
        }
    }

    /// Removes the name of a term that does not exist, where another one is given for records without.
    private mutating func dropUnknown(
        _ reference: Reference<Value>, in lookup: inout NameLookup, _ options: ImportOptions, _ town: Town
    ) {
        var ignored = FieldProblems()
        guard Self.defaultTerm(of: reference.kind, options) != nil, let name = reference.slug(in: values),
            lookup.find(name.text, reference.kind, in: town, "", &ignored) == nil
        else { return }
        reference.setSlug(Slug(""), in: &values)
        fields = fields.subtracting([reference.field])
    }

    /// Sets the category or the event type of a new record that has none.
    private mutating func addDefault(for reference: Reference<Value>, _ options: ImportOptions, _ town: Town) {
        guard let name = Self.defaultTerm(of: reference.kind, options), reference.slug(in: values)?.isEmpty != false
        else { return }
        guard Value.id(of: Slug(values.importKey), in: town) == nil else {
            // An empty cell of a record that got the default before.
            fields = fields.subtracting([reference.field])
            return
        }
        reference.setSlug(Slug(name), in: &values)
        fields.insert(reference.field)
    }

    /// Takes the record that has the plain slug, if it is the one of the row: a business with its address, an event on its
    /// day.
    private mutating func keepSlug(
        _ plain: Slug, _ times: [TableNames.LocalTime], _ options: ImportOptions, _ town: Town
    ) {
        if var business = self as? Patch<Business>, let stored = town.businesses[plain]?.value,
            stored.address.hasSameBytes(as: business.values.address)
        {
            business.values.slug = plain
            if let patch = business as? Self { self = patch }
        } else if var event = self as? Patch<Event>, let start = town.events[plain]?.value.startsAt {
            let date = times.first { $0.field == "starts_at" }?.date
            let given = date ?? event.values.startsAt.map { options.zone.localDate(at: $0).date }
            guard given == options.zone.localDate(at: start).date else { return }
            event.values.slug = plain
            if let patch = event as? Self { self = patch }
        }
    }

    /// Adds the stored hours of the days that have no column in the table.
    private mutating func keepOtherDays(than days: Set<Int>, in town: Town) {
        guard !days.isEmpty, let hours = Value.csvLayout?.hours,
            let id = Value.id(of: Slug(values.importKey), in: town)
        else { return }
        let existing = Value.stored(id, in: town)?.value[keyPath: hours] ?? []
        values[keyPath: hours] += existing.filter { !days.contains($0.dayOfWeek) }
    }

    /// Sets the times on the clocks of an event: those of its own zone, of its business or of the town.
    private mutating func resolve(_ times: [TableNames.LocalTime], _ options: ImportOptions, _ town: Town) {
        guard !times.isEmpty, var event = self as? Patch<Event> else { return }
        let existing = Event.id(of: Slug(values.importKey), in: town).flatMap { Event.stored($0, in: town) }
        let whole = event.applied(to: existing?.value ?? Event())
        let clock = EventClock(now: Timestamp(seconds: 0), zone: options.zone, find: options.findZone)
        let zone = clock.zone(of: whole, at: whole.business.flatMap { town.businesses[$0] })
        for time in times {
            let moment = zone.moment(of: time.date, secondsOfDay: time.secondsOfDay)
            if time.field == "starts_at" { event.values.startsAt = moment } else { event.values.endsAt = moment }
        }
        if let resolved = event as? Self { self = resolved }
    }

    func isConsequence(_ problem: FieldProblem, in lookup: NameLookup) -> Bool {
        guard let reference = Value.references.first(where: { $0.field == problem.field }) else { return false }
        if case .id(let path) = reference.path { return lookup.isMissing(person: values[keyPath: path]) }
        return lookup.isMissing(reference.kind, reference.slug(in: values))
    }
}
