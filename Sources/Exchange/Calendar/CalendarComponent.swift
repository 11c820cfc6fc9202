import Bytes
import SookeModel

/// The lines of a `VEVENT` (RFC 5545, section 3.6.1), without those of components in it.
struct CalendarComponent {
    /// The line of its begin.
    let line: Int
    var properties: [ContentLine] = []
    /// Where it is in the text.
    var source = 0..<0
    var calendar = CalendarProperties()

    func text(_ name: String) -> String? { first(name)?.text }

    func first(_ name: String) -> ContentLine? { properties.first { $0.name == name } }

    /// Whether it changes one occurrence of another event.
    var isOverride: Bool { first("RECURRENCE-ID").map { !$0.value.trimmed.isEmpty } ?? false }

    /// The number of its revision.
    var sequence: Int { text("SEQUENCE").flatMap { Int($0.trimmed) } ?? 0 }

    /// Properties that say nothing about an event, or that are used.
    private static let silent: Set<String> = [
        "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "TRANSP", "PRIORITY", "CLASS", "DTSTART", "DTEND",
        "DURATION", "SUMMARY", "DESCRIPTION", "RRULE", "EXDATE", "RDATE", "RECURRENCE-ID", "STATUS", "LOCATION",
        "CATEGORIES", "GEO", "URL", "EXRULE",
    ]
    /// Those of single programs that hold what people need.
    private static let extensions: Set<String> = ["X-GOOGLE-CONFERENCE"]

    /// The most names of properties that are not used.
    private static let mostIgnored = 20

    private func isWorthNaming(_ name: String) -> Bool {
        Self.extensions.contains(name) || !Self.silent.contains(name) && !name.hasPrefix("X-") && !name.isEmpty
    }

    /// - Parameter zones: the names of zones of the tz database for those that the calendar defines.
    func entry(_ zones: [String: String]) -> CalendarEntry {
        var entry = CalendarEntry(line: line)
        entry.source = [source]
        (entry.calendarZone, entry.isCancellation) = (calendar.zone, calendar.isCancellation)
        var seen: Set<String> = []
        for property in properties {
            if Self.emptyMeansNone.contains(property.name), property.value.trimmed.isEmpty { continue }
            let isFirst = seen.insert(property.name).inserted
            entry.read(property, isFirst: isFirst, zones)
            if isFirst, isWorthNaming(property.name), entry.ignored.count < Self.mostIgnored {
                entry.ignored.append(property.name)
            }
        }
        let isPrivate = text("CLASS").map { ["PRIVATE", "CONFIDENTIAL"].contains($0.trimmed.shortUppercased) } ?? false
        if isPrivate, entry.status != .cancelled { entry.status = .draft }
        if isAllDay { entry.makeDays() }
        // What cancels an event may come without its start.
        if entry.start == nil, entry.problems.isEmpty, !entry.isCancellation {
            entry.problems.append(FieldProblem("DTSTART", "is missing; an event needs a start"))
        }
        entry.makePlain()
        return entry
    }

    /// Whether a program says that the times are those of whole days.
    private var isAllDay: Bool {
        ["X-MICROSOFT-CDO-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY"].contains { name in
            first(name).map { ["TRUE", "1"].contains($0.value.trimmed.shortUppercased) } ?? false
        }
    }

    /// Properties that programs write without a value.
    private static let emptyMeansNone: Set<String> = [
        "RRULE", "EXRULE", "EXDATE", "RDATE", "DTEND", "DURATION", "GEO", "STATUS", "URL", "RECURRENCE-ID",
    ]
}

extension CalendarEntry {
    /// Makes days of times at midnight. Moments in UTC that name days are midnights in their zone.
    fileprivate mutating func makeDays() {
        guard let day = start?.dayAtMidnight else { return }
        calendarZone = start?.zoneName ?? calendarZone
        (start, end) = (.date(day), end.map { end in end.dayAtMidnight.map(CalendarMoment.date) ?? end })
    }

    /// Makes plain text of what other programs write, and adds the address of the page of the event.
    fileprivate mutating func makePlain() {
        summary = CellText.oneLine(summary)
        guard slugInURL == nil else { return }
        summary = CellText.oneLine(PlainText.of(summary))
        description = description.map(PlainText.of)
        if description?.withoutInvisibleEnds.isEmpty != false, let otherDescription {
            description = PlainText.of(otherDescription)
        }
        location = location.map { CellText.oneLine(PlainText.of($0)) }
        categories = categories.map { CellText.oneLine(PlainText.of($0)) }
        guard let url, !url.isEmpty else { return }
        let isWeb = ["https://", "http://"].contains {
            ASCII.equalIgnoringCase(url.utf8.prefix($0.utf8.count), $0.utf8)
        }
        guard isWeb, url.utf8.count <= 2_000 else { return ignored.append("URL") }
        let text = description ?? ""
        let isThere = ByteSearch(for: Array(url.utf8)).firstMatch(in: Array(text.utf8).span) != nil
        if !isThere { description = text.withoutInvisibleEnds.isEmpty ? url : "\(text)\n\n\(url)" }
    }
}

extension CalendarEntry {
    /// Reads a property. Those that may occur once count in their first place.
    fileprivate mutating func read(_ property: ContentLine, isFirst: Bool, _ zones: [String: String]) {
        switch property.name {
        case "EXDATE": append(property, to: \.exdates, zones)
        case "RDATE": append(property, to: \.rdates, zones)
        case "CATEGORIES": categories += property.texts(at: ",").map(\.trimmed).filter { !$0.isEmpty }
        case "RRULE" where !isFirst, "EXRULE":
            refuse(
                property.name,
                "is not supported beside another rule; an event has one RRULE, with EXDATE and RDATE for other days")
        case "":
            refuse("", "line \(property.number) is not a valid iCalendar line: \"\(property.value.excerpt())\"")
        default: if isFirst { readSingle(property, zones) }
        }
    }

    private mutating func readSingle(_ property: ContentLine, _ zones: [String: String]) {
        if let name = property.unreadCharacterSet { refuse(property.name, EncodedText.message(aboutSet: name)) }
        switch property.name {
        case "UID": uid = property.text
        case "SUMMARY": summary = property.text.trimmed
        case "DESCRIPTION": description = property.text
        case "X-ALT-DESC": otherDescription = property.text
        case "LOCATION": location = property.text.trimmed
        case "URL": url = property.value.trimmed
        case "RRULE": rrule = CellText.rule(property.value.trimmed)
        case "DTSTART": start = moment(property, zones)
        case "DTEND": end = moment(property, zones)
        case "DURATION":
            duration = CalendarDuration(property.value)
            if duration == nil {
                refuse("DURATION", "is \"\(property.value.excerpt())\"; write a duration such as PT1H30M")
            }
        case "STATUS": readStatus(property.value.trimmed)
        case "GEO", "X-APPLE-STRUCTURED-LOCATION": readPlace(property)
        default: break
        }
    }

    private mutating func readStatus(_ text: String) {
        switch text.shortUppercased {
        case "CONFIRMED": status = .approved
        case "TENTATIVE": status = .draft
        case "CANCELLED": status = .cancelled
        default: refuse("STATUS", "is \"\(text.excerpt())\"; write CONFIRMED, TENTATIVE or CANCELLED")
        }
    }

    private mutating func readPlace(_ property: ContentLine) {
        do {
            coordinates = try PlaceText.coordinates(property.text)
        } catch {
            if property.name == "GEO" { refuse("GEO", error.description) }
        }
    }

    private mutating func append(
        _ property: ContentLine, to list: WritableKeyPath<CalendarEntry, [CalendarMoment]>, _ zones: [String: String]
    ) {
        for text in property.value.utf8.split(separator: UInt8(ascii: ",")) {
            guard self[keyPath: list].count < Self.mostExceptions else {
                return refuse(property.name, "has more than \(Self.mostExceptions) entries; shorten the series")
            }
            let start = String(decoding: text.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
            guard let moment = moment(property, zones, text: start) else { continue }
            self[keyPath: list].append(moment)
            // A period is a start with an end or a length of its own.
            let rest = String(decoding: text.dropFirst(start.utf8.count + 1), as: UTF8.self)
            guard list == \.rdates, !rest.isEmpty else { continue }
            let length = CalendarDuration(rest)
            let end = length == nil ? self.moment(property, zones, text: rest) : nil
            overrides.append(Override(original: moment, start: moment, end: end, duration: length, isPeriod: true))
        }
    }

    /// Reads a moment, and adds a problem when it is none.
    private mutating func moment(
        _ property: ContentLine, _ zones: [String: String], text: String? = nil
    ) -> CalendarMoment? {
        let name = property.zoneName
        let text = text ?? property.value
        guard let moment = CalendarMoment(text, zoneName: name.map { zones[$0] ?? $0 } ?? calendarZone) else {
            refuse(
                property.name,
                "is \"\(text.excerpt())\"; write a date and time such as 20270601T190000, or a date such as 20270601")
            return nil
        }
        return moment
    }

    private mutating func refuse(_ field: String, _ message: String) {
        guard !problems.contains(where: { $0.field == field }) else { return }
        problems.append(FieldProblem(field, message))
    }
}

extension CalendarComponent {
    func override(_ zones: [String: String]) -> (CalendarEntry.Override?, [FieldProblem]) {
        guard let property = first("RECURRENCE-ID") else { return (nil, []) }
        let entry = entry(zones)
        let name = property.zoneName.map { zones[$0] ?? $0 } ?? calendar.zone
        guard let original = CalendarMoment(property.value, zoneName: name) else {
            return (
                nil, [FieldProblem("RECURRENCE-ID", "is \"\(property.value.excerpt())\", not a valid date-time")]
            )
        }
        guard !property.has("RANGE", "THISANDFUTURE") else {
            return (
                nil,
                [
                    FieldProblem(
                        "RECURRENCE-ID",
                        "changes all later occurrences; end the series before it, and begin another one there")
                ]
            )
        }
        let isCancelled = entry.status == .cancelled || calendar.isCancellation
        // A cancelled occurrence may come without its start.
        let problems = entry.problems.filter { !(isCancelled && $0.field == "DTSTART") }
        return (
            CalendarEntry.Override(
                original: original, start: entry.start, end: entry.end, duration: entry.duration,
                isCancelled: isCancelled),
            problems
        )
    }
}

extension ContentLine {
    /// The name of its time zone; of a long one, which is none, the beginning.
    fileprivate var zoneName: String? { self["TZID"].flatMap { $0.isEmpty ? nil : $0.excerpt(bytes: 200) } }
}

extension String {
    /// The text in upper case, to be compared with words; of a long one, which takes time to compare, nothing.
    var shortUppercased: String { utf8.count <= 40 ? uppercased() : "" }
}
