import Bytes
import JSON
import Testing

@testable import SookeModel

/// Valid and invalid records of a dataset, and their messages.
@Suite struct RecordTests {
    static let good = """
        {"id":1,"name":"Zed's Diner","slug":"zeds-diner","address":"12 Otter Point Rd",
         "latitude":48.3741,"longitude":-123.7262}
        """

    /// The JSON of a field instead of the valid one, and its problem.
    static let badBusinesses: [(field: String, json: String, problem: String)] =
        [
            ("id", "-1", "id: must lie between 1 and 9007199254740991"),
            ("id", "9007199254740991000", "id: must be a whole number"), ("id", "1.5", "id: must be a whole number"),
            ("id", "\"1\"", "id: must be a whole number"), ("name", "\"\"", "name: must not be empty"),
            ("name", "\" \\t\"", "name: must not be empty"), ("name", "null", "name: must be a text"),
            ("name", "\"\\u0000x\"", "name: must not hold a NUL character"),
            (
                "name", "\"\(String(repeating: "x", count: 501))\"",
                "name: is 501 characters long, at most 500 are allowed"
            ),
            (
                "address", "\"\(String(repeating: "x", count: 1001))\"",
                "address: is 1001 characters long, at most 1000 are allowed"
            ),
            (
                "area", "\"\(String(repeating: "x", count: 101))\"",
                "area: is 101 characters long, at most 100 are allowed"
            ),
            ("latitude", "null", "latitude: is missing; a place needs both numbers"),
            ("latitude", "90.0001", "latitude: must lie between -90 and 90 degrees"),
            ("latitude", "-90.0001", "latitude: must lie between -90 and 90 degrees"),
            ("longitude", "180.0001", "longitude: must lie between -180 and 180 degrees"),
            ("longitude", "true", "longitude: must be a number"),
            ("phone", "5", "phone: must be a text"), ("hours", "{}", "hours: must be a list"),
            ("hours", "[5]", "hours[0]: must be an object"),
            (
                "hours", "[{\"day_of_week\":7,\"is_closed\":true}]",
                "hours[0].day_of_week: must be 0 (Sunday) to 6 (Saturday)"
            ),
            (
                "hours", "[{\"day_of_week\":1,\"open_time\":\"25:00\",\"close_time\":\"17:00\"}]",
                "hours[0].open_time: must be a time like 09:30 or 24:00:00, not \"25:00\""
            ),
            ("hours", "[{\"day_of_week\":1,\"open_time\":\"09:00\"}]", "hours[0].close_time: is missing"),
            (
                "hours",
                "[{\"day_of_week\":1,\"is_closed\":true},{\"day_of_week\":1,\"open_time\":\"09:00\",\"close_time\":\"12:00\"}]",
                "hours[0].is_closed: is true, but the day has another row"
            ),
            ("opening_hours", "\"Mo-Fr 09:00-\"", "opening_hours: character 13: a time such as 17:00 is expected"),
            ("time_zone", "\"../etc\"", "time_zone: must be a time zone like America/Vancouver"),
            ("special_hours", "[{\"is_closed\":true}]", "special_hours[0].from: is missing"),
            ("special_hours", "[{\"from\":\"2026-12-24\"}]", "special_hours[0].open_time: is missing"),
            (
                "special_hours", "[{\"from\":\"2026-12-24\",\"to\":\"2026-12-23\",\"is_closed\":true}]",
                "special_hours[0].to: must not lie before from"
            ),
            (
                "special_hours", "[{\"from\":\"2026-02-30\",\"is_closed\":true}]",
                "special_hours[0].from: must be a date like 2026-12-24, not \"2026-02-30\""
            ),
            (
                "menus", "[{\"id\":1,\"name\":\"A\"},{\"id\":1,\"name\":\"B\"}]",
                "menus[1].id: 1 occurs twice in the same list"
            ),
            (
                "hours", "[{\"day_of_week\":1,\"open_time\":null,\"close_time\":\"17:00\"}]",
                "hours[0].open_time: must be a time like 09:30 or 24:00:00, not null"
            ),
            (
                "menus", "[{\"name\":\"Lunch\",\"items\":[{\"price\":\"4.50\"}]}]",
                "menus[0].items[0].name: must not be empty"
            ),
            (
                "menus", "[{\"name\":\"Lunch\",\"items\":[{\"name\":\"Soup\",\"price\":\"4.5\"}]}]",
                "menus[0].items[0].price: must be a price like \"14.25\", at most 99999999.99, not \"4.5\""
            ),
            ("adress", "\"12 Otter Point Rd\"", "adress: is not a field here"),
        ] + badEmails.map { ("email", "\"\($0)\"", "email: must be an e-mail address like name@example.org") }
        + badWebsites.map { ("website", "\"\($0)\"", "website: must be a web address like https://example.org") }
    private static let badEmails = [
        "zed", "a@b@c", "a b@example.org", "a,b@example.org", "a;b@example.org", "a:b@example.org", "a@example.org,b",
        "A<a@example.org>", "a(b)@example.org", #"\"a\"@example.org"#, "a@[127.0.0.1]",
    ]
    private static let badWebsites = ["zeds.example", "javascript:alert(1)", "https://", "https:///path"]

    @Test(arguments: badBusinesses)
    func businessSaysWhatIsWrong(field: String, json: String, problem: String) throws {
        #expect(try problems(of: Business.self, good: Self.good, replacing: field, with: json).contains(problem))
    }

    static let goodBusinesses: [(field: String, json: String)] = [
        ("latitude", "90"), ("latitude", "-90"), ("longitude", "180"), ("longitude", "-180"),
        ("email", "\"\""), ("email", "null"), ("email", "\"a&b@bold.example\""),
        ("email", "\"zoë.o'hara+x@müller.example\""),
        ("website", "\"\""), ("website", "\"https://müller.example\""), ("website", "\"HTTP://bold.example/<x>\""),
        ("description", "\"tabs\\t and \\u0007\""), ("hours", "[]"), ("category", "null"),
        (
            "hours",
            "[{\"id\":1,\"day_of_week\":5,\"open_time\":\"11:30\",\"close_time\":\"01:30:00\",\"is_closed\":false}]"
        ),
        ("hours", "[{\"id\":1,\"day_of_week\":5,\"open_time\":\"00:00\",\"close_time\":\"24:00:00\"}]"),
    ]

    @Test(arguments: goodBusinesses)
    func businessIsTaken(field: String, json: String) throws {
        #expect(try problems(of: Business.self, good: Self.good, replacing: field, with: json) == [])
    }

    static let goodEvent = """
        {"id":1,"event_type":"sports","name":"Paddle","slug":"paddle","starts_at":"2035-06-20T15:00:00Z"}
        """

    static let badEvents: [(field: String, json: String, problem: String)] = [
        ("starts_at", "null", "starts_at: is missing"),
        (
            "starts_at", "\"June\"",
            "starts_at: must be a date and time like 2027-06-01T19:00:00-07:00, not \"June\""
        ),
        ("ends_at", "\"2035-06-20T14:59:59Z\"", "ends_at: must not lie before starts_at"),
        ("latitude", "48", "longitude: is missing; a place needs both numbers"),
        ("longitude", "-123", "latitude: is missing; a place needs both numbers"),
        ("event_type", "\"\"", "event_type: must not be empty"),
        (
            "status", "\"open\"",
            "status: must be one of draft, pending_review, approved, cancelled, rejected, not \"open\""
        ),
        (
            "business", "\"hall\",\"latitude\":48,\"longitude\":-123",
            "business: and coordinates must not both be given; a business has its own"
        ),
    ]

    @Test(arguments: badEvents)
    func eventSaysWhatIsWrong(field: String, json: String, problem: String) throws {
        #expect(try problems(of: Event.self, good: Self.goodEvent, replacing: field, with: json).contains(problem))
    }

    @Test func everyBadFieldIsNamedAtOnce() throws {
        let found = try problems(
            of: Business.self, good: #"{"id":1,"name":"","slug":"x","latitude":100,"email":"x","phone":3}"#)
        #expect(
            found.map { $0.prefix { $0 != ":" } } == ["phone", "name", "latitude", "email", "longitude"])
    }

    /// All problems of a record with one field replaced or added.
    private func problems<Value: Record>(
        of type: Value.Type, good: String, replacing field: String = "", with json: String = ""
    ) throws -> [String] {
        var members: [(String, String)] = []
        var reader = JSONReader(Array(good.utf8))
        try reader.beginObject()
        while let key = try reader.nextKey() {
            members.append((key, String(decoding: try reader.readRaw(), as: UTF8.self)))
        }
        if !field.isEmpty {
            members.removeAll { $0.0 == field }
            members.append((field, json))
        }
        let text = "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
        var problems = FieldProblems()
        reader = JSONReader(Array(text.utf8))
        let record = try Patch<Value>(from: &reader, &problems).applied(to: Value())
        try reader.finish()
        record.validateInput(&problems)
        return problems.all.map(\.description)
    }
}
