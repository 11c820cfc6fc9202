import SookeModel
import Testing

@testable import Store

/// What people in the demo town search for, and what must come first.
@Suite struct SearchDemoTests {
    @Test(arguments: [
        ("slack tide", "The Slack Tide Pub"), ("pub", "The Slack Tide Pub"), ("fog & fir", "Fog & Fir Kitchen"),
        ("fog and fir", "Fog & Fir Kitchen"), ("fir kitchen", "Fog & Fir Kitchen"), ("diner", "Mile 23 Diner"),
        ("fish and chips", "Kingfisher Fish & Chips"), ("MARÉE", "Boulangerie Marée Haute"),
        ("nans", "Nan's Tea Room"), ("cafe arbutus", "Café Arbutus"), ("books", "Salal & Ink Books"),
        ("3 crows", "3 Crows Antiques"), ("roofing", "Cedar Line Roofing & Gutters"), ("tire", "Idlemore Auto & Tire"),
        ("b&b", "4 Alders Bed & Breakfast"), ("bed and breakfast", "4 Alders Bed & Breakfast"),
        ("community hall", "Church Road Community Hall"), ("resturant", "Alder Fire Pizza"),
        ("boulangrie", "Boulangerie Marée Haute"), ("plumming", "Wright & Daughters Plumbing"),
        ("antiqeus", "3 Crows Antiques"), ("cofee", "Gumboot Coffee"), ("bou", "Boulangerie Marée Haute"),
        ("dump", "Little Wharf Noodles"), ("lodging", "4 Alders Bed & Breakfast"),
        ("croissant", "Boulangerie Marée Haute"), ("halibut", "Fog & Fir Kitchen"), ("chowder", "Mile 23 Diner"),
        ("benedict", "Fog & Fir Kitchen"), ("propane", "Junction Gas Bar"),
        ("tsou-ke nation", "Church Road Community Hall"), ("2075 otter point", "Alder Fire Pizza"),
        ("\"fish & chips\"", "Kingfisher Fish & Chips"), ("\"hand tools\"", "3 Crows Antiques"),
        ("restaurants oyster", "Kingfisher Fish & Chips"), ("knitting church", "Café Arbutus"),
    ])
    func findsTheBusiness(_ query: String, _ name: String) throws {
        let found = try Self.town?.names(query) ?? []
        #expect(found.first == name, "\(found.prefix(3))")
    }

    @Test(arguments: [
        ("winter birds", "Winter Birds of Whiffin Spit"), ("slack tide", "Kitchen Party at the Slack Tide"),
        ("sourdough", "Sourdough for Beginners"), ("farmers market", "Saturday Farmers' Market"),
        ("farmer's market", "Saturday Farmers' Market"), ("strawbery tea", "Strawberry Tea"),
        ("music in the park", "Music in the Park"), ("kids", "Kids' Crab Derby"),
        ("cookoff", "Fall Back Chili Cook-Off"), ("cook off", "Fall Back Chili Cook-Off"),
        ("maree haute", "Sourdough for Beginners"), ("lamplihgt", "Poetry by Lamplight"),
        ("\"lending shed\"", "Repair Café"), ("paddle", "Learn to Paddle Day"),
        ("potholes", "Spring Walk at the Potholes"),
    ])
    func findsTheEvent(_ query: String, _ name: String) throws {
        let found = try Self.town?.eventNames(query) ?? []
        #expect(found.first == name, "\(found.prefix(3))")
    }

    private static let town = try? SearchTown.demo()
}
