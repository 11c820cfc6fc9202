import Bytes
import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// The forms of bodies, and merge patches (RFC 7396).
@Suite struct BodyTests {
    /// Every route rejects a body that is not an object before it does anything.
    @Test func bodiesThatAreNone() async throws {
        let town = try await TestTown.peopled()
        let deep = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        let long = "\"" + String(repeating: "x", count: 1 << 20 + 1) + "\""
        let keys = "{" + (0...10_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        let bodies: [(body: String, type: String, status: Int, code: String)] = [
            ("", "application/json", 400, "invalid_json"),
            ("{", "application/json", 400, "invalid_json"),
            ("{\"name\":\"a\",}", "application/json", 400, "invalid_json"),
            ("{\"name\":\"a\"} x", "application/json", 400, "invalid_json"),
            ("{\"name\":\(deep)}", "application/json", 400, "invalid_json"),
            ("{\"name\":\(long)}", "application/json", 400, "invalid_json"),
            (keys, "application/json", 400, "invalid_json"),
            ("[]", "application/json", 422, "invalid_input"),
            ("null", "application/merge-patch+json; charset=utf-8", 422, "invalid_input"),
            ("name=x", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
            ("[]", "application/json-patch+json", 415, "unsupported_media_type"),
        ]
        let routes = town.routes.filter { $0.route.takes != .nothing && $0.route.takes != .file }
        let before = town.store.current.sequence
        for row in AccessTests.rows where routes.contains(where: { "\($0.method.name) \($0.pattern)" == row.route }) {
            let caller = TestCaller.allCases.last { row.status(.bad, $0) == 422 } ?? .ada
            // The body may be empty when the version is given by a field.
            let mayBeEmpty = row.route.hasSuffix("/approve") || row.route == "POST /api/v1/proposals/{id}/accept"
            for (body, type, status, code) in bodies where !(body.isEmpty && mayBeEmpty) {
                // The long ones once.
                if body.utf8.count > 1_000, row.route != "PATCH /api/v1/businesses/{slug}" { continue }
                let response = try await town.send(
                    row.method, row.target, as: caller, [("Content-Type", type)], body: body)
                let cell: Comment = "\(row.route) \(body.prefix(40)): \(response.text.prefix(200))"
                #expect(response.status.code == status, cell)
                #expect(response.errorCode == code, cell)
            }
        }
        #expect(town.store.current.sequence == before)
    }

    /// Bodies, and the problems of all invalid fields.
    static let wrong: [(target: String, body: String, fields: [String])] = [
        (
            "/api/v1/businesses/zeds", #"{"phone":5,"latitude":"x","hours":{},"nonsense":1,"id":3,"menus":[{"x":1}]}"#,
            [
                #""phone":"must be a text""#, #""latitude":"must be a number""#, #""hours":"must be a list""#,
                #""nonsense":"is not a field here""#, #""id":"cannot be given here""#,
                #""menus[0].x":"is not a field here""#,
            ]
        ),
        (
            "/api/v1/businesses/zeds", #"{"name":" ","latitude":91,"email":"x","category":"nope","owner_id":77}"#,
            [
                #""name":"must not be empty""#, #""latitude":"must lie between -90 and 90 degrees""#,
                #""email":"must be an e-mail address like name@example.org""#, #""category":"there is no category"#,
                #""owner_id":"there is no user 77""#,
            ]
        ),
        (
            "/api/v1/businesses/zeds",
            #"{"hours":[{"id":900,"day_of_week":1,"is_closed":true}],"menus":[{"id":9007199254740991,"name":"x","#
                + #""items":[{"id":1,"name":"y","price":"1.00"}]}]}"#,
            [
                #""hours[0].id":"there is no 900 here"#, #""menus[0].id":"there is no 9007199254740991 here"#,
                #""menus[0].items[0].id":"there is no 1 here"#,
            ]
        ),
        (
            "/api/v1/events/quiz", #"{"ends_at":"2034-01-01T00:00:00Z","latitude":1,"slug":"..","event_type":"nope"}"#,
            [
                #""ends_at":"must not lie before starts_at""#, #""business":"and coordinates must not both be given"#,
                #""slug":"must not be nothing but dots""#, #""event_type":"there is no event type"#,
            ]
        ),
        ("/api/v1/users/4", #"{"email":"OLGA@town.example"}"#, [#""email":"\"OLGA@town.example\" is the address of"#]),
    ]

    @Test func everyFieldThatIsWrongIsNamed() async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence
        for (target, body, fields) in Self.wrong {
            let response = try await town.send(.patch, target, as: .ada, body: body)
            #expect(response.status.code == 422 && response.errorCode == "invalid_input")
            for field in fields { #expect(response.text.contains(field), "\(field) in \(response.text)") }
        }
        #expect(town.store.current.sequence == before)
    }

    /// Null empties a field, a field that is left out is unchanged, and equal values are no change.
    @Test func aMergePatch() async throws {
        let town = try await TestTown.peopled()
        func patch(_ body: String) async throws -> Business {
            let response = try await town.send(.patch, "/api/v1/businesses/zeds", as: .olga, body: body)
            #expect(response.status.code == 200)
            return try #require(town.store.current.town.businesses[Slug("zeds")]?.value)
        }
        let first = try await patch(#"{"phone":"250-555-0100","description":"Old"}"#)
        #expect(first.phone == "250-555-0100" && first.hours.count == 2)
        let second = try await patch(#"{"phone":null}"#)
        #expect(second.phone == nil && second.description == "Old")
        let sequence = town.store.current.sequence
        #expect(try await patch("{}") == second)
        #expect(try await patch(#"{"phone":null,"description":"Old"}"#) == second)
        #expect(town.store.current.sequence == sequence)
    }

    /// A slug that is set is used in paths unchanged; one from an import is not validated.
    @Test(arguments: [
        "a/b", #"a\"b"#, #"a\u202eb"#, "a..b",
    ])
    func aSlugThatIsNotPlain(slug: String) async throws {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(
                .business, #"{"name":"Odd","slug":"\#(slug)1","address":"6 A","latitude":1,"longitude":2}"#)
        }
        let before = town.store.current.sequence
        let event = #""name":"Fair","event_type":"sports","business":"zeds","starts_at":"2035-07-01T10:00:00Z""#
        for (method, target, fields) in [
            (HTTP.Method.post, "businesses", #""name":"X","address":"1","latitude":1,"longitude":1"#),
            (.patch, "businesses/zeds", #""phone":"1""#), (.post, "categories", #""name":"X""#),
            (.patch, "categories/bars", #""name":"X""#), (.post, "event-types", #""name":"X""#),
            (.post, "events", event), (.patch, "events/gig", #""name":"X""#),
        ] {
            let body = #"{\#(fields),"slug":"\#(slug)"}"#
            let response = try await town.send(method, "/api/v1/" + target, as: .ada, body: body)
            #expect(response.status.code == 422, "\(method) \(target)")
            #expect(response.text.contains(#""slug":"must not"#), "\(response.text)")
        }
        #expect(town.store.current.sequence == before)
        let odd = try #require(town.store.current.town.businesses.inOrderOfID.first { $0.value.name == "Odd" })
        let path = "/api/v1/businesses/" + PercentCoding.encode(odd.slug.text.utf8)
        let same = #"{"phone":"1","slug":"\#(slug)1"}"#
        #expect(try await town.send(.patch, path, as: .ada, body: same).status.code == 200)
    }
}
