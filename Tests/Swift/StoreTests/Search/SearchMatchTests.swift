import SookeModel
import Testing

@testable import Store

/// What of a record is shown as matching.
@Suite struct SearchMatchTests {
    private static let town = SearchTown.town([
        SearchTown.Row(
            name: "The Slack Tide Pub", description: "Slack hours, tidal views, a pub crawl. T'Sou-ke Nation.",
            address: "6742 West Coast Rd", items: ["Mussels in Cider", "Slack Tide Burger"])
    ])

    @Test(arguments: [
        ("slack", ["name:Slack", "menu:Slack/Slack Tide Burger", "description:Slack"]),
        ("SLA", ["name:Slack", "menu:Slack/Slack Tide Burger", "description:Slack"]),
        ("\"slack tide\"", ["name:Slack Tide", "menu:Slack Tide/Slack Tide Burger"]),
        ("mussles", ["menu:Mussels/Mussels in Cider"]), ("restaurant", ["term:Restaurants"]),
        ("coast 6742", ["address:6742", "address:Coast"]), ("tsouke", ["description:T'Sou-ke"]),
        ("t'sou-ke", ["description:T'Sou", "description:ke", "description:T'Sou-ke"]),
        // A typo counts only where there is no better match of the word.
        ("tidal", ["description:tidal"]), ("hourz", ["description:hours"]),
    ])
    func showsWhatMatches(_ query: String, _ matches: [String]) throws {
        let found: SearchPage<BusinessRecord> = try Self.town.page(PageRequest(), of: SearchQuery(query))
        let shown = try #require(found.matches.first).map { match in
            "\(match.field):\(match.text)" + (match.item.map { "/\($0)" } ?? "")
        }
        #expect(Set(shown) == Set(matches))
        #expect(found.matches.first?.map(\.field) == found.matches.first?.map(\.field).sorted())
    }

    @Test func thereAreAtMostTwenty() throws {
        let town = SearchTown.town([
            SearchTown.Row(name: "A", description: (0..<50).map { "tea\($0)" }.joined(separator: " "))
        ])
        let found: SearchPage<BusinessRecord> = try town.page(PageRequest(), of: SearchQuery("tea"))
        #expect(found.matches.map(\.count) == [20])
    }
}
