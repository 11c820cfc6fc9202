import Bytes
import SookeModel
import Store

enum CalendarRows {
    /// The slug ends with a digest of the identifier, so that it stays the same when the event is moved. An event that
    /// this server has written has its own slug in its URL.
    static func rows(of bytes: [UInt8], _ options: ImportOptions) -> Import.File {
        var rows = Import.File()
        var numbers: [Slug: Int] = [:]
        let calendar = CalendarReader.read(bytes)
        let names = calendar.entries.reduce(into: Set<String>()) { $0.formUnion($1.zoneNames) }
        let zones = (calendar.entries.first?.zones ?? CalendarZones()).resolved(
            names, in: options.zone, options.findZone)
        for entry in calendar.entries { rows.rows.append(row(of: entry, zones, options, &numbers)) }
        // Nothing can be imported of a file of tasks.
        for (line, message) in calendar.warnings {
            if calendar.entries.isEmpty { rows.rows.append(ImportRow(line: line, problem: "", message)) }
            if !calendar.entries.isEmpty { rows.warn(line: line, "", message) }
        }
        warnOfIgnored(calendar.entries, &rows)
        return rows
    }

    private static func warnOfIgnored(_ entries: [CalendarEntry], _ rows: inout Import.File) {
        var (names, found) = ([String](), [String: [CalendarEntry]]())
        for entry in entries {
            for name in entry.ignored {
                if found[name] == nil { names.append(name) }
                found[name, default: []].append(entry)
            }
        }
        for name in names {
            let (word, events) = (words[name] ?? name.lowercased(), found[name] ?? [])
            let titles = events.map { "\"\($0.summary.excerpt())\"" }.listed(upTo: 3)
            let was = word.prefix { $0 != " " }.hasSuffix("s") ? "were" : "was"
            rows.warn(
                line: events[0].line, "", "the \(word) of \(Count(events.count, "event")) \(was) left out: \(titles)")
        }
    }

    static let words = [
        "ATTACH": "attachments", "ATTENDEE": "guests", "COLOR": "colour", "CONFERENCE": "video call",
        "DESCRIPTION": "description", "DTEND": "end", "DTSTART": "start", "DURATION": "length",
        "EXDATE": "dates left out", "EXRULE": "repetition", "GEO": "location", "LOCATION": "place",
        "ORGANIZER": "organiser", "RDATE": "extra dates", "RECURRENCE-ID": "changed date", "RELATED-TO": "relations",
        "RRULE": "repetition", "STATUS": "status", "SUMMARY": "name", "TZID": "time zone", "URL": "link",
        "X-GOOGLE-CONFERENCE": "video call", "X-WR-TIMEZONE": "time zone of the calendar", "ends_at": "end",
        "event_type": "event type", "rrule": "repetition", "starts_at": "start",
    ]

    private static func row(
        of entry: CalendarEntry, _ zones: CalendarZones, _ options: ImportOptions, _ numbers: inout [Slug: Int]
    ) -> ImportRow {
        var entry = entry
        if entry.isCancellation, entry.start == nil {
            // Nothing is made of it; its zone is that of the occurrence.
            entry.start = entry.overrides.first?.original ?? .utc(Timestamp.epoch)
        }
        var row = ImportRow(line: entry.line)
        (row.givenLabel, row.source, row.key) = (entry.summary, entry.source, entry.key)
        row.advice = ["name": "is missing; an event needs one"]
        for title in entry.cancellingTitles {
            let name = entry.status == .cancelled ? "it" : "a date of it"
            row.warnings.add("\"\(title.excerpt())\"", "says that \(name) is cancelled; where it is not, put it back")
        }
        do throws(FieldProblems) {
            let slug = entry.slugInURL ?? slug(of: entry)
            let number = entry.isCancellation ? 1 : numbers[slug, default: 0] + 1
            if !entry.isCancellation { numbers[slug] = number }
            let patch = try entry.patch(
                slug: number == 1 ? slug : slug.numbered(number), in: options.zone, zones, &row.warnings,
                find: options.findZone)
            (row.origin, row.venue, row.categories) = (.calendar, entry.location, entry.categories)
            (row.business, row.ownLocation, row.organizer) = (entry.business, entry.ownLocation, entry.organizer)
            (row.isOwn, row.hasOwnZone) = (entry.page != nil, entry.ownZone != nil)
            row.zoneOfTown = options.zone.name
            if entry.isCancellation {
                row.cancellation = (digest(of: entry), patch.values.overrides.compactMap(\.occurrence))
            }
            row.patch = patch
        } catch {
            row.problems = error
        }
        return row
    }

    private static func slug(of entry: CalendarEntry) -> Slug {
        let name = Slug.make(from: entry.summary).text
        return Slug((name.isEmpty ? "event" : name) + "-" + digest(of: entry))
    }

    private static func digest(of entry: CalendarEntry) -> String {
        let identifier = Array((entry.uid.isEmpty ? "\(entry.start, default: "")" : entry.uid).utf8)
        return String(Hex.text(of: XXH64.digest(identifier.span)).suffix(6))
    }
}

extension CalendarEntry {
    fileprivate var zoneNames: [String] {
        let moments =
            [start, end].compactMap(\.self) + exdates + rdates
            + overrides.flatMap { [$0.original, $0.start, $0.end].compactMap(\.self) }
        return moments.compactMap(\.zoneName) + [calendarZone].compactMap(\.self)
    }
}

extension ImportRow {
    /// Words for where an event is and for who organizes it. A table that has a place beside them has only words.
    mutating func readNames(of event: Patch<Event>) {
        if event.values.business == nil, event.values.location != nil { self.venue = event.values.location }
        if let organizer = event.values.host?.text ?? event.values.organizer { self.organizer = organizer }
    }

    /// A venue, alone or before an address, or an organizer that names a business becomes it; others stay in words.
    func complete(_ patch: inout any AnyPatch, in lookup: inout NameLookup, _ town: Town) {
        guard var event = patch as? Patch<Event> else { return }
        let known = self.business.flatMap { town.businesses[$0]?.slug }
        if let business = known ?? (self.isOwn ? nil : self.venue.flatMap { lookup.place(named: $0, in: town) }) {
            (event.values.business, event.values.latitude, event.values.longitude) = (business, nil, nil)
            event.values.location = self.ownLocation
            event.fields.formUnion(["business", "latitude", "longitude", "location"])
            let zone = town.businesses[business]?.timeZone
            if origin == .calendar, !self.hasOwnZone { keepZone(of: &event.values, at: zone) }
        } else if let venue = self.venue, !venue.isEmpty {
            event.values.location = venue
            event.fields.insert("location")
            // The words say where it is now that was at a business.
            let stored = Event.find(Slug(event.values.importKey), in: town)
            if stored?.location == nil { event.fields.insert("business") }
        }
        let host = self.isOwn ? event.values.host : nil
        let isKnown = host.map { town.businesses[$0] != nil } ?? false
        if !isKnown, let organizer = self.organizer {
            let named = self.isOwn ? nil : lookup.only(named: organizer, .business, in: town)
            (event.values.host, event.values.organizer) = (named, named == nil ? organizer : nil)
            event.fields.formUnion(["host", "organizer"])
        }
        if origin == .calendar { completeTerms(of: &event, in: &lookup, town) }
        patch = event
    }

    /// The event type is the first category that is one.
    private func completeTerms(of event: inout Patch<Event>, in lookup: inout NameLookup, _ town: Town) {
        let known = self.categories.compactMap { lookup.only(named: $0, .eventType, in: town) }.first
        if let type = known ?? self.categories.first.map(Slug.init) {
            event.values.eventType = type
            event.fields.insert("event_type")
        }
        // What a calendar shows is public.
        if !event.fields.contains("status"), Event.id(of: event.values.slug, in: town) == nil {
            event.values.status = .approved
            event.fields.insert("status")
        }
    }

    /// The zone of its business counts for an event that names none.
    private func keepZone(of event: inout Event, at zone: String?) {
        guard let zone else { return }
        if event.timeZone == zone {
            event.timeZone = nil
        } else if event.timeZone == nil, !event.allDay, !self.isOwn {
            event.timeZone = self.zoneOfTown
        }
    }
}
