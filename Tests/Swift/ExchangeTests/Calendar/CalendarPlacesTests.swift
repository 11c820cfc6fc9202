import SookeModel
import Testing

@testable import Exchange

/// What of a calendar only the town knows: the places and the organizers that are its businesses.
@Suite struct CalendarPlacesTests {
    private static func event(_ lines: [String]) throws -> Event {
        var town = try TestTown.small()
        let all =
            ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1@a.example", "SUMMARY:Jam", "DTSTART:20270601T190000Z"]
            + ["CATEGORIES:Live Music"] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
        try town.take(all.joined(separator: "\r\n"), as: "x.ics")
        return try #require(town.town.events.inOrderOfID.map(\.value).last)
    }

    /// A line that only the calendar of a town has.
    private static let own = "X-SOOKE-PAGE:https://town.example/events/jam"

    @Test(
        arguments: [
            (["LOCATION:PUB"], "pub", nil), (["LOCATION:Pub\\, 1 Wharf St\\, Sooke"], "pub", nil),
            (["LOCATION:Pub", "GEO:48;-123"], "pub", nil), (["LOCATION:Village Green"], nil, "Village Green"),
            (["LOCATION:Room 2\\, Pub"], nil, "Room 2, Pub"), (["LOCATION:"], nil, nil),
            (["LOCATION:Pub", own], nil, "Pub"),
            (["LOCATION:Room 2\\, Pub\\, 1", "X-SOOKE-BUSINESS:pub", "X-SOOKE-LOCATION:Room 2", own], "pub", "Room 2"),
            (["LOCATION:Pub\\, 1", "X-SOOKE-BUSINESS:pub", own], "pub", nil),
            // In another town.
            (
                ["LOCATION:Room 2\\, Inn\\, 1", "X-SOOKE-BUSINESS:inn", "X-SOOKE-LOCATION:Room 2", own], nil,
                "Room 2, Inn, 1"
            ),
        ] as [([String], String?, String?)])
    func places(lines: [String], business: String?, words: String?) throws {
        let event = try Self.event(lines)
        #expect(event.business?.text == business && event.location == words && event.coordinates == nil)
    }

    @Test(
        arguments: [
            (["ORGANIZER;CN=Pub:mailto:a@b.example"], "pub", nil),
            (["ORGANIZER;CN=\"Friends of ^'the Park^'\":https://a.example"], nil, "Friends of \"the Park\""),
            (["ORGANIZER;CN=ada@town.example:mailto:ada@town.example"], nil, nil),
            (["ORGANIZER:mailto:ada@town.example"], nil, nil),
            (["ORGANIZER;CN=Pub:https://town.example", own], nil, "Pub"),
            (["ORGANIZER;CN=Pub:https://town.example", "X-SOOKE-HOST:pub", own], "pub", nil),
            (["ORGANIZER;CN=Inn:https://town.example", "X-SOOKE-HOST:inn", own], nil, "Inn"),
        ] as [([String], String?, String?)])
    func organizers(lines: [String], host: String?, words: String?) throws {
        let event = try Self.event(lines)
        #expect(event.host?.text == host && event.organizer == words)
    }
}
