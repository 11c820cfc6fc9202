import Bytes
import SookeModel
import Store

/// What a calendar of others says, as events of a town.
package struct PulledAnswer: Sendable {
    package private(set) var events: [PulledEvent] = []
    package private(set) var leftOut: [Finding] = []

    /// Nil for bytes that are no whole calendar: a web page, an error, half a file.
    package init?(
        _ bytes: [UInt8], of calendar: PulledCalendar, in town: Town, at now: Timestamp, _ options: ImportOptions
    ) {
        guard Self.isWhole(bytes) else { return nil }
        var options = options
        options.eventType = calendar.eventType.text
        let file = ImportFile(name: calendar.name, format: .icalendar, bytes: bytes).readRows(options)
        var (trial, names, keys) = (WriteTransaction(town, at: now), NameLookup(createsTerms: false), Set<ByteText>())
        for row in file.rows where row.cancellation == nil && !row.key.isEmpty {
            let event = event(row, in: file, &names, &trial, options)
            if event?.status == .draft { continue }
            // Two events with one key are told apart by their start.
            var key = Self.bounded(row.key)
            if !keys.insert(ByteText(key)).inserted { key += " \(event?.startsLocal?.text ?? "")" }
            events.append(PulledEvent(key: key, event: event.map { $0.placed(as: calendar) }))
        }
    }

    private mutating func event(
        _ row: ImportRow, in file: Import.File, _ names: inout NameLookup, _ trial: inout WriteTransaction,
        _ options: ImportOptions
    ) -> Event? {
        var problems = row.problems
        guard var any = row.patch, problems.isEmpty else {
            for problem in problems.all { leftOut.append(file.finding(problem, in: row)) }
            return nil
        }
        row.complete(&any, in: &names, trial.town)
        any.lookUp(row, in: &names, &trial, options, &problems)
        guard let patch = any as? Patch<Event> else { return nil }
        var event = patch.applied(to: Event())
        event.settle(after: nil, in: trial.town.zone(of: event), &problems)
        // It gets its ID and its slug when it is made.
        (event.id, event.slug) = (1, Slug("event"))
        event.validateInput(after: nil, &problems)
        (event.id, event.slug) = (0, Slug(""))
        guard problems.isEmpty else {
            for problem in problems.all { leftOut.append(file.finding(problem, in: row)) }
            return nil
        }
        return event
    }

    private static func bounded(_ key: String) -> String {
        key.utf8.count <= 200 ? key : key.prefix(bytes: 180) + Hex.text(of: XXH64.digest(Array(key.utf8).span))
    }

    /// From its first line to its last; some servers add a comment.
    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        func has(_ name: String, in part: ArraySlice<UInt8>) -> Bool {
            part.split(whereSeparator: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }).contains { line in
                let text = line.drop { $0 > 0x7f || $0 <= UInt8(ascii: " ") }
                return ASCII.equalIgnoringCase(text.prefix(name.utf8.count), name.utf8)
            }
        }
        let first = bytes.drop { $0 > 0x7f || $0 <= UInt8(ascii: " ") }.prefix(40)
        return has("BEGIN:VCALENDAR", in: first) && has("END:VCALENDAR", in: bytes.suffix(1_000))
    }
}

extension Event {
    /// Where all events of a calendar happen, and who organizes them.
    fileprivate func placed(as calendar: PulledCalendar) -> Event {
        var event = self
        if let place = calendar.place {
            (event.business, event.latitude, event.longitude, event.location) = (place, nil, nil, nil)
        }
        if calendar.host != nil || calendar.organizer != nil {
            (event.host, event.organizer) = (calendar.host, calendar.organizer)
        }
        return event
    }
}
