import Bytes
import SookeModel
import Testing

@testable import Exchange
@testable import Store

@Suite struct PostgresReaderTests {
    /// A town with what the tables of the Go service cannot hold.
    private static func town() throws -> TestTown {
        var town = try TestTown.small()
        try town.take(
            #"""
            {"settings":[{"name":"Howth","center":"48.37,-123.73"}],
            "users":[{"id":3,"email":"ed@sooke.example","role":"editor","display_name":null}],
            "businesses":[{"id":5,"name":"Shed","address":"1","latitude":null,"longitude":null,"former_slugs":["hut"],
            "hours":[{"id":7,"day_of_week":1,"open_time":"09:00","close_time":"12:00"},
            {"id":8,"day_of_week":1,"open_time":"13:00","close_time":"17:00"},
            {"id":9,"day_of_week":2,"open_time":"09:00","close_time":"24:00"}],"confirmed_at":"2026-01-02T03:04:05Z",
            "confirmed_by":3,"menus":[{"id":4,"name":"Taps","items":[{"id":6,"name":"Ale","price":"7.50"}]}]},
            {"id":6,"name":"Café\tZoë","address":"2","latitude":1,"longitude":2,"opening_hours":"Mo-Fr 09:00-17:00; PH off"}],
            "events":[{"id":4,"name":"Weekly","event_type":"live-music","business":"shed","submitted_by":null,
            "starts_at":"2035-01-02T03:04:05.5Z","rrule":"FREQ=WEEKLY","status":"approved"}]}
            """#, as: "x.json")
        return town
    }

    private static func script(_ town: Town, isPrivate: Bool = false) -> String {
        var options = PostgresOptions()
        options.hasPrivateRecords = isPrivate
        return String(decoding: Export(town, postgres: options).bytes(.postgres), as: UTF8.self)
    }

    /// The town after a way through tables in which texts were replaced.
    private static func edited(_ replacements: [(String, String)]) throws -> TestTown {
        var (script, town) = (script(try Self.town().town), TestTown())
        for (old, new) in replacements {
            let parts = script.split(separator: old)
            try #require(parts.count == 2, "\(old) occurs once")
            script = parts.joined(separator: new)
        }
        try town.take(script, as: "x.sql")
        return town
    }

    @Test func allComesBack() throws {
        var (town, copy) = (try Self.town(), TestTown())
        try copy.take(Self.script(town.town), as: "x.sql")
        #expect(copy.dataset == town.dataset)
        #expect(try town.take(Self.script(town.town), as: "x.sql").changedNothing)
    }

    @Test func anEditedColumnCounts() throws {
        let town = try Self.edited([
            ("6\t4\tAle\t\\N\t7.50", "6\t4\tAle\t\\N\t8.00"), ("5\t\\N\t\\N\tShed\tshed", "5\t1\t2\tBarn\tbarn"),
        ])
        let before = try Self.town().business("shed")
        let barn = try town.business("barn")
        #expect(barn.name == "Barn" && barn.ownerID == 1 && barn.category == Slug("cafés-bakeries"))
        #expect(barn.menus[0].items[0].price.text == "8.00")
        #expect(barn.formerSlugs == [Slug("hut"), Slug("shed")], "the old address leads to it")
        #expect(barn.coordinates == nil && barn.hours == before.hours && barn.confirmedBy == 3)
        #expect(try town.event("weekly").business == Slug("barn") && town.event("weekly").rrule == "FREQ=WEEKLY")
    }

    @Test func anEditedDayReplacesItsRows() throws {
        let monday = try Self.edited([("7\t5\t1\t09:00:00\t17:00:00\tf", "7\t5\t1\t10:00:00\t17:00:00\tf")])
        let hours = try monday.business("shed").hours
        #expect(hours.map(\.id) == [7, 9] && hours[0].opens.text == "10:00:00" && hours[1].closes == .endOfDay)
        let other = try Self.edited([("13\t6\t3\t09:00:00\t17:00:00\tf", "13\t6\t3\t09:00:00\t12:00:00\tf")])
        // The text of its hours would count instead.
        #expect(try other.business("café-zoë").openingHours == nil)
        #expect(try other.business("café-zoë").hours.first { $0.dayOfWeek == 3 }?.closes.text == "12:00:00")
    }

    @Test func aMovedPlaceHasALocation() throws {
        let town = try Self.edited([("1\t48.37\t-123.73\t", "1\t48.38\t-123.73\t")])
        #expect(try town.business("shed").latitude == 48.38)
    }

    @Test func rolesAndPeopleComeBack() throws {
        let town = try Self.edited([
            ("3\tsooke:3\tgeneral_user", "3\tuser_9\tbusiness_owner"), ("4\t1\t0\t5\tWeekly", "4\t1\t2\t5\tWeekly"),
        ])
        let person = try #require(town.town.people[3])
        #expect(person.role == .businessOwner && person.clerkID == "user_9" && person.displayName == nil)
        #expect(try town.event("weekly").submittedBy == 2)
        #expect(town.town.people[0] == nil && town.town.people[1]?.clerkID == nil)
    }

    @Test func canonicallyEqualTextsDiffer() throws {
        let town = try Self.edited([("6\t\\N\t\\N\tCafé\\tZoë", "6\t\\N\t\\N\tCafe\u{301}\\tZoë")])
        #expect(Array(try town.business("café-zoë").name.utf8) == Array("Cafe\u{301}\tZoë".utf8))
    }

    @Test(arguments: [0, -8]) func aTownThatBeganOnGo(hours: Int) throws {
        var town = TestTown()
        let options = ImportOptions(zone: TimeZone(name: "Town", fixedOffset: hours * 3600)) { _ in nil }
        let script = Self.script(try Self.town().town).split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(script.firstIndex { $0.hasPrefix("COPY sooke_documents") })
        let end = try #require(script[start...].firstIndex(of: "\\."))
        try town.take((script[...start] + script[end...]).joined(separator: "\n"), as: "x.sql", options)
        let local = hours == 0 ? "2027-06-02T02:00" : "2027-06-01T18:00"
        #expect(try town.event("concert").startsLocal == LocalTime(local))
        let shed = try town.business("shed")
        #expect(shed.latitude == 48.37 && shed.hours.map(\.id) == [7, 9] && shed.menus[0].items[0].id == 6)
        #expect(town.town.people[3]?.role == .generalUser && town.town.people[3]?.clerkID == nil)
        #expect(try town.event("weekly").submittedBy == nil && !town.event("weekly").hasSeries)
        #expect(town.town.storedSettings == nil)
    }

    @Test func aDeletedRowIsReportedOrDeleted() throws {
        let original = try Self.town()
        let script = Self.script(original.town).split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(script.firstIndex { $0.hasPrefix("4\t1\t0\t5\tWeekly") })
        let text = (script[..<row] + script[(row + 1)...]).joined(separator: "\n")
        var town = original
        let report = try town.take(text, as: "x.sql")
        #expect(report.changedNothing && town.dataset == original.dataset)
        #expect(report.warnings.lines.contains { $0.contains("the event 4 was deleted in the database; to delete") })
        var options = ImportOptions()
        options.deletesMissing = true
        let second = try town.take(text, as: "x.sql", options)
        #expect(
            second.description.contains("events: 1 deleted") && second.changeLines.contains("deleted: Weekly (weekly)"))
        #expect(town.town.events[4] == nil)
        var other = TestTown()
        #expect(try other.take(text, as: "x.sql", options).warnings.lines.contains { $0.contains("and is not here") })
        #expect(other.town.events.count == 1)
    }

    @Test func anotherRecordOfTheIDIsNotDeleted() throws {
        let original = try Self.town()
        let script = Self.script(original.town).split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(script.firstIndex { $0.hasPrefix("4\t1\t0\t5\tWeekly") })
        var (town, options) = (original, ImportOptions())
        options.deletesMissing = true
        var transaction = WriteTransaction(town.town)
        try transaction.update(4, Self.patch(of: "monthly"))
        town = TestTown()
        try town.take(TestTown.text(of: transaction.town, .json), as: "y.json")
        _ = try town.take((script[..<row] + script[(row + 1)...]).joined(separator: "\n"), as: "x.sql", options)
        #expect(town.town.events[4]?.value.slug == Slug("monthly"))
    }

    private static func patch(of slug: String) -> Patch<Event> {
        var patch = Patch<Event>()
        (patch.values.slug, patch.fields) = (Slug(slug), ["slug"])
        return patch
    }

    @Test func aRenamedRecordKeepsItsID() throws {
        var town = try Self.town()
        let script = Self.script(town.town).replacing("5\t\\N\t\\N\tShed\tshed", with: "5\t\\N\t\\N\tShed\tbarn")
            .replacing("1\tBars\tbars", with: "1\tBars\tpubs")
        let report = try town.take(script, as: "x.sql")
        #expect(report.description.contains("categories: 1 changed, 1 as before"))
        #expect(try town.business("barn").id == 5 && town.business("barn").formerSlugs.last == Slug("shed"))
        #expect(try town.business("pub").category == Slug("pubs") && town.event("weekly").business == Slug("barn"))
        #expect(try town.take(script, as: "x.sql").changedNothing)
    }

    /// Also where other zone data made the instants of the database.
    @Test func onlyAChangedInstantChangesALocalTime() throws {
        var town = TestTown()
        let pacific = ImportOptions(zone: TimeZone(name: "Town", fixedOffset: -8 * 3600)) { _ in nil }
        try town.take(
            #"""
            {"event_types":[{"id":1,"name":"Live Music"}],"businesses":[{"id":5,"name":"Shed","address":"1","latitude":1,
            "longitude":2}],"events":[{"id":4,"name":"Jam","event_type":"live-music","starts_local":"2035-01-02T19:00",
            "ends_local":"2035-01-02T21:00","location":"Green","host":"shed","price":"free"},{"id":6,"name":"Fair",
            "event_type":"live-music","starts_local":"2035-01-02","ends_local":"2035-01-03","all_day":true}]}
            """#, as: "x.json", pacific)
        let script = Self.script(town.town)
        #expect(try town.take(script, as: "x.sql", pacific).changedNothing)
        func read(_ old: String, _ new: String) throws -> (jam: Event, fair: Event) {
            try #require(script.contains(old))
            var other = TestTown()
            let mountain = ImportOptions(zone: TimeZone(name: "Town", fixedOffset: -7 * 3600)) { _ in nil }
            try other.take(script.replacing(old, with: new), as: "x.sql", mountain)
            return (try other.event("jam"), try other.event("fair"))
        }
        let same = try read("Jam", "Jam")
        #expect(same.jam.startsLocal == LocalTime("2035-01-02T19:00") && same.fair.endsLocal == LocalTime("2035-01-03"))
        #expect(same.jam.startsAt?.rfc3339 == "2035-01-03T02:00:00Z" && same.jam.host == Slug("shed"))
        #expect(same.jam.location == "Green" && same.jam.price == "free")
        let moved = try read("2035-01-03 03:00:00+00", "2035-01-03 04:00:00+00")
        #expect(moved.jam.startsLocal == LocalTime("2035-01-02T21:00") && moved.jam.endsLocal == same.jam.endsLocal)
        let shorter = try read("2035-01-04 07:59:00+00", "2035-01-04 03:00:00+00").fair
        #expect(!shorter.allDay && shorter.startsLocal == LocalTime("2035-01-02T01:00"))
        #expect(shorter.endsLocal == LocalTime("2035-01-03T20:00"))
        #expect(try read("Shed\tshed", "Shed\tbarn").jam.host == Slug("barn"))
    }

    @Test func privateRecordsComeIntoATownWithoutPeople() throws {
        var town = try Self.town()
        var (credential, proposal) = (Credential(), Proposal())
        (credential.id, credential.digest, credential.person) = (4, "digest", 3)
        (proposal.id, proposal.business, proposal.changes) = (9, 5, "{\"name\":\"\0\"}")
        let password = PasswordRecord(of: 1, hash: "hash", setAt: Timestamp.epoch)
        var records = town.town
        for record in [AnyRecord(credential), AnyRecord(proposal), AnyRecord(password)] {
            try records.apply(.put(record), at: nil)
        }
        let script = Self.script(records, isPrivate: true)
        let report = try town.take(script, as: "x.sql")
        #expect(report.warnings.lines.contains { $0.contains("private records were left out (3)") })
        #expect(town.town.passwords.count == 0)
        var copy = TestTown()
        try copy.take(script, as: "x.sql")
        #expect(copy.town.passwords[1] == password && copy.town.credentials[4]?.digest == "digest")
        #expect(copy.town.proposals[9]?.changes == proposal.changes)
        var editor = ImportOptions()
        editor.isByEditor = true
        #expect(throws: ImportProblems.self) { try copy.take(script, as: "x.sql", editor) }
    }

    @Test func whatADeletedPersonDidIsDropped() throws {
        var town = TestTown()
        let script = Self.script(try Self.town().town).split(separator: "\n", omittingEmptySubsequences: false)
        try town.take(script.filter { !$0.hasPrefix("3\tsooke:3") }.joined(separator: "\n"), as: "x.sql")
        #expect(town.town.people[3] == nil)
        let shed = try town.business("shed")
        #expect(shed.confirmedBy == nil && shed.confirmedAt != nil)
    }

    @Test func nothingOfADatabaseIsLeftOut() throws {
        var (town, options) = (TestTown(), ImportOptions())
        options.skipsInvalid = true
        let script = Self.script(try Self.town().town)
        let problems = #expect(throws: ImportProblems.self) { try town.take(script, as: "x.sql", options) }
        #expect(problems.map { "\($0)".contains("import without --skip-invalid") } == true)
    }

    @Test func sequencesAreTaken() throws {
        var town = TestTown()
        let script = Self.script(try Self.town().town)
        try town.take(
            script.replacing(
                "COMMIT;", with: "SELECT pg_catalog.setval('public.menu_items_id_seq', 99, true);\nCOMMIT;"),
            as: "x.sql")
        #expect(town.town.sequences[.item] == 99 && town.town.sequences[.menu] == 4)
    }

    @Test(arguments: [
        ("4\t1\t0\t5\tWeekly", "4\t1\t0\t5\tWeekly\tmore", "15 values for 14 columns"),
        ("7\t5\t1\t09:00:00", "7\t5\t1\tnoon", "open_time: cannot be taken over: \"noon\""),
        ("sooke:3\tgeneral_user", "sooke:3\tking", "role_id: is \"king\""),
        ("COPY menus (id, business_id, name", "COPY menus (id, business_id, title", "menus.name: is missing"),
        ("COPY menus (", "COPY cards (", "menus: is missing in the dump"),
        ("event\t4\t{", "event\t4\t[", "document: is not valid JSON"),
    ])
    func whatIsWrongIsSaid(old: String, new: String, message: String) throws {
        let script = Self.script(try Self.town().town).replacing(old, with: new)
        let problems = TestTown().problems(with: script, as: "x.sql")
        #expect(problems.contains { $0.contains(message) }, "\(problems)")
    }
}
