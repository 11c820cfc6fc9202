import SookeModel
import Testing

@testable import Exchange

/// The names that people give columns.
@Suite struct ColumnNamesTests {
    static let businesses: [(name: String, column: String?)] = [
        ("Business Name", "name"), ("Shop Name", "name"), ("E-mail Address", "email"), ("Tel.", "phone"),
        ("Civic Address", "address"), ("LATITUDE (decimal)", "latitude"), ("Lng", "longitude"),
        ("Google Maps URL", "coordinates"), ("Type", "category"), ("Website URL", "website"), ("Mon", "monday"),
        ("Opening Hours (Mon)", "monday"), ("Monday Hours", "monday"), ("hours_monday", "monday"),
        ("Hours Mon-Fri", "hours_mon_fri"), ("Weekend", "weekend"), ("Store Hours", "opening_hours"), ("", nil),
        ("Notes", nil), ("M", nil),
    ]

    @Test(arguments: businesses)
    func ofBusinesses(name: String, column: String?) throws {
        #expect(try #require(CSVTable<Business>()).column(named: name)?.name == column)
    }

    static let events: [(name: String, column: String?)] = [
        ("Event", "name"), ("Subject", "name"), ("Venue Name", "location"), ("Event Start Date", "start_date"),
        ("Event Start Time", "start_time"), ("Date", "start_date"), ("Event Category", "event_type"),
        ("Location", "location"), ("Monday", nil), ("Business Name", "business"), ("Hosted by", "host"),
        ("Organised by", "organizer"), ("Website", "url"), ("Ticket price", "price"),
    ]

    @Test(arguments: events)
    func ofEvents(name: String, column: String?) throws {
        #expect(try #require(CSVTable<Event>()).column(named: name)?.name == column)
    }

    @Test(
        arguments: [
            ("mon_fri", [1, 2, 3, 4, 5]), ("sat_sun", [6, 0]), ("hours_fri_to_mon", [5, 6, 0, 1]),
            ("weekdays", [1, 2, 3, 4, 5]),
            ("tuesdays", [2]), ("m", nil), ("phone", nil), ("mon_tue_wed", nil), ("hours", nil),
        ] as [(String, [Int]?)])
    func days(name: String, days: [Int]?) {
        #expect(ColumnNames.days(named: name) == days)
    }

    @Test(arguments: [
        ("monday_open", [1], 0, true), ("mon_close", [1], 0, false), ("open_monday", [1], 0, true),
        ("weekdays_closing_time", [1, 2, 3, 4, 5], 0, false), ("tue_opens_2", [2], 1, true),
        ("mondayopen", [1], 0, true),
    ])
    func edgesOfDays(name: String, days: [Int], shift: Int, isOpening: Bool) {
        #expect(ColumnNames.dayEdge(named: name) == .init(days: days, shift: shift, isOpening: isOpening))
    }

    @Test(arguments: ["monday", "open", "close", "start_time", "end_date", "monday_hours", "opening_hours"])
    func otherColumnsAreNoEdges(name: String) {
        #expect(ColumnNames.dayEdge(named: name) == nil)
    }
}
