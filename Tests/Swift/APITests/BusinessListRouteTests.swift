import Foundation
import HTTP
import Service
import SookeModel
import Testing

@testable import API

/// Lists of businesses: places, orders, cursors, members and formats.
@Suite struct BusinessListRouteTests {
    private static func object(_ body: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }

    private static func list(_ town: TestTown, _ query: String) async throws -> [[String: Any]] {
        let response = try await town.send(.get, "/api/v1/businesses?\(query)")
        #expect(response.status == .ok, "\(query)")
        return try #require(try object(response.body)["items"] as? [[String: Any]])
    }

    private static func names(_ town: TestTown, _ query: String) async throws -> [String] {
        try await list(town, query).compactMap { $0["name"] as? String }
    }

    /// The town has Zed's at 48.5,-123 and, in this order of names, anchor and Éclair at 48,-123.
    private static let found = [
        ("near=48.5,-123", ["Zed's", "anchor", "Éclair 100%"]), ("near=48,-123", ["anchor", "Éclair 100%", "Zed's"]),
        ("near=48.5,-123&sort=name", ["anchor", "Éclair 100%", "Zed's"]),
        ("near=48.5,%20-123.0&radius_m=55000", ["Zed's"]),
        ("near=48.5,-123&radius_m=56000&category=bars", ["Zed's", "anchor"]),
        ("near=&radius_m=", ["anchor", "Éclair 100%", "Zed's"]),
        ("near=48,-123&near=nonsense&radius_m=1", ["anchor", "Éclair 100%"]),
        ("bbox=-124,48.1,-122,49", ["Zed's"]), ("bbox=170,-10,-170,10", []),
        ("bbox=179,40,-120,50&search=z", ["Zed's"]), ("sort=updated", ["Éclair 100%", "anchor", "Zed's"]),
        ("updated_since=2026-11-21T09:30:00+00:00", ["anchor", "Éclair 100%", "Zed's"]),
        ("updated_since=2026-11-21T09:30:00.000001Z", []),
        ("all=true&per_page=1&page=9", ["anchor", "Éclair 100%", "Zed's"]),
        ("all=true&category=bars&sort=distance&near=48.5,-123", ["Zed's", "anchor"]),
        ("all=true&category=nope", []), ("all=false&per_page=1", ["anchor"]),
    ]

    private static let refused = [
        ("near=48.5", "near is latitude,longitude in degrees, such as 48.3742,-123.7276, not \"48.5\""),
        ("near=nan,0", "near is latitude,longitude in degrees, such as 48.3742,-123.7276, not \"nan,0\""),
        (
            "near=-123,48",
            "near is latitude,longitude: the latitude is -90 to 90 and the longitude -180 to 180, not \"-123,48\""
        ),
        ("radius_m=5", "radius_m needs near, the place from which it is measured"),
        ("near=0,0&radius_m=0", "radius_m is a number of metres above 0, at most 20100000, not \"0\""),
        ("near=0,0&radius_m=20100001", "radius_m is a number of metres above 0, at most 20100000, not \"20100001\""),
        ("near=0,0&radius_m=inf", "radius_m is a number of metres above 0, at most 20100000, not \"inf\""),
        ("bbox=1,2,3", "bbox is west,south,east,north in degrees, such as -123.8,48.3,-123.6,48.4, not \"1,2,3\""),
        ("bbox=1,3,2,2", "bbox is west,south,east,north, but its south, 3.0, is north of its north, 2.0"),
        (
            "bbox=-181,0,0,1",
            "bbox is west,south,east,north: longitudes are -180 to 180 and latitudes -90 to 90, not \"-181,0,0,1\""
        ),
        ("sort=price", "sort is name, distance, updated or relevance, not \"price\""),
        ("sort=relevance", "sort=relevance needs q, the words that are searched for"),
        ("sort=distance", "sort=distance needs near, the place from which it is measured"),
        (
            "updated_since=yesterday",
            "updated_since is a date and time as in RFC 3339, such as 2026-11-21T09:30:00Z, not \"yesterday\""
        ),
        ("all=yes", "all must be true or false, not \"yes\""),
        ("cursor=nonsense!", "cursor is start or the next_cursor of a response, not \"nonsense!\""),
        ("fields=id,secret", "fields has no \"secret\"; it is some of id,name,slug,description,category_name,"),
    ]

    @Test func parameters() async throws {
        let town = try await TestTown()
        for (query, names) in Self.found { #expect(try await Self.names(town, query) == names, "\(query)") }
        for (query, message) in Self.refused {
            let response = try await town.send(.get, "/api/v1/businesses?\(query)")
            #expect(response.status == .badRequest, "\(query)")
            let error = try #require(try Self.object(response.body)["error"] as? [String: Any])
            #expect(error["code"] as? String == "invalid_parameter")
            #expect((error["message"] as? String)?.hasPrefix(message) == true, "\(error)")
        }
    }

    @Test func showsDistances() async throws {
        let town = try await TestTown()
        let items = try await Self.list(town, "near=48.5,-123")
        #expect(items.map { $0["distance_m"] as? Double } == [0, 55597.5, 55597.5])
        #expect(try await Self.list(town, "").allSatisfy { $0["distance_m"] == nil })
    }

    @Test func fieldsSelectMembers() async throws {
        let town = try await TestTown()
        let selected = try await Self.list(town, "fields=slug,id,open_state&all=true")
        #expect(selected.allSatisfy { Set($0.keys) == ["slug", "id", "open_state"] } && selected.count == 3)
        let whole = try await Self.list(town, "near=0,0&q=zed").first ?? [:]
        #expect(
            whole.keys.sorted() == Schema.businessItemFields.filter { !["has_location", "area"].contains($0) }.sorted())
        #expect(try await Self.list(town, "fields=").first?["name"] != nil)
    }

    @Test(arguments: ["", "sort=updated", "near=48.4,-123"])
    func cursorsWalkTheWholeList(_ query: String) async throws {
        let town = try await TestTown()
        let expected = try await Self.names(town, query)
        var (found, cursor) = ([String](), "start")
        repeat {
            let response = try await town.send(.get, "/api/v1/businesses?\(query)&per_page=1&cursor=\(cursor)")
            let object = try Self.object(response.body)
            let items = try #require(object["items"] as? [[String: Any]])
            found += items.compactMap { $0["name"] as? String }
            let pagination = try #require(object["pagination"] as? [String: Any])
            #expect(pagination["total_items"] as? Int == expected.count)
            #expect(pagination["page"] is NSNull)
            guard let next = pagination["next_cursor"] as? String else {
                #expect(response.headers.first("Link") == nil)
                break
            }
            let link = try #require(response.headers.first("Link"))
            let others = query.isEmpty ? "" : query + "&"
            #expect(link == "</api/v1/businesses?\(others)per_page=1&cursor=\(next)>; rel=\"next\"")
            cursor = next
        } while found.count < 10
        #expect(found == expected)
    }

    @Test(arguments: ["q=zed", "sort=updated", "near=48,-123"])
    func aCursorOfAnotherOrderIsRefused(_ query: String) async throws {
        let town = try await TestTown()
        let first = try Self.object(try await town.send(.get, "/api/v1/businesses?per_page=1&cursor=start").body)
        let cursor = try #require((first["pagination"] as? [String: Any])?["next_cursor"] as? String)
        let response = try await town.send(.get, "/api/v1/businesses?\(query)&cursor=\(cursor)")
        #expect(response.status == .badRequest)
        #expect(response.text.contains("cursor belongs to a list with another order"))
        for text in [cursor + "AAAA", String(cursor.dropLast()), "E" + cursor.dropFirst(), "AA", "e30", "eyJpZCI6MX0"] {
            let status = try await town.send(.get, "/api/v1/businesses?sort=name&cursor=\(text)").status
            #expect(status == .ok || status == .badRequest)
        }
    }

    /// Only declared ones: an address with others is the same one.
    @Test func linksKeepTheOtherParameters() async throws {
        let town = try await TestTown()
        let target = "/api/v1/businesses?search=%C3%A9&%70age=1&cursor=&x=%22%3E&per_page=1&category="
        #expect(try await town.send(.get, target).headers.first("Link") == nil)
        for query in [
            "x=%22%3E&%70age=1&cursor=&per_page=1&y=|", "per_page=1&category=bars&_=1",
            "category=%62ars&category=cafes&per_page=1",
            "near=48.5,-123.1&tz=Europe%2FLondon&per_page=1",
        ] {
            let response = try await town.send(.get, "/api/v1/businesses?" + query)
            let kept =
                query.contains("near")
                ? "near=48.5,-123.1&tz=Europe/London&" : query.contains("cate") ? "category=bars&" : ""
            #expect(
                response.headers.first("Link") == "</api/v1/businesses?\(kept)per_page=1&page=2>; rel=\"next\"")
        }
    }
}
