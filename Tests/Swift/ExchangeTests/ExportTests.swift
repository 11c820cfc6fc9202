import Bytes
import JSON
import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Journal
@testable import Store

/// An exported town can be imported without a difference.
@Suite struct ExportTests {
    @Test func aDatasetIsOneRecordALine() throws {
        var town = TestTown()
        try town.take(
            #"{"categories":[{"name":"Bars"},{"name":"Cafés"}],"users":[{"email":"a@b.example"}]}"#, as: "x.json")
        let body = """
            {"format":"sooke/4",
            "categories":[
            {"id":1,"name":"Bars","slug":"bars"},
            {"id":2,"name":"Cafés","slug":"cafés"}
            ],
            "event_types":[
            ],
            "users":[
            {"id":1,"clerk_id":null,"role":"general_user","email":"a@b.example","display_name":null}
            ],
            "businesses":[
            ],
            "events":[
            ],

            """
        var checksum: [UInt8] = []
        checksum.append(hex: CRC32C.checksum(body.utf8))
        let end = "\"end\":{\"lines\":14,\"checksum\":\"\(String(decoding: checksum, as: UTF8.self))\"}}\n"
        #expect(town.dataset == body + end)
    }

    @Test func aTableHasARowForEachRecord() throws {
        let town = try TestTown.small()
        // Columns of other fields may follow the phone number.
        let columns = try #require(CSVTable<Business>()).columns.map(\.name)
        let first = ["name", "slug", "category", "description", "address", "latitude", "longitude", "phone"]
        let last = [
            "owner", "opening_hours", "public_holidays", "time_zone", "sunday", "monday", "tuesday", "wednesday",
            "thursday", "friday", "saturday", "id",
        ]
        #expect(Array(columns.prefix(first.count)) == first && Array(columns.suffix(last.count)) == last)
        let pub = [
            "name": "Pub", "slug": "pub", "category": "bars", "description": "Pints", "address": "1 Wharf St",
            "latitude": "48.37", "longitude": "-123.73", "phone": "250-555-0101", "owner": "sam@sooke.example",
            "friday": "11:30-01:30", "id": "1",
        ]
        let rows = [columns, columns.map { pub[$0] ?? "" }].map { $0.joined(separator: ",") + "\r\n" }
        #expect(town.text(.csv) == rows.joined())
        #expect(
            town.text(.csv, table: .events)
                == "name,slug,event_type,starts_at,ends_at,all_day,business,location,latitude,longitude,status,"
                + "description,submitted_by,url,host,organizer,price,time_zone,rrule,id\r\n"
                + "Concert,concert,live-music,2027-06-02T02:00,,false,pub,,,,approved,,sam@sooke.example,,,,,,,1\r\n")
    }

    @Test(arguments: [ExportFormat.json, .ndjson, .postgres])
    func whatIsExportedAndImportedIsTheSame(format: ExportFormat) throws {
        let town = try Self.awkwardTown()
        var other = TestTown()
        try other.take(town.text(format), as: "x.\(format.rawValue)")
        #expect(other.dataset == town.dataset)
        #expect(try other.take(town.text(format), as: "x.\(format.rawValue)").changedNothing)
    }

    @Test func tablesChangeNothingWhereTheyComeFrom() throws {
        var town = try Self.awkwardTown()
        let before = town.dataset
        let report = try town.take([
            ImportFile("b.csv", town.text(.csv)), ImportFile("e.csv", town.text(.csv, table: .events)),
        ])
        #expect(report.changedNothing)
        #expect(report[.business].unchanged == 201)
        #expect(report[.event].unchanged == 202)
        #expect(town.dataset == before)
    }

    /// The secrets are in a backup, so the test would find them in an export.
    @Test func noFormatHoldsASecret() throws {
        var community = try TestTown.small().town
        var credential = Credential()
        (credential.id, credential.digest, credential.person) = (1, "planted-digest", 2)
        var receipt = Receipt()
        (receipt.id, receipt.person, receipt.recordKind, receipt.key) = (1, 2, "business", "planted-key")
        let password = PasswordRecord(of: 2, hash: "planted-hash", setAt: Timestamp.epoch)
        var proposal = Proposal()
        (proposal.id, proposal.text, proposal.email) = (1, "planted-words", "planted@town.example")
        proposal.changes = #"{"phone":"planted-phone"}"#
        for record in [AnyRecord(credential), AnyRecord(receipt), AnyRecord(password), AnyRecord(proposal)] {
            try community.apply(.put(record), at: nil)
        }
        var backup: [UInt8] = []
        let origin = CheckedDocument.Origin(
            store: "x", position: CommitPosition(1, CommitChain(0)), at: Timestamp.epoch)
        community.writeDocument(origin: origin) { backup += $0 }
        for secret in [
            "planted-digest", "planted-key", "planted-hash", "planted-words", "planted@", "planted-phone",
        ] {
            #expect(String(decoding: backup, as: UTF8.self).contains(secret))
        }
        for (format, table) in [
            (ExportFormat.json, Export.Table.businesses), (.ndjson, .businesses), (.csv, .businesses),
            (.csv, .events),
        ] {
            let export = TestTown.text(of: community, format, table: table)
            #expect(!export.contains("planted"))
            #expect(export == TestTown.text(of: try TestTown.small().town, format, table: table))
        }
    }

    @Test func piecesMakeUpTheWhole() throws {
        let town = try Self.awkwardTown()
        for format in ExportFormat.allCases {
            var pieces: [[UInt8]] = []
            Export(town.town).write(format) { pieces.append($0) }
            #expect(pieces.allSatisfy { !$0.isEmpty })
            #expect(pieces.count > 1 || format == .csv)
            #expect(pieces.flatMap { $0 } == Array(town.text(format).utf8))
        }
    }

    /// A town with texts that are hard to write in a table, from a fixed seed.
    static func awkwardTown() throws -> TestTown {
        var random = SplitMix64(seed: 2026)
        var town = try TestTown.small()
        var lines: [String] = []
        for number in 2...200 {
            var business = Business()
            (business.name, business.address) = ("n" + random.text(upTo: 20), random.text(upTo: 9) + "a")
            business.slug = Slug("\(random.pick(["=", "-", "'", ""]))slug-\(number)")
            business.category = random.pick([nil, Slug("bars"), Slug("cafés-bakeries")])
            business.ownerID = random.pick([nil, 1, 2])
            business.description = Bool.random(using: &random) ? random.text(upTo: 30) : nil
            business.phone = random.pick([nil, "", "+1 250", "=1"])
            business.email = random.pick([nil, "", "+a@b.example"])
            business.website = random.pick([nil, "", "https://a.example/?a=\"b\",c"])
            business.latitude = Double.random(in: -90...90, using: &random)
            business.longitude = random.pick([-0.0, 1e-7, 123.456, -180])
            for day in 0..<7 where Bool.random(using: &random) {
                let opens = ClockTime(seconds: Int.random(in: 0...86_400, using: &random)) ?? .midnight
                let isClosed = Bool.random(using: &random)
                business.hours.append(DayHours(dayOfWeek: day, opens: opens, closes: .endOfDay, isClosed: isClosed))
            }
            lines.append(line(business))
            var event = Event()
            (event.name, event.slug, event.eventType) = (
                "e" + random.text(upTo: 20), Slug("e\(number)"), Slug("live-music")
            )
            event.business = Bool.random(using: &random) ? business.slug : nil
            event.startsAt = Timestamp(microseconds: Int.random(in: 0...4_000_000_000_000_000, using: &random))
            event.endsAt = Bool.random(using: &random) ? event.startsAt?.advanced(bySeconds: 3600) : nil
            event.status = random.pick(Event.Status.allCases)
            event.submittedBy = business.ownerID
            lines.append(line(event))
        }
        try town.take(lines.joined(separator: "\n"), as: "awkward.ndjson")
        try town.take(
            #"{"business":{"name":"Menu","address":"1","latitude":1,"longitude":1,"menus":[{"name":"M","items":[]}]}}"#
                + "\n" + #"{"event":{"name":"Place","event_type":"live-music","latitude":0.1,"longitude":2,"#
                + #""starts_at":"2027-01-01T00:00:00.25Z"}}"# + "\n" + #"{"event":{"name":"Nowhere","#
                + #""event_type":"live-music","starts_at":"2027-01-01T00:00:00Z"}}"#, as: "more.ndjson")
        return town
    }

    private static func line(_ record: some Record) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(type(of: record).kind.name)
        record.write(to: &writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self).replacing("\"id\":0,", with: "")
    }
}
