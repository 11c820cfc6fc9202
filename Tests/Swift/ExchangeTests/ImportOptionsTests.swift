import Bytes
import SookeModel
import Store
import Testing

@testable import Exchange

/// What an import does besides its files.
@Suite struct ImportOptionsTests {
    private static let table = "name,category,address,latitude,longitude\nPub,restaurants,1 A St,48.37,-123.73\n"

    private static func options(_ change: (inout ImportOptions) -> Void) -> ImportOptions {
        var options = ImportOptions()
        change(&options)
        return options
    }

    @Test func anEmptyTownSaysHowToBegin() {
        #expect(
            TestTown().problems(with: Self.table, as: "x.csv") == [
                "x.csv:2: category: there is no category \"restaurants\"; create it with --create-categories, "
                    + "or begin with a set of them: --starter"
            ])
    }

    @Test func categoriesThatDoNotExistAreCreated() throws {
        var town = TestTown()
        let report = try town.take(Self.table, as: "x.csv", Self.options { $0.createsTerms = true })
        #expect(report.description == "categories: 1 new; businesses: 1 new")
        #expect(town.town.categories[Slug("restaurants")]?.value.name == "Restaurants")
        #expect(try town.business("pub").category == Slug("restaurants"))
    }

    @Test func aNameInAnyCaseIsOneCategory() throws {
        var town = TestTown()
        let rows = ["Food & Drink", "food & drink", " FOOD & DRINK "].enumerated().map {
            "\($0.offset),\"\($0.element)\",1 A,48,-123"
        }
        let text = "name,category,address,latitude,longitude\n" + rows.joined(separator: "\n")
        let report = try town.take(text, as: "x.csv", Self.options { $0.createsTerms = true })
        #expect(report[.category].created == 1)
        #expect(report[.business].created == 3)
    }

    @Test func theStarterSetIsAddedOnce() throws {
        var town = TestTown()
        let starter = Self.options { $0.addsStarter = true }
        #expect(try town.take(Self.table, as: "x.csv", starter)[.category].created == 16)
        #expect(town.town.categories[Slug("pharmacies")]?.value.synonyms.contains("chemist") == true)
        #expect(town.town.count(of: .eventType) == 10)
        #expect(try town.take(Self.table, as: "x.csv", starter).changedNothing)
    }

    @Test func whatHasNoCategoryGetsTheGivenOne() throws {
        var town = try TestTown.small()
        let bars = Self.options { ($0.category, $0.eventType) = ("Bars", "live music") }
        try town.take("name,address,coordinates\nNew,1 A,\"48,-123\"\n", as: "x.csv", bars)
        #expect(try town.business("new").category == Slug("bars"))
        try town.take("name,starts_at\nJam,2027-06-01 19:00\n", as: "x.csv", bars)
        #expect(try town.event("jam").eventType == Slug("live-music"))
        try town.take("slug,phone\npub,1\n", as: "x.csv", Self.options { $0.category = "Cafés & Bakeries" })
        #expect(try town.business("pub").category == Slug("bars"))
    }

    @Test func recordsOfOneNameAreToldApart() throws {
        var town = try TestTown.small()
        let shops = "name,address,coordinates\nTim's,10 Main,\"48,-123\"\nTim's,66 Sooke Rd,\"48.1,-123\"\n"
        let story =
            "name,event_type,date,time\nStory Time,Live Music,2027-06-01,10am\nStory Time,Live Music,2027-06-08,10am\n"
        for text in [shops, story] {
            #expect(try town.take(text, as: "x.csv").changed == 2)
            #expect(try town.take(text, as: "x.csv").changedNothing)
        }
        #expect(try town.business("tims-10-main").address == "10 Main")
        #expect(try town.event("story-time-2027-06-08").startsAt?.rfc3339 == "2027-06-08T10:00:00Z")
    }

    @Test func aRecordThatIsThereStaysWhenAnotherOfItsNameComes() throws {
        var town = try TestTown.small()
        let header = "name,address,coordinates\n"
        let (first, second) = ("Tim,10 Main,\"48,-123\"\n", "Tim,66 Sooke Rd,\"48.1,-123\"\n")
        try town.take(header + first, as: "x.csv")
        let report = try town.take(header + first + second, as: "x.csv")
        #expect((report[.business].created, report[.business].unchanged) == (1, 1))
        let events = "name,event_type,starts_at\nM,Live Music,2027-06-01 19:00\n"
        try town.take(events, as: "y.csv")
        let later = try town.take(events + "M,Live Music,2027-06-08 19:00\n", as: "y.csv")
        #expect((later[.event].created, later[.event].unchanged) == (1, 1))
    }

    @Test(arguments: [
        ("monday", "\"13:00-17:00, 08:00-12:00\"", "1 08:00-12:00, 1 13:00-17:00"),
        ("monday,mon-fri", "10-4,9-5", "1 10:00-16:00, 2 09:00-17:00, 3 09:00-17:00, 4 09:00-17:00, 5 09:00-17:00"),
    ])
    func theSameHoursGiveTheSameRows(header: String, cells: String, hours: String) throws {
        var town = try TestTown.small()
        let text = "slug,phone,\(header)\nhall,1,\(cells)\n"
        try town.take("name,address,coordinates\nHall,1 A,\"48,-123\"\n", as: "h.csv")
        try town.take(text, as: "x.csv")
        #expect(try town.take(text, as: "x.csv").changedNothing)
        #expect(try town.business("hall").hours.map { "\($0.dayOfWeek) \($0.cell)" }.joined(separator: ", ") == hours)
    }

    @Test func theDatesOfAColumnTellTheOrderOfDayAndMonth() throws {
        var town = try TestTown.small()
        let rows = ["6/7/2027", "6/18/2027"].enumerated().map { "Jam \($0.offset),Live Music,\($0.element) 7pm" }
        let report = try town.take("name,event_type,starts_at\n" + rows.joined(separator: "\n"), as: "x.csv")
        #expect(try town.event("jam-0").startsAt?.rfc3339 == "2027-06-07T19:00:00Z")
        #expect(report.warnings.lines.first?.contains("month/day/year") == true)
        let mixed = "A,Live Music,13/6/2027 9:00,\nB,Live Music,6/7/2027 9:00,7/13/2027 10:00\n"
        #expect(
            TestTown().problems(with: "name,event_type,starts_at,ends_at\n" + mixed, as: "x.csv").contains {
                $0.contains("can be")
            })
        let both = rows.joined(separator: "\n") + "\nJam 2,Live Music,18/6/2027 7pm"
        #expect(
            TestTown().problems(with: "name,event_type,starts_at\n" + both, as: "x.csv").contains {
                $0.contains("can be")
            })
    }

    @Test func anEventOfACalendarKeepsItsSlugAndItsStatus() throws {
        var town = try TestTown.small()
        func calendar(_ start: String) -> String {
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1@x.example", "SUMMARY:Jam",
                "CATEGORIES:Live Music", "DTSTART:\(start)", "END:VEVENT", "END:VCALENDAR", "",
            ].joined(separator: "\r\n")
        }
        try town.take(calendar("20270601T190000Z"), as: "x.ics")
        let slug = try #require(town.town.events.inOrderOfID.map(\.value.slug).last)
        #expect(slug.text.hasPrefix("jam-"))
        try town.take("slug,status\n\(slug.text),cancelled\n", as: "x.csv")
        #expect(try town.take(calendar("20270608T190000Z"), as: "x.ics")[.event].updated == 1)
        #expect(try town.event(slug.text).startsAt?.rfc3339 == "2027-06-08T19:00:00Z")
        #expect(try town.event(slug.text).status == .cancelled)
    }

    @Test func aMomentWithoutATextFormIsRefused() throws {
        let text = "name,event_type,starts_at,ends_at\nJam,Live Music,2027-06-01 19:00,9999-12-31 23:59\n"
        var town = try TestTown.small()
        #expect(throws: ImportProblems.self) { try town.take(text, as: "x.csv", Self.zones) }
    }

    /// Vancouver in June, and a town far from it.
    private static let zones = ImportOptions(zone: TimeZone(name: "Town", fixedOffset: -7 * 3600)) { name in
        name == "Europe/Berlin" ? TimeZone(name: name, fixedOffset: 2 * 3600) : nil
    }

    static let times: [(header: String, row: String, starts: String, ends: String?)] = [
        ("starts_at,ends_at", "2027-06-01 19:00,2027-06-01 21:00", "2027-06-02T02:00:00Z", "2027-06-02T04:00:00Z"),
        ("starts_at,ends_at", "2027-06-01 19:00,9pm", "2027-06-02T02:00:00Z", "2027-06-02T04:00:00Z"),
        ("starts_at,ends_at", "2027-06-01 19:00,1am", "2027-06-02T02:00:00Z", "2027-06-02T08:00:00Z"),
        ("starts_at,ends_at", "2027-06-01T19:00:00Z,", "2027-06-01T19:00:00Z", nil),
        ("starts_at,ends_at", "2027-06-01T10:00:00-07:00,19:00", "2027-06-01T17:00:00Z", "2027-06-02T02:00:00Z"),
        ("starts_at,time_zone,rrule", "2027-06-01 19:00,Europe/Berlin,FREQ=DAILY", "2027-06-01T17:00:00Z", nil),
        ("Date,Time,End time", "\"June 1, 2027\",7pm,9pm", "2027-06-02T02:00:00Z", "2027-06-02T04:00:00Z"),
        ("Date,Start time,End", "6/13/2027,19:00,21:00", "2027-06-14T02:00:00Z", "2027-06-14T04:00:00Z"),
    ]

    @Test(arguments: times)
    func aTimeWithoutAnOffsetIsThatOfTheTown(header: String, row: String, starts: String, ends: String?) throws {
        var town = try TestTown.small()
        try town.take("name,event_type,\(header)\nJam,Live Music,\(row)\n", as: "x.csv", Self.zones)
        #expect(try town.event("jam").startsAt?.rfc3339 == starts)
        #expect(try town.event("jam").endsAt?.rfc3339 == ends)
    }

    @Test func aTimeAtABusinessIsThatOfTheBusiness() throws {
        var town = try TestTown.small()
        try town.take("slug,time_zone,address\npub,Europe/Berlin,1 A\n", as: "x.csv", Self.zones)
        try town.take(
            "name,event_type,venue,starts_at\nJam,Live Music,PUB,2027-06-01 19:00\n", as: "x.csv", Self.zones)
        #expect(try town.event("jam").startsAt?.rfc3339 == "2027-06-01T17:00:00Z")
        #expect(try town.event("jam").business == Slug("pub"))
    }
}

/// Businesses whose locations are not known.
@Suite struct WaitingForLocationTests {
    private static let table = "name,address,category\nDiner,1 Main,Bars\nBooks,2 Main,Bars"
    private static let center = Coordinates(latitude: 48.37, longitude: -123.73)

    private static func options(_ center: Coordinates?) -> ImportOptions {
        var options = ImportOptions()
        options.center = center
        return options
    }

    @Test func aTownWithoutACenterAsksForIt() throws {
        let problems = try TestTown.small().problems(with: Self.table, as: "x.csv")
        #expect(problems.count == 2)
        #expect(problems.allSatisfy { $0.contains("coordinates: are missing") && $0.contains("--center") })
    }

    @Test func aCenterIsEnough() throws {
        var town = try TestTown.small()
        let report = try town.take(Self.table, as: "x.csv", Self.options(Self.center))
        #expect(report.description == "settings: 1 new; businesses: 2 new")
        #expect(report.warnings.lines.count == 1, "they are alike")
        #expect(try #require(report.warnings.lines.first).contains("apps show it at the center of the town"))
        #expect(town.town.settings.center == Self.center)
        #expect(town.town.waitingForLocation.map(\.name) == ["Diner", "Books"])
        let again = try town.take(Self.table, as: "x.csv", Self.options(Coordinates(latitude: 1, longitude: 1)))
        #expect(again.changedNothing && again.warnings.isEmpty)
        #expect(town.town.settings.center == Self.center, "it is known")
    }

    @Test(arguments: ExportFormat.allCases)
    func theyComeBackFromAnExport(format: ExportFormat) throws {
        var town = try TestTown.small()
        try town.take(Self.table, as: "x.csv", Self.options(Self.center))
        var copy = TestTown()
        let people = #"[{"email":"ada@sooke.example"},{"email":"sam@sooke.example"}]"#
        try copy.take(#"{"categories":[{"name":"Bars"}],"users":\#(people)}"#, as: "t.json")
        try copy.take(town.text(format), as: "x.\(format.rawValue)", Self.options(Self.center))
        #expect(copy.town.waitingForLocation.map(\.name) == ["Diner", "Books"])
    }
}
