import SookeModel
import Store
import Testing

@testable import Exchange

/// What is probably wrong in imported businesses.
@Suite struct ImportReviewTests {
    /// A town with places around 48.37, -123.73.
    private static func town() throws -> TestTown {
        var town = try TestTown.small()
        let rows = (1...5).map { "Shop \($0),bars,\($0) A St,48.3\($0),-123.7\($0)" }
        try town.take("name,category,address,latitude,longitude\n" + rows.joined(separator: "\n"), as: "x.csv")
        return town
    }

    /// A mobile trade has no location, and needs none.
    @Test func anAreaStandsForAnAddress() throws {
        var town = try TestTown.small()
        var options = ImportOptions()
        options.center = Coordinates(latitude: 48.37, longitude: -123.72)
        let text = "name,category,address,Service Area\nMo's Mowing,bars,,in Sooke and around\nNowhere,bars,,\n"
        let report = try town.take(text, as: "x.csv", options)
        #expect(report.warnings.lines.map { $0.contains("x.csv:3: coordinates: are missing") } == [true])
        #expect(try town.business("mos-mowing").area == "in Sooke and around")
    }

    static let rows: [(row: String, warnings: [String])] = [
        ("New,bars,1 A,48.37,-123.73", []),
        ("New,bars,1 A,0,0", ["coordinates: are 0, 0, a place in the ocean; is that meant to be empty?"]),
        (
            "New,bars,1 A,48.37,123.73",
            [
                "coordinates: 48.37, 123.73 are far from the rest of the town; is a minus sign missing: 48.37, -123.73?"
            ]
        ),
        (
            "New,bars,1 A,-48.37,-123.73",
            [
                "coordinates: -48.37, -123.73 are far from the rest of the town; is a minus sign missing: 48.37, -123.73?"
            ]
        ),
        ("New,bars,1 A,43.65,-79.38", ["coordinates: 43.65, -79.38 are 3416 km from the rest of the town"]),
        ("New,,1 A,48.37,-123.73", ["category: is missing: lists do not show the business"]),
        (
            "The Pub Ltd.,bars,1 A,48.3701,-123.7301",
            [
                "name: \"The Pub Ltd.\" is probably \"Pub\", which is there already; "
                    + "to change that one, give its slug: pub"
            ]
        ),
        ("The Pub,bars,1 A,48.5,-123.5", []),
    ]

    @Test(arguments: rows)
    func warnsOfWhatIsProbablyWrong(row: String, warnings: [String]) throws {
        var town = try Self.town()
        let report = try town.take("name,category,address,latitude,longitude\n" + row, as: "x.csv")
        #expect(report.warnings.lines == warnings.map { "warning: x.csv:2: \($0)" })
    }

    /// The record is imported, and keeps the person that it has.
    @Test(arguments: [
        ("slug,owner,phone\npub,who@x.example,250-555-0199", "owner"),
        ("slug,submitted_by,description\nconcert,who@x.example,Loud", "submitted_by"),
    ])
    func aPersonWhoIsUnknownIsLeftOut(text: String, column: String) throws {
        var town = try TestTown.small()
        let report = try town.take(text, as: "x.csv")
        #expect(
            report.warnings.lines == [
                "warning: x.csv:2: \(column): there is no user with the e-mail address \"who@x.example\", so it was left out; "
                    + "add the account, and import again"
            ])
        #expect(try town.business("pub").ownerID == 2)
        #expect(town.town.events[Slug("concert")]?.value.submittedBy == 2)
        let changed = try town.business("pub").phone == "250-555-0199"
        #expect(changed != (town.town.events[Slug("concert")]?.value.description == "Loud"))
    }

    @Test func ofTwoNewOnesTheLaterIsTheDuplicate() throws {
        var town = try Self.town()
        let report = try town.take(
            "name,category,address,coordinates\nCafé Zoë,bars,1 A,\"48.37,-123.73\"\nCafe Zoe,bars,1 A,\"48.37,-123.73\"",
            as: "x.csv")
        #expect(report.warnings.all.map(\.rows) == [[3]])
        #expect(report.warnings.all.first?.field == "name")
    }

    /// Of names without words only the same signs are the same name.
    @Test func signsAreNamesOfTheirOwn() throws {
        var town = try Self.town()
        let rows = ["☕,bars,1 A", "🦀🦀,bars,2 A", "& Co.,bars,3 A"].map { $0 + ",\"48.37,-123.73\"" }
        let text = "name,category,address,coordinates\n" + rows.joined(separator: "\n")
        #expect(try town.take(text, as: "x.csv").warnings.isEmpty)
        let same = "name,slug,category,address,coordinates\n☕,tea,bars,1 A,\"48.37,-123.73\""
        #expect(try town.take(same, as: "x.csv").warnings.all.map(\.field) == ["name"])
    }

    @Test func whatIsThereAlreadyIsNoDuplicate() throws {
        var town = try Self.town()
        let text = "name,category,address,latitude,longitude\nShop 1,bars,1 A St,48.31,-123.71"
        #expect(try town.take(text, as: "x.csv").warnings.isEmpty)
    }
}
