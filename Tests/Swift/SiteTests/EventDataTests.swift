import Foundation
import JSON
import SookeModel
import Testing

@testable import Site

/// What search engines read of an event.
@Suite struct EventDataTests {
    private func data(_ slug: String, _ town: SiteTown) async throws -> [String: Any] {
        let text = try #require(try await town.page("/events/\(slug)").data)
        #expect(!text.contains("<"))
        // It is JSON by the strict reader, too.
        var reader = JSONReader(Array(text.utf8))
        try reader.skipValue()
        try reader.finish()
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The dates with the offset of the town's clocks, whether it takes place, and where.
    @Test(
        arguments: [
            (
                "fiddle-night", "2026-11-27T19:00:00-08:00", "2026-11-27T22:30:00-08:00", "EventScheduled", "Zed's",
                "1 Wharf Road", 48.375
            ),
            ("regatta", "2026-11-28T10:00:00-08:00", nil, "EventScheduled", "Sooke", "Sooke", 48.36),
            ("bonfire", "2026-11-26T18:00:00-08:00", nil, "EventCancelled", "Sooke", "Sooke", nil),
            // The next one.
            (
                "trivia", "2026-11-24T20:00:00-08:00", "2026-11-24T22:00:00-08:00", "EventScheduled", "Zed's",
                "1 Wharf Road", 48.375
            ),
            // At a business that is not listed.
            ("rehearsal", "2026-11-25T17:00:00-08:00", nil, "EventScheduled", "Sooke", "Sooke", nil),
        ] as [(String, String, String?, String, String, String, Double?)])
    func facts(
        slug: String, start: String, end: String?, status: String, place: String, address: String, latitude: Double?
    ) async throws {
        let data = try await data(slug, SiteTown())
        #expect(data["@context"] as? String == "https://schema.org" && data["@type"] as? String == "Event")
        #expect(data["url"] as? String == "https://town.example/events/\(slug)")
        #expect(data["startDate"] as? String == start && data["endDate"] as? String == end)
        #expect(data["eventStatus"] as? String == "https://schema.org/\(status)")
        let location = try #require(data["location"] as? [String: Any])
        #expect(location["name"] as? String == place && location["address"] as? String == address)
        #expect((location["geo"] as? [String: Any])?["latitude"] as? Double == latitude)
    }
}
