import SookeModel
import Store
import Testing

@testable import Exchange

/// An import that leaves out what is invalid.
@Suite struct SkippedRecordsTests {
    private static func skipping(_ files: [ImportFile], in transaction: inout WriteTransaction) throws -> ImportReport {
        var options = ImportOptions()
        options.skipsInvalid = true
        return try Import(files: files, options: options).apply(to: &transaction)
    }

    private static func feature(_ name: String, _ place: String) -> String {
        #"{"type":"Feature","geometry":\#(place),"properties":{"name":"\#(name)","address":"1"}}"#
    }

    private static let point = #"{"type":"Point","coordinates":[-123,48]}"#

    /// Files with a good record `Good`, and a bad one.
    static let files: [(name: String, text: String, skipped: String)] = [
        (
            "a.csv", "name,address,latitude,longitude\nGood,1,48,-123\n\"Bad, one\",2,95,-123\n",
            "name,address,latitude,longitude\n\"Bad, one\",2,95,-123\n"
        ),
        (
            "a.ndjson",
            #"{"business":{"name":"Good","address":"1","latitude":48,"longitude":-123}}"# + "\n"
                + #"{"business":{"name":"Bad"}}"# + "\n", #"{"business":{"name":"Bad"}}"# + "\n"
        ),
        (
            "a.json",
            #"{"businesses":[ {"name":"Bad"}, {"name":"Good","address":"1","latitude":48,"longitude":-123}]}"#,
            "{\"businesses\":[\n{\"name\":\"Bad\"}\n]}\n"
        ),
        (
            "a.geojson",
            #"{"type":"FeatureCollection","features":[\#(feature("Bad", "null")), \#(feature("Good", point))]}"#,
            "{\"type\":\"FeatureCollection\",\"features\":[\n\(feature("Bad", "null"))\n]}\n"
        ),
        (
            "a.vcf",
            "BEGIN:VCARD\nFN:Good\nADR:;;1\nGEO:48;-123\nEND:VCARD\nBEGIN:VCARD\nFN:Bad\nEND:VCARD\n",
            "BEGIN:VCARD\nFN:Bad\nEND:VCARD\n"
        ),
    ]

    @Test(arguments: files)
    func theOthersAreImported(name: String, text: String, skipped: String) throws {
        var transaction = WriteTransaction(try TestTown.small().town)
        let report = try Self.skipping([ImportFile(name, text)], in: &transaction)
        #expect(
            transaction.town.businesses[Slug("good")] != nil
                && transaction.town.businesses[Slug("bad")] == nil)
        #expect(!report.problems.isEmpty)
        #expect(report.skipped.map { String(decoding: $0.bytes, as: UTF8.self) } == [skipped])
        // What is left out has the same problems alone.
        let again = try Self.skipping([ImportFile(name, skipped)], in: &transaction)
        #expect(again.changedNothing && again.skipped.map { String(decoding: $0.bytes, as: UTF8.self) } == [skipped])
    }

    @Test func anEventWithTheChangesOfItsOccurrences() throws {
        func event(_ name: String, _ lines: String) -> String {
            "BEGIN:VEVENT\nUID:\(name)\nSUMMARY:\(name)\nCATEGORIES:Live Music\n\(lines)END:VEVENT\n"
        }
        let head = "BEGIN:VCALENDAR\nVERSION:2.0\n"
        let bad = event("Bad", "DTSTART:20270101T190000Z\nRRULE:FREQ=HOURLY\n")
        let change = event("Bad", "RECURRENCE-ID:20270102T190000Z\nDTSTART:20270102T200000Z\n")
        let text = head + bad + event("Good", "DTSTART:20270101T190000Z\n") + change + "END:VCALENDAR\n"
        var transaction = WriteTransaction(try TestTown.small().town)
        let count = transaction.town.events.count
        let report = try Self.skipping([ImportFile("a.ics", text)], in: &transaction)
        #expect(transaction.town.events.count == count + 1)
        let skipped = report.skipped.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(skipped == [head + bad + change + "END:VCALENDAR\n"])
    }

    @Test func whatRefersToThemIsLeftOutToo() throws {
        let text = #"""
            {"categories":[{"name":5,"slug":"clubs"},{"name":"Inns"}],
            "businesses":[{"category":"clubs","name":"Club","address":"1","latitude":1,"longitude":1},
            {"category":"inns","name":"Inn","address":"1","latitude":1,"longitude":1}],
            "event_types":[{"name":"Jazz"}],
            "events":[{"event_type":"jazz","business":"club","name":"Gig","starts_at":"2027-01-01T00:00:00Z"},
            {"event_type":"jazz","business":"inn","name":"Jam","starts_at":"2027-01-01T00:00:00Z"}]}
            """#
        var transaction = WriteTransaction(Town())
        let report = try Self.skipping([ImportFile("a.json", text)], in: &transaction)
        #expect(Array(Business.all(in: transaction.town)).map(\.name) == ["Inn"])
        #expect(Array(Event.all(in: transaction.town)).map(\.name) == ["Jam"])
        #expect(report.problems.problemCount == 3)
    }
}
