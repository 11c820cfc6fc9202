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

    /// What people call properties and fields of an event.
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
        (row.givenLabel, row.source) = (entry.summary, entry.source)
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
        let digest = XXH64.digest(identifier.span) & 0xFF_FFFF
        let text = String(digest, radix: 16)
        return String(repeating: "0", count: 6 - text.count) + text
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
    /// The venue is a business, if it is the name of one, and otherwise a line of the description; the event type is
    /// the first category that is one.
    func complete(_ patch: inout any AnyPatch, in lookup: inout NameLookup, _ town: Town) {
        guard var event = patch as? Patch<Event> else { return }
        if let venue, !venue.isEmpty {
            let names = [venue, String(decoding: venue.utf8.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)]
            if let business = lookup.only(named: names[0], .business, in: town)
                ?? lookup.only(named: names[1], .business, in: town)
            {
                (event.values.business, event.values.latitude, event.values.longitude) = (business, nil, nil)
                for field in ["business", "latitude", "longitude"] { event.fields.insert(field) }
            } else {
                let texts = [event.values.description ?? "", "Location: \(venue)"].filter { !$0.isEmpty }
                event.values.description = texts.joined(separator: "\n\n")
                event.fields.insert("description")
            }
        }
        let known = categories.compactMap { lookup.only(named: $0, .eventType, in: town) }.first
        if let type = known ?? categories.first.map(Slug.init) {
            event.values.eventType = type
            event.fields.insert("event_type")
        }
        // What a calendar shows is public.
        if !event.fields.contains("status"), Event.id(of: event.values.slug, in: town) == nil {
            event.values.status = .approved
            event.fields.insert("status")
        }
        patch = event
    }
}
