import SookeModel
import Testing

@testable import Store

/// What people in the demo town search for, and what must come first.
@Suite struct SearchDemoTests {
    @Test(arguments: [
        // Names.
        ("slack tide", "The Slack Tide Pub"), ("the slack tide pub", "The Slack Tide Pub"),
        ("pub", "The Slack Tide Pub"),
        ("fog & fir", "Fog & Fir Kitchen"), ("fog and fir", "Fog & Fir Kitchen"), ("fir kitchen", "Fog & Fir Kitchen"),
        ("mile 23", "Mile 23 Diner"), ("diner", "Mile 23 Diner"), ("fish and chips", "Kingfisher Fish & Chips"),
        ("fish & chips", "Kingfisher Fish & Chips"), ("noodles", "Little Wharf Noodles"),
        ("curry", "Basin Curry House"),
        ("pizza", "Alder Fire Pizza"), ("maree haute", "Boulangerie Marée Haute"), ("MARÉE", "Boulangerie Marée Haute"),
        ("gumboot", "Gumboot Coffee"), ("coffee", "Gumboot Coffee"), ("nans", "Nan's Tea Room"),
        ("nan's tea", "Nan's Tea Room"),
        ("nan", "Nan's Tea Room"), ("cafe arbutus", "Café Arbutus"), ("arbutus", "Café Arbutus"),
        ("saturday market", "Sooke Saturday Market"), ("seafood", "Two Sisters Seafood"),
        ("farm stand", "Saseenos Farm Stand"),
        ("books", "Salal & Ink Books"), ("book", "Salal & Ink Books"), ("gallery", "Driftline Gallery"),
        ("thrift", "Second Wind Thrift"), ("3 crows", "3 Crows Antiques"), ("antique", "3 Crows Antiques"),
        ("paddle", "Basin Paddle Company"), ("cycles", "Goose Trail Cycles"),
        ("fishing charter", "First Light Fishing Charters"),
        ("dental", "Otter Point Dental"), ("yoga", "Sea Room Yoga"), ("physio", "Maple Avenue Physiotherapy"),
        ("hardware", "Brailsford Hardware"), ("plumbing", "Wright & Daughters Plumbing"),
        ("garden", "Good Dirt Garden Centre"),
        ("roofing", "Cedar Line Roofing & Gutters"), ("gas", "Junction Gas Bar"), ("tire", "Idlemore Auto & Tire"),
        ("inn", "The Lantern Inn"), ("guest house", "Whiffin Spit Guest House"), ("b&b", "4 Alders Bed & Breakfast"),
        ("bed and breakfast", "4 Alders Bed & Breakfast"), ("community hall", "Church Road Community Hall"),
        ("print", "Tideline Print & Post"),
        // With a typo.
        ("resturant", "Alder Fire Pizza"), ("kingfisherr", "Kingfisher Fish & Chips"),
        ("boulangrie", "Boulangerie Marée Haute"),
        ("galery", "Driftline Gallery"), ("plumming", "Wright & Daughters Plumbing"),
        ("hardwear", "Brailsford Hardware"),
        ("nooodles", "Little Wharf Noodles"), ("antiqeus", "3 Crows Antiques"),
        ("phisiotherapy", "Maple Avenue Physiotherapy"),
        ("cofee", "Gumboot Coffee"),
        // As one types.
        ("bou", "Boulangerie Marée Haute"), ("dump", "Little Wharf Noodles"), ("whif", "Whiffin Spit Guest House"),
        // Categories, menus, descriptions and addresses.
        ("lodging", "4 Alders Bed & Breakfast"), ("croissant", "Boulangerie Marée Haute"),
        ("halibut", "Fog & Fir Kitchen"),
        ("risotto", "The Slack Tide Pub"), ("mussels", "The Slack Tide Pub"), ("chowder", "Mile 23 Diner"),
        ("benedict", "Fog & Fir Kitchen"), ("latte", "Gumboot Coffee"), ("brioche tete", "Boulangerie Marée Haute"),
        ("dan dan", "Little Wharf Noodles"), ("thali", "Basin Curry House"), ("kayak", "Basin Paddle Company"),
        ("propane", "Junction Gas Bar"), ("piano", "3 Crows Antiques"), ("dogs cats", "Grant Road Animal Clinic"),
        ("tsou-ke nation", "Church Road Community Hall"), ("2075 otter point", "Alder Fire Pizza"),
        // Phrases, and words of several fields.
        ("\"fish & chips\"", "Kingfisher Fish & Chips"), ("\"from the oven\"", "Boulangerie Marée Haute"),
        ("\"hand tools\"", "3 Crows Antiques"), ("restaurants oyster", "Kingfisher Fish & Chips"),
        ("knitting church", "Café Arbutus"),
    ])
    func findsTheBusiness(_ query: String, _ name: String) throws {
        let found = try Self.town?.names(query) ?? []
        #expect(found.first == name, "\(found.prefix(3))")
    }

    @Test(arguments: [
        ("winter birds", "Winter Birds of Whiffin Spit"), ("kitchen party", "Kitchen Party at the Slack Tide"),
        ("slack tide", "Kitchen Party at the Slack Tide"), ("sourdough", "Sourdough for Beginners"),
        ("repair cafe", "Repair Café"), ("farmers market", "Saturday Farmers' Market"),
        ("farmer's market", "Saturday Farmers' Market"),
        ("strawberry", "Strawberry Tea"), ("strawbery tea", "Strawberry Tea"),
        ("pancake", "Canada Day Pancake Breakfast"),
        ("music in the park", "Music in the Park"), ("live music", "Music in the Park"),
        ("crab derby", "Kids' Crab Derby"),
        ("kids", "Kids' Crab Derby"), ("poetry", "Poetry by Lamplight"), ("chili", "Fall Back Chili Cook-Off"),
        ("cookoff", "Fall Back Chili Cook-Off"), ("cook off", "Fall Back Chili Cook-Off"),
        ("carols", "Light Up the Boardwalk"),
        ("boulangerie", "Sourdough for Beginners"), ("maree haute", "Sourdough for Beginners"),
        ("fiddle", "Kitchen Party at the Slack Tide"),
        ("workshop", "Sourdough for Beginners"), ("lamplihgt", "Poetry by Lamplight"),
        ("\"lending shed\"", "Repair Café"),
        ("salal ink", "Poetry by Lamplight"), ("paddle", "Learn to Paddle Day"),
        ("potholes", "Spring Walk at the Potholes"),
    ])
    func findsTheEvent(_ query: String, _ name: String) throws {
        let found = try Self.town?.eventNames(query) ?? []
        #expect(found.first == name, "\(found.prefix(3))")
    }

    private static let town = try? SearchTown.demo()
}
