import Bytes
import SookeModel
import Store

/// The events of a calendar as rows of an import.
enum CalendarRows {
    /// Reads a calendar.
    ///
    /// Events of the same name get slugs with their dates, except for the first one. An event that this server has
    /// written has its own slug in its URL.
    static func rows(of bytes: [UInt8], _ options: ImportOptions, _ progress: (Int) -> Void) -> FileRows {
        var rows = FileRows()
        var slugs: Set<Slug> = []
        for entry in CalendarReader.events(of: bytes) {
            rows.rows.append(row(of: entry, options, &slugs))
        }
        progress(bytes.count)
        return rows
    }

    private static func row(of entry: CalendarEntry, _ options: ImportOptions, _ slugs: inout Set<Slug>) -> ImportRow {
        var row = ImportRow(line: entry.line)
        if !entry.ignored.isEmpty {
            row.warnings.add("", "has values that were ignored: \(entry.ignored.joined(separator: ", "))")
        }
        do throws(FieldProblems) {
            var patch = try entry.patch(in: options.zone, find: options.findZone)
            patch.values.slug = entry.slugInURL ?? slug(for: entry, patch, options.zone, &slugs)
            patch.fields.insert("slug")
            row.patch = patch
            row.names = TableNames(
                person: nil, calendar: TableNames.Calendar(venue: entry.location, categories: entry.categories),
                isFromOtherFile: true)
        } catch {
            row.problems = error
        }
        return row
    }

    private static func slug(
        for entry: CalendarEntry, _ patch: Patch<Event>, _ zone: TimeZone, _ slugs: inout Set<Slug>
    ) -> Slug {
        let plain = Slug.make(from: entry.summary)
        if plain.isEmpty || slugs.insert(plain).inserted { return plain }
        let date = patch.values.startsAt.map { zone.localDate(at: $0).date.text } ?? ""
        let dated = Slug("\(plain.text)-\(date)")
        var (slug, number) = (dated, 1)
        while !slugs.insert(slug).inserted {
            number += 1
            slug = dated.numbered(number)
        }
        return slug
    }
}

extension Patch where Value: WritableRecord {
    /// Resolves what a calendar says in words: the venue is a business, if it is the name of one, and otherwise a line
    /// of the description; the event type is the first category that is one.
    mutating func lookUp(
        _ calendar: TableNames.Calendar, in lookup: inout NameLookup, _ community: Community
    ) {
        guard var event = self as? Patch<Event> else { return }
        var ignored = FieldProblems()
        func find(_ name: some StringProtocol, _ kind: RecordKind) -> Slug? {
            lookup.find(String(name), kind, in: community, "", &ignored)
        }
        if let venue = calendar.venue, !venue.isEmpty {
            if let business = find(venue, .business) ?? find(venue.prefix { $0 != "," }, .business) {
                (event.values.business, event.values.latitude, event.values.longitude) = (business, nil, nil)
                for field in ["business", "latitude", "longitude"] { event.fields.insert(field) }
            } else {
                let texts = [event.values.description ?? "", "Location: \(venue)"].filter { !$0.isEmpty }
                event.values.description = texts.joined(separator: "\n\n")
                event.fields.insert("description")
            }
        }
        let known = calendar.categories.compactMap { find($0, .eventType) }.first
        if let type = known ?? calendar.categories.first.map(Slug.init) {
            event.values.eventType = type
            event.fields.insert("event_type")
        }
        if let resolved = event as? Self { self = resolved }
    }
}
