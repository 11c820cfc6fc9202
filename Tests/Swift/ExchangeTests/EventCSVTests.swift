import Bytes
import SookeModel
import Testing

@testable import Exchange

/// Importing a table of events.
@Suite struct EventCSVTests {
    @Test func aRowMakesAnEvent() throws {
        var town = try TestTown.small()
        try town.take(
            """
            name,slug,event_type,business,latitude,longitude,starts_at,ends_at,status,description,submitted_by,id
            Quiz,,live-music,pub,,,2027-01-29T18:30:00-08:00,2027-01-30 04:30:00Z,approved,"One, two",ada@sooke.example,5
            """, as: "x.csv")
        var quiz = Event()
        (quiz.id, quiz.eventType, quiz.submittedBy, quiz.business) = (5, Slug("live-music"), 1, Slug("pub"))
        (quiz.name, quiz.slug, quiz.description, quiz.status) = ("Quiz", Slug("quiz"), "One, two", .approved)
        (quiz.startsLocal, quiz.endsLocal) = (LocalTime("2027-01-30T02:30"), LocalTime("2027-01-30T04:30"))
        quiz.startsAt = Timestamp(rfc3339: "2027-01-30T02:30:00Z")
        quiz.endsAt = Timestamp(rfc3339: "2027-01-30T04:30:00Z")
        #expect(try town.event("quiz") == quiz)
    }

    @Test func anEventCanMoveFromABusinessToAPlace() throws {
        var town = try TestTown.small()
        try town.take("slug,business,latitude,longitude\nconcert,,48.37,-123.7", as: "x.csv")
        let concert = try town.event("concert")
        #expect(concert.business == nil)
        #expect(concert.latitude == 48.37)
        #expect(concert.longitude == -123.7)
    }

    @Test func anEmptyStatusSaysNothing() throws {
        var town = try TestTown.small()
        try town.take("slug,status,submitted_by,ends_at\nconcert,,,", as: "x.csv")
        #expect(try town.event("concert").status == .approved)
        #expect(try town.event("concert").submittedBy == nil)
    }

    @Test(arguments: ["live-music", "Live Music"])
    func aTypeIsNamedBySlugOrName(cell: String) throws {
        var town = try TestTown.small()
        try town.take("name,event_type,starts_at\nX,\(cell),2027-01-01T00:00:00Z", as: "x.csv")
        #expect(try town.event("x").eventType == Slug("live-music"))
    }

    @Test func aNameThatTwoTypesHaveIsNotGuessed() throws {
        var town = try TestTown.small()
        try town.put(2, eventType: "Live Music", slug: "concerts")
        #expect(
            town.problems(with: "slug,event_type\nconcert,Live Music", as: "x.csv") == [
                #"x.csv:2: event_type: "Live Music" is more than one event type; write "live-music" or "concerts""#
            ])
    }

    /// Of a table without a column of places.
    @Test(
        arguments: [
            ("Location", "pub", "pub", nil), ("Venue", "The Pub", nil, "The Pub"), ("Where", "PUB ", "pub", nil),
            ("place", "Pub, 1 Wharf St, Sooke", "pub", nil), ("location", "Village Green", nil, "Village Green"),
            ("location", "Room 2, Pub", nil, "Room 2, Pub"), ("location", "TBD", nil, nil),
            ("business,location", "Pub,Pub", "pub", "Pub"), ("business,location", ",Pub", "pub", nil),
            ("latitude,longitude,location", "48,-123,Pub", "pub", nil),
        ] as [(String, String, String?, String?)])
    func wordsForAPlaceMayBeTheNameOfOne(header: String, cells: String, business: String?, words: String?) throws {
        var town = try TestTown.small()
        let cells = cells.contains(", ") ? "\"\(cells)\"" : cells
        let table = "name,event_type,starts_at,\(header)\nX,live-music,2027-01-01 19:00,\(cells)"
        try town.take(table, as: "x.csv")
        let event = try town.event("x")
        #expect(event.business?.text == business && event.location == words)
        #expect(business == nil || event.coordinates == nil)
        #expect(try town.take(table, as: "x.csv").changedNothing)
    }

    @Test(
        arguments: [
            ("host", "Pub", "pub", nil), ("Hosted by", "pub", "pub", nil), ("Hosted By", "Ada", nil, "Ada"),
            ("Organised by", "Sooke Legion", nil, "Sooke Legion"), ("organizer", "PUB", "pub", nil),
            ("organizer", "-", nil, nil),
        ] as [(String, String, String?, String?)])
    func whoOrganizesItMayBeAPlace(header: String, cell: String, host: String?, words: String?) throws {
        var town = try TestTown.small()
        let table = "name,event_type,starts_at,\(header)\nX,live-music,2027-01-01 19:00,\(cell)"
        try town.take(table, as: "x.csv")
        let event = try town.event("x")
        #expect(event.host?.text == host && event.organizer == words && event.business == nil)
        #expect(try town.take(table, as: "x.csv").changedNothing)
    }

    @Test func wordsThatAreNearlyAPlaceAreNamed() throws {
        var town = try TestTown.small()
        try town.take(
            #"{"businesses":[{"name":"The Slack Tide","address":"1","latitude":48.3,"longitude":-123.7}]}"#,
            as: "x.json")
        let rows = (1...3).map { "X \($0),live-music,2027-01-01 19:00,Slack Tide\n" }.joined()
        let report = try town.take("name,event_type,starts_at,location\n" + rows, as: "x.csv")
        #expect(
            report.warnings.lines == [
                "warning: x.csv:2: location: \"Slack Tide\" stays in words; did you mean \"The Slack Tide\"?"
            ])
    }

    @Test func anEventThatLeavesAPlaceIsWhereTheWordsSay() throws {
        var town = try TestTown.small()
        for (cell, business, words) in [("Pub", "pub", nil), ("The Green", nil, "The Green"), ("Pub", "pub", nil)] {
            try town.take("name,event_type,starts_at,location\nX,live-music,2027-01-01 19:00,\(cell)", as: "x.csv")
            #expect(try town.event("x").business?.text == business && town.event("x").location == words)
        }
    }

    static let refused: [(header: String, row: String, problems: [String])] = [
        (
            "slug,starts_at", "concert,tomorrow",
            ["starts_at: must be a date and time like 2027-06-01 19:00 or 2027-06-01T19:00:00-07:00, not \"tomorrow\""]
        ),
        ("slug,starts_at", "concert,", ["starts_at: is missing"]),
        ("slug,ends_at", "concert,2026-01-01T00:00:00Z", ["ends_at: must not lie before starts_at"]),
        (
            "slug,status", "concert,maybe",
            ["status: must be one of draft, pending_review, approved, cancelled, rejected, not \"maybe\""]
        ),
        (
            "slug,event_type", "concert,",
            ["event_type: must not be empty; --event-type gives it to all events without one"]
        ),
        (
            "slug,event_type", "concert,opera",
            [
                "event_type: there is no event type \"opera\"; there is \"Live Music\", "
                    + "or create it with --create-categories"
            ]
        ),
        (
            "slug,business,status", "concert,nope,draft",
            [
                "business: there is no business \"nope\"; import it first, or leave the cell empty and give coordinates"
            ]
        ),
        ("slug,submitted_by", "concert,9", ["submitted_by: there is no user 9"]),
        (
            "slug,latitude,longitude,status", "concert,48,-123,draft",
            ["business: and coordinates must not both be given; a business has its own"]
        ),
        ("slug,business,latitude,status", "concert,,48,draft", ["longitude: is missing; a place needs both numbers"]),
    ]

    @Test(arguments: refused)
    func saysWhatIsWrongWithACell(header: String, row: String, problems: [String]) throws {
        let found = try TestTown.small().problems(with: "\(header)\n\(row)", as: "x.csv")
        #expect(found == problems.map { "x.csv:2: \($0)" })
    }
}
