import Foundation
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// What the town says of itself, and what follows it.
@Suite struct TownRoutesTests {
    private static func get(_ town: TestTown, _ target: String) async throws -> [String: Any] {
        let answer = try await town.send(.get, target)
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    private static func change(_ town: TestTown, _ json: String, status: Int = 200) async throws -> [String: String] {
        let answer = try await town.send(.patch, "/api/v1/town", as: .folder, body: json)
        #expect(answer.status.code == status, "\(answer.text)")
        return status == 422 ? try answer.fieldProblems : [:]
    }

    @Test func anybodyReadsThem() async throws {
        let town = try await TestTown()
        #expect(try await Self.get(town, "/api/v1/town")["name"] as? String == "", "nobody has set it")
        _ = try await Self.change(town, #"{"name":"Otter","tagline":"By the sea","center":"48.5,-123.5"}"#)
        let shown = try await Self.get(town, "/api/v1/town")
        #expect(shown["name"] as? String == "Otter" && shown["center"] as? String == "48.5,-123.5")
        #expect(shown["theme"] as? String == "harbour" && shown["id"] == nil)
    }

    /// Which zone data the town had is set by the server alone, and shown to nobody.
    @Test func zoneDataArePrivate() async throws {
        let town = try await TestTown { try $0.upsert(.settings, #"{"zone_data":"2025b"}"#) }
        #expect(town.store.current.town.settings.zoneData == "2025b")
        #expect(try await Self.change(town, #"{"zone_data":"2026f"}"#, status: 422).keys.sorted() == ["zone_data"])
        for target in ["town", "changes"] {
            #expect(try await !town.send(.get, "/api/v1/\(target)").text.contains("zone_data"), "\(target)")
        }
    }

    /// Zed's closes at 01:30 in Vancouver, which is when the clock of the tests starts.
    @Test func openStatesFollowTheZone() async throws {
        let town = try await TestTown()
        func status() async throws -> String? {
            let shown = try await Self.get(town, "/api/v1/businesses/zeds")
            return (shown["open_state"] as? [String: Any])?["status"] as? String
        }
        func countOpen() async throws -> Int {
            let list = try await Self.get(town, "/api/v1/businesses?open_now=true")
            return try #require(list["items"] as? [Any]).count
        }
        #expect(try await status() == "closed")
        #expect(try await countOpen() == 0)
        _ = try await Self.change(town, #"{"time_zone":"America/Halifax"}"#)
        #expect(try await status() == "closed")
        // 11:30 on this Saturday.
        _ = try await Self.change(town, #"{"time_zone":"Europe/Helsinki"}"#)
        #expect(try await status() == "open")
        #expect(try await countOpen() == 1)
        let holiday = #"{"holiday_dates":[{"date":"2026-11-21","name":"Fair"}]}"#
        _ = try await Self.change(town, holiday)
        #expect(try await status() == "open", "its hours say nothing of holidays")
    }

    @Test func whatAnotherZoneMoves() async throws {
        let town = try await TestTown()
        _ = try await town.store.write(by: .local) { transaction in
            let series =
                #"{"event_type":"sports","name":"Run","starts_at":"2035-05-01T16:00:00Z","rrule":"FREQ=DAILY"}"#
            try transaction.upsert(.event, series)
            try transaction.upsert(.event, series.dropLast() + #","slug":"far","time_zone":"Asia/Tokyo"}"#)
        }
        let answer = try await town.send(.get, "/api/v1/town/clock-followers", as: .folder)
        #expect(answer.text.hasPrefix(#"{"businesses":1,"series":5,"#))
        #expect(answer.text.contains(#""Run""#) && answer.text.contains(#""Regatta""#))
    }

    @Test func aPlaceWithoutALocationIsAtTheCenter() async throws {
        let town = try await TestTown()
        let place = #"{"name":"Kiosk","address":"9 A","category":"bars"}"#
        let refused = try await town.send(.post, "/api/v1/businesses", as: .folder, body: place)
        #expect(try refused.fieldProblems.keys.sorted() == ["latitude", "longitude"], "the town has no center")
        _ = try await Self.change(town, #"{"center":"48.25,-123.5"}"#)
        let created = try await town.send(.post, "/api/v1/businesses", as: .folder, body: place)
        #expect(created.status == .created)
        for target in ["businesses/kiosk", "businesses?search=kiosk", "businesses?search=kiosk&all=true"] {
            var shown = try await Self.get(town, "/api/v1/\(target)")
            if let items = shown["items"] as? [[String: Any]] { shown = items[0] }
            #expect(shown["latitude"] as? Double == 48.25 && shown["longitude"] as? Double == -123.5)
            #expect(shown["has_location"] as? Bool == false, "\(target)")
        }
        let other = try await Self.get(town, "/api/v1/businesses/zeds")
        #expect(other["has_location"] == nil)
        let map = try await town.send(.get, "/api/v1/businesses/kiosk.geojson").text
        #expect(map.contains(#""geometry":null"#))
        let near = try await Self.get(town, "/api/v1/businesses?near=48.25,-123.5")
        #expect((near["items"] as? [[String: Any]])?.contains { $0["slug"] as? String == "kiosk" } == false)
        let waiting = try await Self.get(town, "/api/v1/businesses?has_location=false")
        #expect((waiting["items"] as? [[String: Any]])?.map { $0["slug"] as? String } == ["kiosk"])
        let removed = try await Self.change(town, #"{"center":null}"#, status: 422)
        #expect(removed["center"]?.contains("1 business without a location is shown there") == true)
        let half = #"{"latitude":48.1}"#
        let changed = try await town.send(.patch, "/api/v1/businesses/kiosk", as: .folder, body: half)
        #expect(try changed.fieldProblems.keys.sorted() == ["longitude"])
    }
}
