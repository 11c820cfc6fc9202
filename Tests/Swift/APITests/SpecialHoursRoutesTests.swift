import HTTP
import SookeModel
import Store
import Testing

@testable import API

@Suite struct SpecialHoursRoutesTests {
    private static let path = "/api/v1/businesses/zeds/special-hours"

    private static func row(_ from: String, _ to: String?, _ rest: String = #""is_closed":true"#) -> String {
        #"{"from":"\#(from)","to":\#(to.map { "\"\($0)\"" } ?? "null"),\#(rest)}"#
    }

    /// Requests in their order, the status of each, and the first days that the business has afterwards.
    @Test func oneEntryAtATime() async throws {
        let town = try await TestTown.peopled()
        let times = #""open_time":"10:00","close_time":"12:00""#
        let steps: [(HTTP.Method, String, String, Int, [String])] = [
            (.post, "", Self.row("2027-02-01", "2027-02-02"), 201, ["2027-02-01"]),
            (.post, "", Self.row("2027-02-01", "2027-02-02", times), 409, ["2027-02-01"]),
            (.post, "", Self.row("2027-02-01", nil, times), 201, ["2027-02-01", "2027-02-01"]),
            (.post, "", Self.row("2027-03-01", "2027-02-02"), 422, ["2027-02-01", "2027-02-01"]),
            (.post, "", #"{"from":"2027-03-01"}"#, 422, ["2027-02-01", "2027-02-01"]),
            (.post, "", "[]", 422, ["2027-02-01", "2027-02-01"]),
            (.post, "", Self.row("2027-04-01", "2027-04-01"), 201, ["2027-02-01", "2027-02-01", "2027-04-01"]),
            (.delete, "", "", 400, ["2027-02-01", "2027-02-01", "2027-04-01"]),
            (.delete, "?from=soon", "", 400, ["2027-02-01", "2027-02-01", "2027-04-01"]),
            (.delete, "?from=2027-02-01", "", 422, ["2027-02-01", "2027-02-01", "2027-04-01"]),
            (.delete, "?from=2027-02-01&to=2027-02-02", "", 200, ["2027-02-01", "2027-04-01"]),
            (.delete, "?from=2027-02-01&to=2027-02-02", "", 404, ["2027-02-01", "2027-04-01"]),
            (.delete, "/2027-04-01", "", 200, ["2027-02-01"]),
            (.delete, "/nonsense", "", 404, ["2027-02-01"]),
            (.delete, "/2027-02-01", "", 200, []),
        ]
        for (method, rest, body, status, days) in steps {
            let response = try await town.send(method, Self.path + rest, as: .olga, body: body)
            #expect(response.status.code == status, "\(method.name) \(rest) \(body): \(response.text)")
            if status == 409 { #expect(response.errorCode == "dates_taken") }
            let stored = town.store.current.town.businesses[Slug("zeds")]?.value.specialHours ?? []
            #expect(stored.map { $0.from?.text } == days, "\(method.name) \(rest) \(body)")
            if status < 300 { #expect(response.text.contains("\"special_hours\"")) }
        }
    }

    /// An address with decomposed accents leads to the composed one, as long as that can be seen.
    @Test func decomposedAccents() async throws {
        let town = try await TestTown.peopled()
        for (target, body) in [
            ("businesses/zeds", #"{"slug":"café"}"#), ("events/gig", #"{"slug":"fête"}"#),
            ("categories/unused", #"{"slug":"élan"}"#), ("businesses/den", #"{"slug":"crème"}"#),
        ] {
            #expect(try await town.send(.patch, "/api/v1/\(target)", as: .ada, body: body).status.code == 200)
        }
        for (target, location) in [
            ("businesses/cafe%CC%81", "businesses/caf%C3%A9"),
            ("businesses/cafe%CC%81.geojson", "businesses/caf%C3%A9.geojson"),
            ("events/fe%CC%82te?x=1", "events/f%C3%AAte?x=1"), ("categories/e%CC%81lan", "categories/%C3%A9lan"),
        ] {
            let answer = try await town.send(.get, "/api/v1/\(target)")
            #expect(answer.status.code == 301, "\(target)")
            #expect(answer.headers.first("Location") == "/api/v1/\(location)", "\(target)")
        }
        for target in ["businesses/cre%CC%80me", "businesses/CAFE%CC%81", "businesses/nothinge%CC%81"] {
            #expect(try await town.send(.get, "/api/v1/\(target)").status.code == 404, "\(target)")
        }
    }
}
