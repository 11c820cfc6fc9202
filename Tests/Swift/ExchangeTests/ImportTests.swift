import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Store

/// The effects of an import: all of it or nothing, in any order.
@Suite struct ImportTests {
    /// Files whose records refer to each other.
    static let files = [
        ImportFile(
            "a.csv",
            "name,event_type,business,starts_at,submitted_by\nGig,jazz,club,2027-01-01T00:00:00Z,x@sooke.example"),
        ImportFile(
            "b.csv",
            "name,category,address,latitude,longitude,owner\nClub,Clubs,1 A,48,-123,x@sooke.example\nShed,,2 A,1,2,"),
        ImportFile("c.ndjson", #"{"user":{"email":"x@sooke.example"}}"# + "\n" + #"{"category":{"name":"Clubs"}}"#),
        ImportFile(
            "d.json",
            #"{"event_types":[{"name":"Jazz"}],"businesses":[{"id":1,"name":"Hall","address":"3 A","latitude":3,"#
                + #""longitude":4,"menus":[{"name":"Lunch","items":[{"name":"Soup","price":"4.50"}]}]}]}"#),
    ]

    @Test func recordsMayNameThoseOfOtherFiles() throws {
        var town = TestTown()
        let report = try town.take(Self.files)
        #expect(Town.sharedKinds.map { report[$0].created } == [0, 1, 1, 1, 3, 1, 0])
        #expect(
            report.description
                == "categories: 1 new; event types: 1 new; users: 1 new; businesses: 3 new; events: 1 new")
        #expect(try town.business("club").category == Slug("clubs"))
        #expect(try town.business("club").ownerID == 1)
        #expect(try town.event("gig").submittedBy == 1)
        #expect(try town.business("hall").id == 1)
    }

    @Test func theOrderOfTheFilesDoesNotMatter() throws {
        var expected = TestTown()
        try expected.take(Self.files)
        var random = SplitMix64(seed: 7)
        for _ in 0..<20 {
            var town = TestTown()
            try town.take(Self.files.shuffled(using: &random))
            #expect(town.dataset == expected.dataset)
        }
    }

    @Test func importingTwiceChangesNothing() throws {
        var town = TestTown()
        try town.take(Self.files)
        let before = town.dataset
        let again = try town.take(Self.files)
        #expect(again.changedNothing)
        #expect(again.description == "nothing changed: all 7 records are there already")
        #expect(town.dataset == before)
    }

    @Test func oneInvalidRowRejectsTheImport() throws {
        var town = TestTown()
        try town.take(Self.files)
        let before = town.dataset
        let refusal = #expect(throws: ImportProblems.self) {
            try town.take([
                ImportFile("x.json", #"{"categories":[{"name":"New"}],"users":[{"email":"new@sooke.example"}]}"#),
                ImportFile("y.csv", "slug,phone,latitude\nshed,1,1\nhall,1,91\nclub,1,1"),
            ])
        }
        #expect(refusal?.description == "y.csv:3: latitude: must lie between -90 and 90 degrees")
        #expect(town.dataset == before)
    }

    @Test func everyBadRowIsReportedByFileAndLine() throws {
        let problems = try TestTown.small().problems(with: [
            ImportFile("b.csv", "slug,latitude,email\npub,91,x\nnone,1,\npub2,x,y"),
            ImportFile(
                "a.json", "{\"events\":[{\"slug\":\"concert\",\"status\":\"x\"}],\n\"users\":[{\"email\":\"x\"}]}"),
        ])
        #expect(
            problems == [
                "a.json:1: \"concert\": status: must be one of draft, pending_review, approved, cancelled, rejected, not \"x\"",
                "a.json:2: \"x\": email: must be an e-mail address like name@example.org",
                "b.csv:2: latitude: must lie between -90 and 90 degrees",
                "b.csv:2: email: must be an e-mail address like name@example.org", "b.csv:3: name: must not be empty",
                "b.csv:3: longitude: is missing; a place needs both numbers",
                "b.csv:4: latitude: must be a number like 48.374, not \"x\"", "b.csv:4: longitude: is missing",
                "b.csv:4: name: must not be empty",
                "b.csv:4: email: must be an e-mail address like name@example.org",
            ])
    }

    static let duplicates: [(files: [ImportFile], problems: [String])] = [
        (
            [ImportFile("a.csv", "slug,phone,latitude\npub,1,1\n\npub,2,91")],
            [
                "a.csv:4: slug: \"pub\" stands in line 2 too; leave one of the rows out or, if they are not the same, give one a slug of its own in a column \"slug\"",
                "a.csv:4: latitude: must lie between -90 and 90 degrees",
            ]
        ),
        (
            [ImportFile("a.csv", "slug,phone\npub,1"), ImportFile("b.ndjson", #"{"business":{"name":"Pub"}}"#)],
            [
                "b.ndjson:1: slug: \"pub\" stands in a.csv:2 too; leave one of them out or, if they are not the same, give one another name"
            ]
        ),
        (
            [ImportFile("a.json", "{\"users\":[{\"email\":\"Ada@x.example\"},\n{\"email\":\"ada@x.example\"}]}")],
            [
                "a.json:2: \"ada@x.example\": email: \"ada@x.example\" stands in line 1 too; every user needs an address of its own"
            ]
        ),
    ]

    @Test(arguments: duplicates)
    func aRecordMayStandInAnImportOnce(files: [ImportFile], problems: [String]) throws {
        #expect(try TestTown.small().problems(with: files) == problems)
    }

    @Test func recordsOfDifferentKindsMayShareASlug() throws {
        let text = #"{"categories":[{"name":"Pub"}],"event_types":[{"name":"Pub"}],"businesses":[{"slug":"pub"}]}"#
        #expect(try TestTown.small().problems(with: text, as: "x.json") == [])
    }

    @Test func whatNamesABadRecordIsNotReportedToo() throws {
        let problems = TestTown().problems(with: [
            ImportFile(
                "a.json",
                """
                {"categories":[{"name":5,"slug":"clubs"}],
                "users":[{"id":7,"email":"seven"}],
                "businesses":[{"category":"clubs","owner_id":7,"name":"Club","address":"1","latitude":1,"longitude":1}],
                "events":[{"event_type":"jazz","business":"club","name":"Gig","starts_at":"2027-01-01T00:00:00Z"}]}
                """)
        ])
        #expect(
            problems == [
                "a.json:1: \"clubs\": name: must be a text",
                "a.json:2: \"seven\": email: must be an e-mail address like name@example.org",
                "a.json:4: \"Gig\": event_type: there is no event type \"jazz\"; create it with --create-categories, "
                    + "or begin with a set of them: --starter",
            ])
    }

    @Test func whatWasNotReadIsNotMissed() throws {
        let problems = TestTown().problems(with: [
            ImportFile("a.json", #"{"categories":[{"name":"Clubs"},{"name":"Pubs"]"#),
            ImportFile("b.csv", "name,category,address,latitude,longitude\nPub,pubs,1,1,1\nBad,pubs,1,x,1"),
        ])
        #expect(
            problems == [
                "a.json:1: column 47: expected a comma or }, found ']'",
                "b.csv:3: latitude: must be a number like 48.374, not \"x\"",
            ])
    }

    /// As in exports of format 3; the zone is that of the event, of its business or of the town.
    @Test func anInstantBecomesALocalTime() throws {
        var town = try TestTown.small()
        let offsets = ["Europe/Berlin": 2, "Asia/Tokyo": 9]
        let zones = ImportOptions(zone: TimeZone(name: "Town", fixedOffset: -7 * 3600)) { name in
            offsets[name].map { TimeZone(name: name, fixedOffset: $0 * 3600) }
        }
        let times = #""event_type":"live-music","starts_at":"2027-06-01T19:00:00Z","ends_at":"2027-06-01T20:30:00Z""#
        try town.take(
            """
            {"businesses":[{"name":"Bar","address":"1","latitude":1,"longitude":1,"time_zone":"Europe/Berlin"}],
            "events":[{"name":"Home",\(times)},{"name":"There","business":"bar","host":"pub",\(times)},
            {"name":"Own","business":"bar","time_zone":"Asia/Tokyo",\(times),"rrule":"FREQ=DAILY;UNTIL=20270605T190000Z",
            "exdates":["2027-06-02T19:00:00Z"],"rdates":["2027-07-02T19:00:00Z"],"overrides":[
            {"occurrence":"2027-06-03T19:00:00Z","starts_at":"2027-06-03T22:00:00Z","is_cancelled":false}]}]}
            """, as: "x.json", zones)
        func local(_ slug: String) throws -> [String?] {
            let event = try town.event(slug)
            return [event.startsLocal, event.endsLocal].map { $0?.text }
        }
        #expect(try local("home") == ["2027-06-01T12:00", "2027-06-01T13:30"])
        #expect(try local("there") == ["2027-06-01T21:00", "2027-06-01T22:30"])
        #expect(try local("own") == ["2027-06-02T04:00", "2027-06-02T05:30"])
        let own = try town.event("own")
        #expect(own.rrule == "FREQ=DAILY;UNTIL=20270606T040000" && own.startsAt?.rfc3339 == "2027-06-01T19:00:00Z")
        #expect((own.exdates + own.rdates).map(\.text) == ["2027-06-03T04:00", "2027-07-03T04:00"])
        #expect(own.overrides.map(\.occurrence?.text) == ["2027-06-04T04:00"])
        #expect(own.overrides.map(\.startsLocal?.text) == ["2027-06-04T07:00"])
    }

    @Test func progressGoesToTheEnd() throws {
        let rows = (1...2500).map { "x\($0),1,1,1\n" }.joined()
        var transaction = WriteTransaction(Town())
        let file = ImportFile("x.csv", "name,address,latitude,longitude\n" + rows)
        var read: [Int] = []
        let records = Import(files: [file]) { phase, done, total in
            #expect(phase == .reading && total == file.bytes.count)
            read.append(done)
        }
        #expect(read.count == 3 && read == read.sorted() && read.last == file.bytes.count)
        var checked: [Int] = []
        _ = try records.apply(to: &transaction) { phase, done, total in
            #expect(phase == .checking && total == 2500)
            checked.append(done)
        }
        #expect(checked == [1024, 2048, 2500])
    }

    @Test func anEmptyImportSaysSo() throws {
        var town = TestTown()
        #expect(try town.take([]).description == "nothing changed: there are no records to import")
    }
}
