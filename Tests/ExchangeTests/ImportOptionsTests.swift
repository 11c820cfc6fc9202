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
            Town().problems(with: Self.table, as: "x.csv") == [
                "x.csv:2: category: there is no category \"restaurants\"; create it with --create-categories, "
                    + "or begin with a set of them: --starter"
            ])
    }

    @Test func categoriesThatDoNotExistAreCreated() throws {
        var town = Town()
        let report = try town.take(Self.table, as: "x.csv", Self.options { $0.createsTerms = true })
        #expect(report.description == "categories: 1 new; businesses: 1 new")
        #expect(town.community.categories[Slug("restaurants")]?.value.name == "Restaurants")
        #expect(try town.business("pub").category == Slug("restaurants"))
    }

    @Test func aNameInAnyCaseIsOneCategory() throws {
        var town = Town()
        let rows = ["Food & Drink", "food & drink", " FOOD & DRINK "].enumerated().map {
            "\($0.offset),\"\($0.element)\",1 A,48,-123"
        }
        let text = "name,category,address,latitude,longitude\n" + rows.joined(separator: "\n")
        let report = try town.take(text, as: "x.csv", Self.options { $0.createsTerms = true })
        #expect(report[.category].created == 1)
        #expect(report[.business].created == 3)
    }

    @Test func theStarterSetIsAddedOnce() throws {
        var town = Town()
        let starter = Self.options { $0.addsStarter = true }
        #expect(try town.take(Self.table, as: "x.csv", starter)[.category].created == 10)
        #expect(town.community.count(of: .eventType) == 10)
        #expect(try town.take(Self.table, as: "x.csv", starter).changedNothing)
    }

    @Test func theStarterSetRenamesNothing() throws {
        var town = Town()
        try town.take(#"{"categories":[{"name":"Places to eat","slug":"restaurants"}]}"#, as: "x.json")
        _ = try town.take([], Self.options { $0.addsStarter = true })
        #expect(town.community.categories[Slug("restaurants")]?.value.name == "Places to eat")
        #expect(town.community.count(of: .category) == 10)
    }

    @Test func whatHasNoCategoryGetsTheGivenOne() throws {
        var town = try Town.small()
        let bars = Self.options { ($0.category, $0.eventType) = ("Bars", "live music") }
        try town.take("name,address,coordinates\nNew,1 A,\"48,-123\"\n", as: "x.csv", bars)
        #expect(try town.business("new").category == Slug("bars"))
        try town.take("name,starts_at\nJam,2027-06-01 19:00\n", as: "x.csv", bars)
        #expect(try town.event("jam").eventType == Slug("live-music"))
        try town.take("slug,phone\npub,1\n", as: "x.csv", Self.options { $0.category = "Cafés & Bakeries" })
        #expect(try town.business("pub").category == Slug("bars"))
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
        ("starts_at,time_zone,rrule", "2027-06-01 19:00,Europe/Berlin,FREQ=DAILY", "2027-06-01T17:00:00Z", nil),
        ("Date,Time,End time", "\"June 1, 2027\",7pm,9pm", "2027-06-02T02:00:00Z", "2027-06-02T04:00:00Z"),
        ("Date,Start time,End", "6/13/2027,19:00,21:00", "2027-06-14T02:00:00Z", "2027-06-14T04:00:00Z"),
    ]

    @Test(arguments: times)
    func aTimeWithoutAnOffsetIsThatOfTheTown(header: String, row: String, starts: String, ends: String?) throws {
        var town = try Town.small()
        try town.take("name,event_type,\(header)\nJam,Live Music,\(row)\n", as: "x.csv", Self.zones)
        #expect(try town.event("jam").startsAt?.rfc3339 == starts)
        #expect(try town.event("jam").endsAt?.rfc3339 == ends)
    }

    @Test func aTimeAtABusinessIsThatOfTheBusiness() throws {
        var town = try Town.small()
        try town.take("slug,time_zone,address\npub,Europe/Berlin,1 A\n", as: "x.csv", Self.zones)
        try town.take(
            "name,event_type,venue,starts_at\nJam,Live Music,PUB,2027-06-01 19:00\n", as: "x.csv", Self.zones)
        #expect(try town.event("jam").startsAt?.rfc3339 == "2027-06-01T17:00:00Z")
        #expect(try town.event("jam").business == Slug("pub"))
    }
}
