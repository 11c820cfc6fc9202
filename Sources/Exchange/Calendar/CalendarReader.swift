import Bytes
import SookeModel

struct CalendarProperties: Sendable {
    /// `X-WR-TIMEZONE` or `TIMEZONE-ID`.
    var zone: String?
    /// `METHOD:CANCEL`.
    var isCancellation = false
}

/// Reads an iCalendar (RFC 5545). Alarms and busy times are skipped, all other parts but events with a warning.
struct CalendarReader {
    private enum Kind { case event, zone, other }

    private var entries: [CalendarEntry] = []
    private var components: [CalendarComponent] = []
    /// Names of the tz database, by those that the calendar defines.
    private var zones: [String: String] = [:]
    private var definitions: [String: CalendarZoneDefinition] = [:]
    private var definition = CalendarZoneDefinition()
    private var calendars = [CalendarProperties()]
    private var places: [Int] = []
    private var skipped: [String: (count: Int, line: Int)] = [:]
    private var open: Kind?
    private var component = CalendarComponent(line: 0)
    private var inner = 0
    private var calendar: Int?
    private var isOutsideReported = false

    /// What cannot be read is an event with problems.
    static func read(_ bytes: [UInt8]) -> (entries: [CalendarEntry], warnings: [(line: Int, message: String)]) {
        var reader = CalendarReader()
        var (lines, start) = (ContentLineReader(bytes), 0)
        while let line = lines.next() {
            let (count, wasOpen) = (reader.components.count, reader.open)
            reader.read(line)
            if wasOpen == nil { start = lines.start }
            if reader.components.count > count { reader.components[count].source = [start..<lines.position] }
        }
        reader.endFile()
        reader.join()
        var zones = CalendarZones()
        zones.definitions = reader.definitions
        let years = reader.entries.compactMap(\.start?.year)
        if let first = years.min(), let last = years.max() { zones.years = first...max(first, last) }
        for index in reader.entries.indices { reader.entries[index].zones = zones }
        let warnings = reader.skipped.sorted { $0.value.line < $1.value.line }.map { noun, found in
            let was = found.count == 1 ? "was" : "were"
            let message = "\(Count(found.count, noun)) \(was) left out, the first one here; only events are imported"
            return (found.line, message)
        }
        return (reader.entries.sorted { $0.line < $1.line }, warnings)
    }

    private mutating func read(_ line: ContentLine) {
        switch line.name {
        case "BEGIN": begin(line.value.trimmed.shortUppercased, line.number)
        case "END": end(line.value.trimmed.shortUppercased, line.number)
        default: readProperty(line)
        }
    }

    private mutating func begin(_ name: String, _ number: Int) {
        isOutsideReported = false
        if open != nil, name != "VEVENT" {
            if open == .zone, inner == 0 { definition.beginObservance() }
            inner += 1
            return
        }
        // An event is never inside another component, so the end of that is missing.
        reportMissingEnd()
        switch name {
        case "VCALENDAR":
            calendar = number
            calendars.append(CalendarProperties())
        case "VEVENT": open = .event
        case "VTIMEZONE": (open, definition) = (.zone, CalendarZoneDefinition())
        case "VFREEBUSY", "VALARM": open = .other
        default:
            open = .other
            skipped[["VTODO": "task", "VJOURNAL": "note"][name] ?? "other part", default: (0, number)].count += 1
        }
        component = CalendarComponent(line: number)
    }

    private mutating func end(_ name: String, _ number: Int) {
        if name == "VCALENDAR" {
            reportMissingEnd()
            calendar = nil
            return
        }
        if inner > 0, open != .event || name != "VEVENT" {
            inner -= 1
            return
        }
        switch open {
        case .event:
            components.append(component)
            places.append(calendars.count - 1)
        case .zone where name != "VEVENT": endZone()
        default:
            if name == "VEVENT" {
                refuse(number, "the event that ends here has no BEGIN:VEVENT; add that line, or export it again")
            }
        }
        (open, inner) = (nil, 0)
    }

    private mutating func endZone() {
        guard let name = component.text("TZID")?.excerpt(bytes: 200), definitions.count < CalendarZones.most else {
            return
        }
        definitions[name] = definition
        guard let location = component.text("X-LIC-LOCATION"), !location.isEmpty else { return }
        zones[name] = location
        if definitions[location] == nil { definitions[location] = definition }
    }

    private mutating func readProperty(_ line: ContentLine) {
        switch open {
        case .zone where inner == 1: definition.read(line)
        case nil where calendar != nil && line.name == "METHOD":
            calendars[calendars.count - 1].isCancellation = line.value.trimmed.shortUppercased == "CANCEL"
        case nil where calendar != nil && ["X-WR-TIMEZONE", "TIMEZONE-ID"].contains(line.name):
            let name = line.text.trimmed.excerpt(bytes: 200)
            if !name.isEmpty { calendars[calendars.count - 1].zone = name }
        case .event where inner == 0: component.properties.append(line.withWholeZone)
        case .zone where inner == 0: component.properties.append(line)
        case nil where calendar == nil || line.name.isEmpty: reportOutside(line)
        default: break
        }
    }

    private mutating func reportOutside(_ line: ContentLine) {
        if isOutsideReported { return }
        isOutsideReported = true
        let advice =
            component.line == 0
            ? "is an error of a service or a web page, not a calendar; open its address in a browser"
            : "is not in a calendar; events are between BEGIN:VEVENT and END:VEVENT, so remove the line"
        let text = (line.name.isEmpty ? line.value : line.name).excerpt()
        refuse(line.number, "\"\(text)\" \(advice), or export the calendar again")
    }

    private mutating func refuse(_ line: Int, _ message: String) {
        entries.append(CalendarEntry(line: line, problems: [FieldProblem("", message)]))
    }

    private mutating func reportMissingEnd() {
        if open == .event {
            refuse(
                component.line,
                "the event that begins here has no END:VEVENT; add that line, or export the calendar again")
        }
        (open, inner) = (nil, 0)
    }

    private mutating func endFile() {
        let isEventOpen = open == .event
        reportMissingEnd()
        if let calendar, !isEventOpen {
            refuse(
                calendar,
                "the calendar that begins here has no END:VCALENDAR, so its end may be missing; export it again")
        }
    }
}

extension CalendarReader {
    /// Components with the same identifier are one event and changes of its occurrences.
    private mutating func join() {
        var masters: [ByteText: Int] = [:]
        let newest = newest()
        for component in newest where !component.isOverride {
            let entry = component.entry(zones)
            if entry.isCancellation, !entry.uid.isEmpty, let index = masters[ByteText(entry.uid)] {
                entries[index].status = .cancelled
                entries[index].source += component.source
                continue
            }
            if masters[ByteText(entry.uid)] == nil { masters[ByteText(entry.uid)] = entries.count }
            entries.append(entry)
        }
        // The last change of an occurrence counts, however its start is written.
        let changes = newest.filter(\.isOverride).sorted { $0.version < $1.version }
        for change in changes { join(change, masters) }
    }

    /// Without those of which the file has a newer version, or the same twice.
    private func newest() -> [CalendarComponent] {
        var (newest, known) = ([CalendarComponent](), [ByteText: Int]())
        for (var component, place) in zip(components, places) {
            component.calendar = calendars[place]
            component.readVersion()
            let key = component.key
            guard let former = key.flatMap({ known[$0] }), component.isVersion(of: newest[former]) else {
                if let key { known[key] = newest.count }
                newest.append(component)
                continue
            }
            newest[former].source += component.source
            newest[former].hasOlder = true
            if component.version < newest[former].version { continue }
            (component.source, component.hasOlder) = (newest[former].source, true)
            newest[former] = component
        }
        return newest
    }

    private mutating func join(_ component: CalendarComponent, _ masters: [ByteText: Int]) {
        let uid = component.text("UID") ?? ""
        // A change of an event that is not in the file is an event.
        guard !uid.isEmpty, let index = masters[ByteText(uid)] else {
            var entry = component.entry(zones)
            if entry.isCancellation, let change = component.override(zones).0 { entry.overrides = [change] }
            return entries.append(entry)
        }
        entries[index].source += component.source
        let (change, problems) = component.override(zones)
        func refuse(_ field: String, _ message: String) {
            if entries[index].problems.isEmpty { entries[index].problems.append(FieldProblem(field, message)) }
        }
        if let problem = problems.first { refuse(problem.field, "line \(component.line): \(problem.message)") }
        guard let change else { return }
        guard entries[index].overrides.count < CalendarEntry.mostExceptions else {
            let most = CalendarEntry.mostExceptions
            return refuse("RECURRENCE-ID", "has more than \(most) changed occurrences; shorten the series")
        }
        entries[index].overrides.append(change)
        if let title = component.text("SUMMARY"), CancelledTitle.rest(of: title) != nil {
            entries[index].cancellingTitles.append(title)
        }
        let older = "older version of single dates"
        if component.hasOlder, !entries[index].ignored.contains(older) { entries[index].ignored.append(older) }
    }
}
