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
        let center = town.settings.center == nil ? "at 0, 0" : "at the center of the town"
        let businesses = town.businesses.inOrderOfID.map(\.value)
        add(businesses.count { $0.coordinates == nil }, "business", "without a location: there \(center)")
        let splitDays = businesses.reduce(0) { $0 + Self.splitDays(of: $1.hours) }
        add(splitDays, "day", "with several openings: there from the first opening to the last closing")
        add(businesses.count { $0.openingHours != nil }, "business", "with hours beyond a week: there the weekly hours")
        add(businesses.count { !$0.specialHours.isEmpty }, "business", "with hours of certain dates: not there")
        add(businesses.count { $0.timeZone != nil }, "business", "with a time zone: not there")
        add(businesses.count { !$0.formerSlugs.isEmpty }, "business", "with former slugs: not there")
        add(businesses.count { $0.confirmedAt != nil }, "business", "with a confirmation: not there")
        let events = town.events.inOrderOfID.map(\.value)
        add(events.count(where: \.hasSeries), "event", "in a series: there once, at the start of the series")
        let inWords = events.count { event in
            [event.location, event.url, event.host?.text, event.organizer, event.price].contains { $0 != nil }
        }
        add(inWords, "event", "with a place in words, a link, an organizer or a price: not there")
        let nobody = "without a submitter: there submitted by sooke:nobody, a user of the ID 0"
        add(events.count { $0.submittedBy == nil }, "event", nobody)
        let former = events.count { !$0.formerSlugs.isEmpty || $0.pendingSlug != nil }
        add(former, "event", "with former slugs: not there")
        add(events.count { $0.reason != nil }, "event", "with a reason of rejection: not there")
        add(town.notices.count, "notice", "of the town: not there")
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

    private static func splitDays(of hours: [DayHours]) -> Int {
        if hours.isAscending(by: \.dayOfWeek) { return 0 }
        return Dictionary(grouping: hours, by: \.dayOfWeek).values.count { $0.count > 1 }
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
