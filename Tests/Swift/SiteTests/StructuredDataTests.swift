import Foundation
import JSON
import SookeModel
import Testing

@testable import Site

/// What search engines read of a business.
@Suite struct BusinessDataTests {
    @Test func facts() async throws {
        let data = try await SiteTown().data("/businesses/zeds")
        #expect(data["@context"] as? String == "https://schema.org" && data["@type"] as? String == "BarOrPub")
        #expect(data["@id"] as? String == "https://town.example/businesses/zeds")
        #expect(data["name"] as? String == "Zed's" && data["telephone"] as? String == "250-555-0101")
        #expect(data["description"] as? String == "Beer of the coast.\nNo reservations.")
        #expect(
            data["email"] as? String == "hello@zeds.example" && data["sameAs"] as? String == "https://zeds.example/")
        let address = try #require(data["address"] as? [String: String])
        #expect(address == ["@type": "PostalAddress", "streetAddress": "1 Wharf Road", "addressLocality": "Sooke"])
        let place = try #require(data["geo"] as? [String: Any])
        #expect(place["latitude"] as? Double == 48.375 && place["longitude"] as? Double == -123.725)
    }

    @Test func hours() async throws {
        let data = try await SiteTown().data("/businesses/zeds")
        let week = try #require(data["openingHoursSpecification"] as? [[String: String]])
        #expect(
            week == [
                [
                    "@type": "OpeningHoursSpecification", "dayOfWeek": "https://schema.org/Monday", "opens": "11:00",
                    "closes": "01:30",
                ]
            ])
        // It is more than thirty days until the feast.
        #expect(data["specialOpeningHoursSpecification"] == nil)
    }

    /// Hours that a week does not say, with their dates.
    @Test(arguments: [
        ("2026-11-25", "2026-11-25", true, "", "", ["2026-11-25 00:00 00:00"]),
        ("2026-11-25", "2026-11-26", false, "10:00", "14:00", ["2026-11-25 10:00 14:00", "2026-11-26 10:00 14:00"]),
        ("2026-11-25", "2026-11-25", false, "00:00", "00:00", ["2026-11-25 00:00 23:59"]),
        ("2027-11-25", "2027-11-25", true, "", "", []), ("2026-11-01", "2026-11-22", true, "", "", []),
    ])
    func specialHours(
        from: String, to: String, isClosed: Bool, opens: String, closes: String, shown: [String]
    ) async throws {
        let town = try await SiteTown()
        let times = isClosed ? #""is_closed":true"# : #""open_time":"\#(opens)","close_time":"\#(closes)""#
        try await town.write([
            (.business, #"{"slug":"zeds","special_hours":[{"from":"\#(from)","to":"\#(to)",\#(times)}]}"#)
        ])
        let data = try await town.data("/businesses/zeds")
        let days = data["specialOpeningHoursSpecification"] as? [[String: String]] ?? []
        #expect(days.map { "\($0["validFrom"] ?? "") \($0["opens"] ?? "") \($0["closes"] ?? "")" } == shown)
        #expect(days.allSatisfy { $0["validFrom"] == $0["validThrough"] && $0["dayOfWeek"] == nil })
    }

    /// The usual week is there also in one that has other hours, and stays the same in each.
    @Test(arguments: [
        ("Mo-Fr 11:00-22:00; 2026 Nov 23-2026 Nov 29 off", 5, 7), ("Mo-Fr 11:00-22:00; 2026 Dec 02 12:00-13:00", 5, 1),
        ("2026 Nov 23-2026 Nov 29 off; Mo-Fr 11:00-22:00", 5, 2), ("Mo-Fr 11:00-22:00; PH off", 5, 0),
        ("2026 Nov 24 10:00-12:00", 0, 1), ("24/7", 7, 0), ("Mo unknown", 0, 0),
    ])
    func theUsualWeek(hours: String, usual: Int, special: Int) async throws {
        let town = try await SiteTown()
        try await town.write([(.business, #"{"slug":"zeds","hours":[],"opening_hours":"\#(hours)"}"#)])
        let data = try await town.data("/businesses/zeds")
        let week = data["openingHoursSpecification"] as? [[String: String]] ?? []
        #expect(week.count == usual && week.allSatisfy { $0["dayOfWeek"] != nil && $0["validFrom"] == nil })
        let days = data["specialOpeningHoursSpecification"] as? [[String: String]] ?? []
        #expect(days.count == special && days.allSatisfy { $0["validFrom"] != nil })
    }

    @Test func noTextEndsTheScript() async throws {
        let town = try await SiteTown()
        let text = #"</script><script>alert(1)</script><!--"#
        try await town.write([
            (.business, #"{"slug":"zeds","name":"\#(text)","description":"\#(text)","phone":"\#(text)"}"#),
            (.settings, #"{"name":"\#(text)"}"#),
        ])
        let page = try await town.page("/businesses/zeds")
        #expect(page.data?.contains(#""name":"\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--""#) == true)
        let data = try await town.data("/businesses/zeds")
        #expect(data["name"] as? String == text && data["telephone"] as? String == text)
        #expect((data["address"] as? [String: String])?["addressLocality"] == text)
    }
}

/// What search engines read of an event.
@Suite struct EventDataTests {
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
        let data = try await SiteTown().data("/events/\(slug)")
        #expect(data["@context"] as? String == "https://schema.org" && data["@type"] as? String == "Event")
        #expect(data["url"] as? String == "https://town.example/events/\(slug)\(slug == "trivia" ? "/2026-11-24" : "")")
        #expect(data["startDate"] as? String == start && data["endDate"] as? String == end)
        #expect(data["eventStatus"] as? String == "https://schema.org/\(status)")
        let location = try #require(data["location"] as? [String: Any])
        #expect(location["name"] as? String == place && location["address"] as? String == address)
        #expect((location["geo"] as? [String: Any])?["latitude"] as? Double == latitude)
    }
}

extension SiteTown {
    /// The data on a page, which are JSON by the strict reader, too.
    fileprivate func data(_ target: String) async throws -> [String: Any] {
        let text = try #require(try await page(target).data)
        #expect(!text.contains("<"))
        var reader = JSONReader(Array(text.utf8))
        try reader.skipValue()
        try reader.finish()
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
