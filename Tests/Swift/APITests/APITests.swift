import API
import Service
import HTTP
import Testing

/// Requests and responses that the town's app relies on.
@Suite struct APITests {
    struct Case: Sendable {
        let target: String
        var status = 200
        var has: [String] = []
        var hasNot: [String] = []
    }

    static let cases: [Case] = [
        Case(target: "/api/v1/health", has: [#"{"status":"ok","db_status":"connected"}"#]),
        Case(
            target: "/api/v1/businesses",
            has: [
                #"{"items":[{"id":2,"name":"anchor","slug":"anchor","description":null,"category_name":"Bars","#
                    + #""category_slug":"bars","address":"2 A","latitude":48,"longitude":-123,"phone":null,"#
                    + #""email":null,"website":null,"today_hours":null,"open_state":{"status":"unknown","until":null,"#
                    + #""next_open":null,"reason":"unknown","comment":null},"confirmed_at":null},{"id":3,"#,
                #""today_hours":{"day_of_week":6,"open_time":"11:00:00","close_time":"01:30:00","is_closed":false},"#
                    + #""open_state":{"status":"closed","until":"2026-11-21T19:00:00Z","#
                    + #""next_open":"2026-11-21T19:00:00Z","reason":"regular","comment":null},"confirmed_at":null}]"#,
                #""pagination":{"page":1,"per_page":20,"total_items":3,"total_pages":1}}"#,
            ],
            hasNot: ["Shed"]),
        Case(
            target: "/api/v1/businesses?tz=Pacific%2FKiritimati",
            has: [#""today_hours":{"day_of_week":6,"open_time":"11:00:00""#]),
        Case(target: "/api/v1/businesses?tz=Bad/Zone", status: 400, has: [#""code":"invalid_parameter""#]),
        Case(target: "/api/v1/businesses?tz=", has: [#""total_items":3"#]),
        Case(target: "/api/v1/businesses?search=%C3%89", has: [#""total_items":1"#, "Éclair"]),
        Case(target: "/api/v1/businesses?search=e", has: [#""total_items":1"#, "Zed's"]),
        Case(target: "/api/v1/businesses?search=%25", has: [#""total_items":1"#, "100%"]),
        Case(target: "/api/v1/businesses?search=%FF", status: 400, has: [#""code":"invalid_parameter""#]),
        Case(target: "/api/v1/businesses?category=caf%c3%a9-bakery", has: [#""total_items":1"#, "Éclair"]),
        Case(target: "/api/v1/businesses?category=nope", has: [#"{"items":[],"#, #""total_pages":0"#]),
        Case(target: "/api/v1/businesses?page=2&per_page=2", has: [#""id":1,"#, #""page":2,"per_page":2"#]),
        Case(target: "/api/v1/businesses?page=%2B2&per_page=2", has: [#""page":2,"per_page":2"#]),
        Case(target: "/api/v1/businesses?page=-1&per_page=101", has: [#""page":1,"per_page":20"#]),
        Case(
            target: "/api/v1/businesses?page=99999999999999999999",
            has: [#"{"items":[],"#, #""page":9223372036854775807,"#, #""total_items":3"#]),
        Case(
            target: "/api/v1/businesses/zeds",
            has: [
                #""hours":[{"day_of_week":0,"open_time":"00:00:00","close_time":"00:00:00","is_closed":true},"#,
                #""menus":[{"id":1,"name":"Taps","description":null,"items":[]},"#,
                #""items":[{"id":2,"name":"Éclair","description":null,"price":"3.00"},{"id":1,"name":"soup""#,
            ]),
        Case(target: "/api/v1/businesses/shed", status: 404, has: [#""code":"not_found""#]),
        Case(target: "/api/v1/businesses/%FF", status: 400, has: [#""code":"invalid_parameter""#]),
        Case(target: "/api/v1/businesses/", status: 404, has: [#""code":"not_found""#]),
        Case(
            target: "/api/v1/categories",
            has: [
                #"{"items":[{"id":1,"name":"Bars","slug":"bars"},{"id":2,"name":"Café & Bakery","slug":"café-bakery"}]}"#
            ]),
        Case(target: "/api/v1/event-types", has: [#"{"items":[{"id":1,"name":"Live Music","slug":"live-music"},"#]),
        Case(
            target: "/api/v1/categories/caf%C3%A9-bakery",
            has: [#"{"id":2,"name":"Café & Bakery","slug":"café-bakery"}"#]),
        Case(target: "/api/v1/categories/nope", status: 404, has: ["there is no such category"]),
        Case(target: "/api/v1/event-types/sports", has: [#"{"id":2,"name":"Sports","slug":"sports"}"#]),
        Case(
            target: "/api/v1/events",
            has: [
                #"{"items":[{"id":2,"name":"Regatta","slug":"regatta","description":null,"event_type_name":"Sports","#
                    + #""event_type_slug":"sports","latitude":48.36,"longitude":-123.72,"#
                    + #""starts_at":"2035-05-01T16:00:00Z","ends_at":null,"#
                    + #""starts_local":"2035-05-01T09:00","ends_local":null,"time_zone":"America/Vancouver","#
                    + #""start_time":"2035-05-01T16:00:00Z","end_time":"2035-05-01T16:00:00Z","all_day":false,"status":"approved","#
                    + #""business_name":null,"business_slug":null},{"id":1,"#,
                #""latitude":1,"longitude":2,"starts_at":"2035-06-02T02:00:00Z","ends_at":"2035-06-02T05:30:00.5Z","#
                    + #""starts_local":"2035-06-01T19:00","ends_local":"2035-06-01T22:30:00.5","#
                    + #""time_zone":"America/Vancouver","#
                    + #""start_time":"2035-06-02T02:00:00Z","end_time":"2035-06-02T05:30:00.5Z","#,
                #""business_name":"Shed","business_slug":"shed"}"#,
                #""total_items":2"#,
            ]),
        Case(target: "/api/v1/events?event_type=sports&event_type=nope", has: [#""total_items":1"#]),
        Case(target: "/api/v1/events?event_type=", has: [#"{"items":[],"#]),
        Case(target: "/api/v1/events?type=sports&type=nope", has: [#""total_items":1"#]),
        Case(target: "/api/v1/events?type=sports&event_type=live-music", has: [#""total_items":2"#]),
        Case(target: "/api/v1/events?type=", has: [#""total_items":2"#]),
        Case(target: "/api/v1/events?event_type=%FF", status: 400, has: [#""code":"invalid_parameter""#]),
        Case(target: "/api/v1/events/past", has: [#""id":4"#]),
        Case(target: "/api/v1/events/draft", status: 404, has: [#""code":"not_found""#]),
        Case(target: "/nope", status: 404, has: [#"{"error":{"code":"not_found","message":""#]),
    ]

    @Test func answers() async throws {
        let town = try await TestTown()
        for example in Self.cases {
            let response = try await town.send(.get, example.target)
            #expect(response.status.code == example.status, "\(example.target)")
            #expect(response.headers.first("Content-Type") == "application/json")
            for part in example.has { #expect(response.text.contains(part), "\(example.target): \(response.text)") }
            for part in example.hasNot { #expect(!response.text.contains(part), "\(example.target)") }
        }
    }

    @Test func anEntityTagSavesTheBody() async throws {
        let town = try await TestTown()
        let tag = try #require(try await town.send(.get, "/api/v1/businesses").headers.first("ETag"))
        let fields: [(String, Int)] = [
            (tag, 304), ("W/\(tag)", 304), ("\"x\", \(tag)", 304), ("\"x\"", 200), ("*", 304), ("", 200),
            (String(tag.dropLast()), 200),
        ]
        for (field, status) in fields {
            let response = try await town.send(.get, "/api/v1/businesses", [("If-None-Match", field)])
            #expect(response.status.code == status, "If-None-Match: \(field)")
            #expect(response.body.isEmpty == (status == 304))
            #expect(response.headers.first("ETag") == tag)
        }
        #expect(try await town.send(.get, "/api/v1/businesses?page=2").headers.first("ETag") != tag)
    }
}
