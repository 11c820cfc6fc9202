import Exchange
import Foundation
import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// The formats of lists of businesses besides JSON.
@Suite struct BusinessFormatTests {
    private static func object(_ body: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }

    private static let formats = [
        ("/api/v1/businesses.geojson", "*/*", "application/geo+json"),
        ("/api/v1/businesses", "application/geo+json", "application/geo+json"),
        ("/api/v1/businesses", "application/json;q=0.5, application/GEO+json", "application/geo+json"),
        ("/api/v1/businesses", "text/html, application/*;q=0.9, */*;q=0.8", "application/json"),
        ("/api/v1/businesses", "application/geo+json;q=0, */*", "application/json"),
        ("/api/v1/businesses", "text/csv", "text/csv; charset=utf-8"),
        ("/api/v1/businesses", "text/*", "text/csv; charset=utf-8"),
        ("/api/v1/businesses", "image/png", "application/json"),
        ("/api/v1/businesses.csv", "application/json", "text/csv; charset=utf-8"),
        ("/api/v1/businesses/zeds.geojson", "*/*", "application/geo+json"),
        ("/api/v1/businesses/zeds", "application/geo+json", "application/geo+json"),
        ("/api/v1/businesses/zeds", "text/csv", "application/json"),
    ]

    @Test func negotiates() async throws {
        let town = try await TestTown()
        for (target, accept, type) in Self.formats {
            // A stored response in JSON is not for everybody.
            _ = try await town.send(.get, target)
            let response = try await town.send(.get, target, [("Accept", accept)])
            #expect(response.status == .ok && response.headers.first("Content-Type") == type, "\(target), \(accept)")
            let tag = try #require(response.headers.first("ETag"))
            let again = try await town.send(.get, target, [("Accept", accept), ("If-None-Match", tag)])
            #expect(again.status == .notModified && again.body.isEmpty, "\(target), \(accept)")
        }
    }

    @Test func aStreamHasAnotherTagAfterAChange() async throws {
        let town = try await TestTown()
        func tag() async throws -> String? {
            try await town.send(.get, "/api/v1/businesses.csv").headers.first("ETag")
        }
        let before = try await tag()
        #expect(try await tag() == before)
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.business, #"{"id":2,"name":"anchor","address":"9 A"}"#)
        }
        #expect(try await tag() != before)
    }

    @Test func featuresAreTheItems() async throws {
        let town = try await TestTown()
        for query in ["", "?near=48.5,-123&radius_m=60000", "?category=nope"] {
            let list = try Self.object(try await town.send(.get, "/api/v1/businesses\(query)").body)
            let items = try #require(list["items"] as? [[String: Any]])
            let collection = try Self.object(try await town.send(.get, "/api/v1/businesses.geojson\(query)").body)
            #expect(collection["type"] as? String == "FeatureCollection")
            let features = try #require(collection["features"] as? [[String: Any]])
            #expect(features.count == items.count)
            for (feature, item) in zip(features, items) {
                #expect(feature["type"] as? String == "Feature")
                #expect(feature["id"] as? Int == item["id"] as? Int)
                let geometry = try #require(feature["geometry"] as? [String: Any])
                #expect(geometry["type"] as? String == "Point")
                let place = [item["longitude"], item["latitude"]].map { $0 as? Double }
                #expect(geometry["coordinates"] as? [Double] == place.compactMap(\.self))
                let properties = try #require(feature["properties"] as? [String: Any])
                #expect(Set(properties.keys) == Set(item.keys).subtracting(["latitude", "longitude"]))
                #expect(properties["name"] as? String == item["name"] as? String)
            }
        }
        let one = try Self.object(
            try await town.send(.get, "/api/v1/businesses.geojson?fields=name&search=zed").body)
        let feature = try #require((one["features"] as? [[String: Any]])?.first)
        #expect((feature["properties"] as? [String: Any])?.keys.sorted() == ["name"])
    }

    @Test func aTableIsThatOfAnImport() async throws {
        let town = try await TestTown()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(
                .business,
                #"{"id":7,"category":"bars","name":"=1+1","slug":"sum","address":"7, A","latitude":1,"longitude":2}"#)
        }
        let rows = try await town.send(.get, "/api/v1/businesses.csv").text.split(separator: "\r\n")
        let columns =
            "name,slug,category,description,address,latitude,longitude,phone,email,website,area,opening_hours,"
            + "public_holidays,time_zone,sunday,monday,tuesday,wednesday,thursday,friday,saturday,id"
        #expect(rows.first.map(String.init) == columns)
        #expect(rows.count == 5)
        #expect(rows.contains { $0.hasPrefix("'=1+1,sum,bars,,\"7, A\",1,2,") })
        #expect(rows.contains { $0.hasPrefix("Zed's,zeds,bars,") && $0.hasSuffix(",closed,,,,,,11:00-01:30,1") })
        // The location and the filters are those of the list.
        let near = try await town.send(.get, "/api/v1/businesses.csv?near=1,2&radius_m=9").text
        #expect(near.split(separator: "\r\n").count == 2 && near.contains("sum"))
        #expect(try await town.send(.get, "/api/v1/businesses.csv?sort=size").status == .badRequest)
    }

    @Test func aTableOfEvents() async throws {
        let town = try await TestTown()
        let rows = try await town.send(.get, "/api/v1/events.csv").text.split(separator: "\r\n").map(String.init)
        #expect(
            rows.first?.hasPrefix("name,slug,event_type,starts_at,ends_at,all_day,business,location,latitude,") == true)
        #expect(rows.first?.contains("submitted_by") == false)
        #expect(rows.dropFirst().map { $0.prefix { $0 != "," } } == ["Regatta", "Fiddle Night"])
        let sports = try await town.send(.get, "/api/v1/events?type=sports", [("Accept", "text/csv")])
        #expect(sports.text.split(separator: "\r\n").count == 2)
        #expect(try await town.send(.get, "/api/v1/events.csv?from=soon").status == .badRequest)
    }

    /// A long list is sent in parts, in order and whole.
    @Test func aLongListIsWhole() async throws {
        let town = try await TestTown()
        _ = try await town.store.write(by: .local) { transaction in
            for id in 100..<800 {
                try transaction.upsert(
                    .business,
                    #"{"id":\#(id),"category":"bars","name":"B \#(id)","slug":"b-\#(id)","address":"A","latitude":1,"#
                        + #""longitude":\#(id % 90)}"#)
            }
        }
        let list = try Self.object(try await town.send(.get, "/api/v1/businesses?all=true").body)
        let items = try #require(list["items"] as? [[String: Any]])
        #expect(Set(items.compactMap { $0["id"] as? Int }).count == 703 && items.count == 703)
        #expect((list["pagination"] as? [String: Any])?["total_items"] as? Int == 703)
        let names = items.compactMap { $0["name"] as? String }
        #expect(names.dropFirst().first == "B 100" && names.last == "Zed's")
        for query in ["near=1,3&radius_m=100", "near=1,3&sort=name", "near=1,3", "search=b%201"] {
            let whole = try Self.object(try await town.send(.get, "/api/v1/businesses?all=true&\(query)").body)
            let page = try Self.object(try await town.send(.get, "/api/v1/businesses?per_page=100&\(query)").body)
            let ids = [whole, page].map { ($0["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int } }
            #expect(Array(ids[0].prefix(100)) == ids[1], "\(query)")
            #expect(ids[0].count == (page["pagination"] as? [String: Any])?["total_items"] as? Int, "\(query)")
        }
    }
}
