import Bytes
import SookeModel
import Store
import Testing

@testable import Exchange

@Suite struct PostgresProjectionTests {
    private static let epoch = "1970-01-01 00:00:00+00"
    /// The categories 3 and event types 5 exist, and the business 11; the town has a center.
    private static let projection = PostgresProjection(center: Coordinates(latitude: 48.37, longitude: -123.73)) {
        kind, slug in [RecordKind.category: 3, .eventType: 5, .business: 11][kind].flatMap { slug.isEmpty ? nil : $0 }
    }

    private static func rows(of record: some StoredRecord, in table: PostgresTable) -> [[String?]] {
        projection.rows(of: record).filter { $0.table == table }.map { row in
            zip(table.columns, row.values).filter { !$0.0.isTime }.map(\.1)
        }
    }

    private static func document(of record: some StoredRecord) -> String? {
        rows(of: record, in: .documents).first?[2]
    }

    @Test func peopleHaveARoleOfTheGoServiceAndAName() {
        var person = Person()
        (person.id, person.email, person.role) = (9, "ed@sooke.example", .editor)
        #expect(Self.rows(of: person, in: .users) == [["9", "sooke:9", "general_user", "ed@sooke.example", ""]])
        #expect(Self.document(of: person)?.contains(#""clerk_id":null,"role":"editor""#) == true)
        (person.clerkID, person.role, person.displayName) = ("user_1", .superAdmin, "Ada\0")
        #expect(
            Self.rows(of: person, in: .users) == [["9", "user_1", "super_admin", "ed@sooke.example", "Ada\u{FFFD}"]])
        #expect(Self.document(of: person)?.contains(#""display_name":"Ada\u0000""#) == true)
    }

    @Test func aPlaceWithoutALocationIsAtTheCenter() {
        var business = Business()
        (business.id, business.name, business.slug, business.address) = (11, "Pub", Slug("pub"), "1 A")
        let row: [String?] = ["11", nil, nil, "Pub", "pub", nil, nil, nil, nil, "1 A", "48.37", "-123.73"]
        #expect(Self.rows(of: business, in: .businesses) == [row])
        let nowhere = PostgresProjection(center: nil) { _, _ in nil }
        #expect(nowhere.row(of: business)["latitude"] == "0")
        (business.latitude, business.longitude, business.category, business.ownerID) = (1, -0.5, Slug("bars"), 7)
        let changed = Self.projection.row(of: business)
        #expect(
            [changed["latitude"], changed["longitude"], changed["category_id"], changed["owner_id"]]
                == ["1", "-0.5", "3", "7"])
    }

    @Test func aDayHasOneRow() {
        var business = Business()
        business.id = 11
        func day(_ id: Int, _ day: Int, _ opens: String, _ closes: String, isClosed: Bool = false) -> DayHours {
            var row = DayHours(
                dayOfWeek: day, opens: ClockTime(opens) ?? .midnight, closes: ClockTime(closes) ?? .midnight,
                isClosed: isClosed)
            row.id = id
            return row
        }
        business.hours = [
            day(1, 1, "09:00", "12:00"), day(2, 1, "13:00", "24:00"), day(3, 6, "00:00", "00:00", isClosed: true),
        ]
        #expect(
            Self.rows(of: business, in: .hours) == [
                ["1", "11", "1", "09:00:00", "24:00:00", "f"], ["3", "11", "6", "00:00:00", "00:00:00", "t"],
            ])
    }

    @Test func menusAndItemsHaveRows() {
        var (business, menu, item) = (Business(), Menu(), MenuItem())
        (item.id, item.name, item.price) = (41, "Ale", Price("7.50") ?? .unpriced)
        (menu.id, menu.name, menu.items) = (31, "Taps", [item])
        (business.id, business.menus) = (11, [menu, menu])
        business.menus[1].id = 32
        business.menus[1].items = []
        // The second of a name, as an early version stored it, is unique in its table.
        #expect(Self.rows(of: business, in: .menus) == [["31", "11", "Taps", nil], ["32", "11", "Taps (32)", nil]])
        #expect(Self.rows(of: business, in: .items) == [["41", "31", "Ale", nil, "7.50"]])
    }

    @Test func anEventHasABusinessOrAPlace() {
        var event = Event()
        (event.id, event.name, event.slug, event.eventType) = (51, "Gig", Slug("gig"), Slug("live"))
        (event.latitude, event.longitude) = (1, 2)
        event.startsAt = Timestamp(rfc3339: "2035-06-02T02:00:00.5Z")
        let start = "2035-06-02 02:00:00.5+00"
        #expect(
            Self.rows(of: event, in: .events)
                == [["51", "5", "0", nil, "Gig", "gig", nil, "1", "2", start, nil, "draft"]])
        (event.business, event.submittedBy, event.endsAt) = (Slug("pub"), 7, event.startsAt)
        // The Go service refuses both.
        #expect(
            Self.rows(of: event, in: .events)
                == [["51", "5", "7", "11", "Gig", "gig", nil, nil, nil, start, start, "draft"]])
    }

    @Test func aDocumentDoesNotChangeWithTheSlugsOfOthers() throws {
        var business = Business()
        (business.id, business.name, business.category) = (11, "Pub", Slug("bars"))
        let before = Self.document(of: business)
        business.category = Slug("pubs")
        #expect(Self.document(of: business) == before)
        var event = Event()
        (event.id, event.eventType, event.business) = (51, Slug("live"), Slug("pub"))
        let document = try #require(Self.document(of: event))
        #expect(!document.contains("live") && !document.contains("pub"))
        // No row has it.
        event.host = Slug("hall")
        #expect(Self.document(of: event)?.contains(#""host":"hall""#) == true)
    }

    @Test func aRowOfAPartStaysWhenItsBusinessChanges() {
        var business = Business()
        (business.id, business.hours) = (11, [.closed(on: 1)])
        business.times = RecordTimes(createdAt: Timestamp.epoch)
        let before = Self.projection.rows(of: business)
        business.times = business.times.changed(at: Timestamp(clampingSeconds: 60))
        let after = Self.projection.rows(of: business)
        #expect(before[0]["updated_at"] == Self.epoch && after[0]["updated_at"] == "1970-01-01 00:01:00+00")
        #expect(before[1] == after[1])
    }

    @Test func aPrivateRecordHasADocumentOnly() {
        var proposal = Proposal()
        (proposal.id, proposal.changes) = (3, "{\"name\":\"a\0\"}")
        let rows = Self.projection.rows(of: proposal)
        #expect(rows.map(\.table) == [.documents] && rows[0].values.prefix(2) == ["proposal", "3"])
        #expect(rows[0]["document"]?.contains(#"\u0000"#) == true)
    }

    @Test func rowsAreSteps() throws {
        var category = Category()
        (category.id, category.name, category.slug) = (3, "O'\\\"\t", Slug("o"))
        let rows = Self.projection.rows(of: category)
        var text: [UInt8] = []
        var steps = PostgresSteps { text += $0 }
        try steps.append(rows[0], isNew: true)
        try steps.append(rows[0], isNew: false, with: ["slug": nil as String?, "name": "x"])
        try steps.append(rows[0].delete)
        try steps.finish()
        let times = "\"\(Self.epoch)\",\"\(Self.epoch)\""
        #expect(
            String(decoding: text, as: UTF8.self) == """
                1\tbusiness_categories\t{"3","O'\\\\\\\\\\\\"\\t","o",\(times)}\tt
                2\tbusiness_categories\t{"3","x",NULL,\(times)}\tf
                3\tDELETE FROM business_categories WHERE id = 3\t\\N\tf

                """)
    }
}
