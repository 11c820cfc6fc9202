import Bytes
import SookeModel
import Store

/// What the tables of the Go service cannot hold: the first lines of a script.
package struct PostgresNotes {
    static let mark = "-- note: "

    let lines: [String]

    init(_ town: Town, _ options: PostgresOptions) {
        var lines: [String] = []
        func add(_ count: Int, _ noun: String, _ words: String) {
            if count > 0 { lines.append("\(Count(count, noun)) \(words)") }
        }
        let counts = Self.businesses(of: town)
        let center = town.settings.center == nil ? "at 0, 0" : "at the center of the town"
        add(counts.waiting, "business", "without a location: there \(center)")
        add(counts.splitDays, "day", "with several openings: there from the first opening to the last closing")
        add(counts.texts, "business", "with hours beyond a week: there the weekly hours")
        add(counts.special, "business", "with hours of certain dates: not there")
        add(counts.zones, "business", "with a time zone: not there")
        add(counts.former, "business", "with former slugs: not there")
        add(counts.confirmed, "business", "with a confirmation: not there")
        var (series, nobody, former, reasons) = (0, 0, 0, 0)
        for event in town.events.inOrderOfID.lazy.map(\.value) {
            if event.hasSeries { series += 1 }
            if event.submittedBy == nil { nobody += 1 }
            if !event.formerSlugs.isEmpty || event.pendingSlug != nil { former += 1 }
            if event.reason != nil { reasons += 1 }
        }
        add(series, "event", "in a series: there once, at the start of the series")
        add(nobody, "event", "without a submitter: there submitted by sooke:nobody, a user of the ID 0")
        add(former, "event", "with former slugs: not there")
        add(reasons, "event", "with a reason of rejection: not there")
        let people = Array(town.people.inOrderOfID)
        add(people.count { $0.role == .editor }, "editor", "of public data: there with the role general_user")
        add(people.count { $0.clerkID == nil }, "user", "without a clerk_id: there with sooke: and the ID")
        if town.storedSettings != nil { lines.append("the settings of the town: not there") }
        if !lines.isEmpty {
            lines.insert(
                "the tables of the Go service cannot hold all; an import brings it back from sooke_documents:", at: 0)
        }
        let secrets = Town.kinds.filter { !$0.isShared }.reduce(0) { $0 + town.count(of: $1) }
        if secrets > 0, !options.hasPrivateRecords {
            lines.append(
                "\(Count(secrets, "private record")) left out, such as passwords, sessions and proposals; --private "
                    + "adds them"
            )
        }
        self.lines = lines
    }

    private typealias Businesses = (
        waiting: Int, splitDays: Int, texts: Int, special: Int, zones: Int, former: Int, confirmed: Int
    )

    private static func businesses(of town: Town) -> Businesses {
        var counts: Businesses = (0, 0, 0, 0, 0, 0, 0)
        for record in town.businesses.inOrderOfID {
            let business = record.value
            if business.coordinates == nil { counts.waiting += 1 }
            if !business.hours.isAscending(by: \.dayOfWeek) {
                let days = Dictionary(grouping: business.hours, by: \.dayOfWeek)
                counts.splitDays += days.values.count { $0.count > 1 }
            }
            if business.openingHours != nil { counts.texts += 1 }
            if !business.specialHours.isEmpty { counts.special += 1 }
            if business.timeZone != nil { counts.zones += 1 }
            if !business.formerSlugs.isEmpty { counts.former += 1 }
            if business.confirmedAt != nil { counts.confirmed += 1 }
        }
        return counts
    }

    /// Nil while the script may go on with others.
    package static func notes(atBeginningOf script: [UInt8]) -> [String]? {
        var notes: [String] = []
        for line in script.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).dropLast() {
            guard line.starts(with: "--".utf8) else { return notes }
            guard line.starts(with: mark.utf8) else { continue }
            notes.append(String(decoding: line.dropFirst(mark.utf8.count), as: UTF8.self))
        }
        return nil
    }
}
