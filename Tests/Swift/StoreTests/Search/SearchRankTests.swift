import SookeModel
import Testing

@testable import Store

/// Which businesses a search finds, and in which order.
@Suite struct SearchRankTests {
    private typealias Row = SearchTown.Row

    /// By field, then whole words before beginnings, and all of them before typos.
    @Test func ranksByFieldThenByMatch() throws {
        let rows = [
            Row(name: "M address typo", address: "1 Bakrey Rd"),
            Row(name: "L description typo", description: "a bakrey"),
            Row(name: "K menu typo", items: ["Bakrey"]), Row(name: "J bakrey"),
            Row(name: "I address prefix", address: "1 Bakerys Rd"), Row(name: "H address", address: "1 Bakery Rd"),
            Row(name: "G description prefix", description: "bakerys"),
            Row(name: "F description", description: "The bakery."),
            Row(name: "E menu prefix", items: ["Bakerys"]), Row(name: "D menu", items: ["Bakery"]),
            Row(name: "C category typo", category: 2), Row(name: "B bakerys"), Row(name: "A bakery"), Row(name: "None"),
        ]
        let names = try SearchTown.town(rows).names("bakery")
        #expect(
            names.map { String($0.prefix(1)) } == ["A", "B", "D", "E", "F", "G", "H", "I", "J", "C", "K", "L", "M"])
    }

    /// Words of the trade count least, so that who says them of their own comes first.
    @Test(arguments: [
        ("chemist", ["Best Chemist", "Zed's Shop", "Also a Shop"]),
        ("chemsit", ["Best Chemist", "Zed's Shop", "Also a Shop"]),
        ("\"drug store\"", ["Also a Shop", "Zed's Shop"]), ("chemist zed", ["Zed's Shop"]), ("drugstore", []),
    ])
    func findsByTheSynonymsOfTheCategory(_ query: String, _ names: [String]) throws {
        let town = SearchTown.town([
            Row(name: "Best Chemist"), Row(name: "Zed's Shop", category: 3, description: "Your chemist."),
            Row(name: "Also a Shop", category: 3), Row(name: "Bakery", category: 2),
        ])
        #expect(try town.names(query) == names)
        // What is found has no match in a text.
        let found: SearchPage<BusinessRecord> = try town.page(PageRequest(), of: SearchQuery("chemist also"))
        #expect(found.matches == [[SearchMatch(field: .name, text: "Also", item: nil)]])
        let related = try town.relatedCategories(to: SearchQuery("chemist bakeries nowhere"))
        #expect(related.map(\.category.name) == ["Bakeries", "Shops"] && !related.contains { $0.hasAll })
    }

    @Test(arguments: [
        ("st brigid", ["Saint Brigid Bakery"]), ("Ste. Brigid", ["Saint Brigid Bakery"]),
        ("saint mary", ["St. Mary’s Tea House"]), ("sain mary", ["St. Mary’s Tea House"]),
        ("\"st. mary's\"", ["St. Mary’s Tea House"]), ("mt baker", ["Mount Baker Motel"]),
        ("mount fir", ["Mt. Fir Farm"]), ("mountai", ["Mountain Bikes"]), ("fort rodd", ["Ft Rodd"]),
        ("aw", ["A&W"]), ("a & w", ["A&W"]), ("a and w", ["A&W"]),
    ])
    func findsTheOtherSpellingOfAName(_ query: String, _ names: [String]) throws {
        let rows = [
            "Saint Brigid Bakery", "St. Mary’s Tea House", "Mount Baker Motel", "Mt. Fir Farm", "Mountain Bikes",
            "Ft Rodd",
            "A&W",
        ].map { Row(name: $0) }
        #expect(try SearchTown.town(rows).names(query) == names)
    }

    @Test(arguments: [
        ("250 555", ["A", "B", "C"]), ("250-555-0101", ["A"]), ("(250) 555 0102", ["B"]),
        ("2505550103", ["C"]), ("555 0103", ["C"]), ("5550102", ["B"]), ("25055501", ["A", "B", "C"]), ("604", []),
    ])
    func findsPhoneNumbers(_ query: String, _ names: [String]) throws {
        let town = SearchTown.town([
            Row(name: "A", phone: "250-555-0101"), Row(name: "B", phone: "(250) 555-0102"),
            Row(name: "C", phone: "+1 250 555 0103"), Row(name: "D"),
        ])
        #expect(try town.names(query) == names)
    }

    /// A score is a byte, and its highest value means no match.
    @Test func theWorstScoreFits() {
        let worst = SearchField.allCases.map { SearchClass.of(.prefixTypo, in: $0) }.max() ?? .max
        #expect(Int(worst) * SearchQuery.mostWords < Int(UInt8.max))
    }

    @Test(arguments: [
        // The category counts as a field between the name and the menu.
        ("restaurants", ["Alder Pizza", "Zed's Diner", "Books & More"]),
        ("restau", ["Alder Pizza", "Zed's Diner", "Books & More"]),
        // Equal matches are in the order of names.
        ("pizza", ["Alder Pizza", "Books & More", "Café Zoë"]),
        // All words must match, each in any field.
        ("zoe pizza", ["Café Zoë"]), ("pizza bakeries", ["Café Zoë"]), ("pizza nowhere", []),
        // Case and accents.
        ("CAFE ZOE", ["Café Zoë"]), ("café", ["Café Zoë"]), ("strasse", ["Zed's Diner"]), ("straße", ["Zed's Diner"]),
        // Beginnings, and apostrophes.
        ("z", ["Café Zoë", "Zed's Diner"]), ("zeds", ["Zed's Diner"]), ("zed's", ["Zed's Diner"]),
        ("zed", ["Zed's Diner"]),
        // Typos in words of five letters or more.
        ("pizzza", ["Alder Pizza", "Books & More", "Café Zoë"]), ("pzza", []), ("diener", ["Zed's Diner"]),
        // Phrases.
        ("\"alder pizza\"", ["Alder Pizza"]), ("\"pizza alder\"", []), ("\"pizz\"", []),
        ("\"books and more\"", ["Books & More"]),
        ("\"cheese pizza\" books", ["Books & More"]), ("\"all kinds of pizza\"", ["Books & More"]),
        ("\"pizza cheese\"", []),
        // A hyphen joins and separates.
        ("coop", ["Alder Pizza"]), ("co-op", ["Alder Pizza"]), ("\"co op\"", ["Alder Pizza"]),
    ])
    func finds(_ query: String, _ names: [String]) throws {
        let town = SearchTown.town([
            Row(name: "Zed's Diner", address: "Große Straße 1"),
            Row(
                name: "Books & More", category: 3, description: "All kinds of restaurants' books. Cheese, too.",
                items: ["Cheese pizza", "All kinds of pizza"]),
            Row(name: "Café Zoë", category: 2, items: ["Pizza"]),
            Row(name: "Alder Pizza", description: "In the co-op."),
            Row(name: "Pizza Nowhere", category: 0),
        ])
        #expect(try town.names(query) == names)
    }

    @Test func pagesAreParts() throws {
        let town = SearchTown.town(
            (0..<1_200).map { Row(name: "Shop \($0)", description: $0 % 3 == 0 ? "tea" : nil) })
        let all: SearchPage<BusinessRecord> = try town.page(PageRequest(size: 100), of: SearchQuery("shop"))
        #expect(all.page.total == 1_200 && all.page.pageCount == 12)
        for (query, total) in [("shop", 1_200), ("tea", 400)] {
            var names: [String] = []
            for number in 1...100 {
                let part: SearchPage<BusinessRecord> = try town.page(
                    PageRequest(number: number, size: 13), of: SearchQuery(query))
                #expect(part.page.total == total && part.matches.count == part.page.records.count)
                names += part.page.records.map(\.name)
            }
            let listed = town.businesses.listed.map(\.value.name)
            let expected =
                query == "shop" ? listed : listed.filter { Int($0.dropFirst(5)).map { $0 % 3 == 0 } ?? false }
            #expect(names == expected)
            var run = SearchRun(try SearchQuery(query), in: town.businesses.indexes.search, names: [])
            let ranked = run.rankedBusinesses()
            #expect(ranked.compactMap { town.businesses[$0.id]?.name } == expected && ranked.count == total)
            #expect(ranked.map(\.rank) == ranked.map(\.rank).sorted())
        }
    }

    @Test func aPredicateNarrows() throws {
        let town = SearchTown.town((0..<700).map { Row(name: "Shop \($0)", category: 1 + $0 % 2) })
        let found: SearchPage<BusinessRecord> = try town.page(PageRequest(), of: SearchQuery("shop")) { $0.id % 7 == 0 }
        #expect(found.page.total == 100 && found.page.records.allSatisfy { $0.id % 7 == 0 } && !found.isBounded)
        var query = BusinessQuery(search: "SHOP 6", category: Slug("c1"))
        (query.matches, query.order) = (try BusinessSearch(SearchQuery("shop"), in: town).ranked, .relevance)
        #expect(town.page(PageRequest(), of: query).total == 56)
    }

    @Test func anotherNameOfACategoryIsFoundAtOnce() throws {
        var town = SearchTown.town([Row(name: "Anna's")])
        var category = SookeModel.Category()
        (category.id, category.name, category.slug) = (1, "Cantinas", Slug("c1"))
        try town.apply(.put(AnyRecord(category)), at: nil)
        #expect(try town.names("cantina") == ["Anna's"])
        #expect(try town.names("restaurants") == [])
        #expect(try town.names("\"cantinas\"") == ["Anna's"])
    }

    /// Initials, acronyms, joined and parted words, beginnings of two letters.
    @Test(arguments: [
        ("dr cj abel", "DR. C.J. Abel Associates"), ("c.j. abel", "DR. C.J. Abel Associates"),
        ("c j abel", "DR. C.J. Abel Associates"), ("hlf", "H.L.F Images"), ("h.l.f.", "H.L.F Images"),
        ("h l f", "H.L.F Images"), ("a.b. smith", "AB Smith"), ("harbourside", "The Harbour Side"),
        ("harborside", "The Harbour Side"), ("harbour side", "The Harbour Side"),
        ("the harbourside", "The Harbour Side"),
        ("integrated design", "IntegratedDesign Co"), ("integrated design co", "IntegratedDesign Co"),
        ("integrateddesign", "IntegratedDesign Co"), ("sch", "Sooke Community Hall"),
        ("wotl", "Widows of the Lake"), ("wi", "Widows of the Lake"),
        ("wi la", "Widows of the Lake"), ("ha", "Sooke Community Hall"),
    ])
    func forgivesHowWordsAreWritten(query: String, name: String) throws {
        let town = SearchTown.town(
            [
                "DR. C.J. Abel Associates", "H.L.F Images", "AB Smith", "The Harbour Side", "IntegratedDesign Co",
                "Sooke Community Hall", "Widows of the Lake",
            ].map { Row(name: $0) })
        let found: SearchPage<BusinessRecord> = try town.page(PageRequest(), of: SearchQuery(query))
        #expect(found.page.records.first?.name == name, "\(found.page.records.map(\.name))")
        #expect(found.matches.first?.isEmpty == false)
    }
}
