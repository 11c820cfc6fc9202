import Testing

@testable import Exchange

@Suite struct GeoJSONReaderTests {
    private static func records(_ text: String) -> [ImportRow] { GeoJSONReader.records(of: Array(text.utf8)) }

    private static func feature(
        _ properties: String, geometry: String = #"{"type":"Point","coordinates":[-123.726,48.374]}"#
    ) -> String {
        #"{"type":"Feature","geometry":\#(geometry),"properties":\#(properties)}"#
    }

    /// A feature that has a slug beside some properties, and so is a business.
    private static func business(
        _ properties: String, geometry: String = #"{"type":"Point","coordinates":[-123.726,48.374]}"#
    ) -> String {
        feature(#"{"slug":"x"\#(properties == "{}" ? "" : ",")\#(properties.dropFirst())"#, geometry: geometry)
    }

    /// The cells without that slug.
    private static func text(_ record: ImportRow) -> [String] {
        record.cells.map { "\($0.column): \($0.text)" }.filter { $0 != "slug: x" }
    }

    private let place = ["latitude: 48.374", "longitude: -123.726"]

    @Test(
        arguments: [
            (
                #"{"name":"Pub","phone":2505550101,"seats":1.50,"open":true,"email":null}"#,
                ["name: Pub", "phone: 2505550101", "seats: 1.50", "open: true", "email: "]
            ),
            (#"{}"#, []),
            // Tags of OpenStreetMap.
            (
                #"{"@id":"node/1","name":"Pub","amenity":"fast_food","addr:housenumber":"6742","addr:street":"West Coast Rd","#
                    + #""addr:unit":"5","addr:city":"Sooke","contact:phone":"1","contact:website":"https://a.example","#
                    + #""contact:email":"a@b.example","opening_hours":"Mo-Fr 09:00-17:00"}"#,
                [
                    "phone: 1", "email: a@b.example", "website: https://a.example", "category: fast food",
                    "address: 6742 West Coast Rd, Unit 5, Sooke", "name: Pub", "opening_hours: Mo-Fr 09:00-17:00",
                ]
            ),
            (#"{"shop":"yes"}"#, ["category: shop"]), (#"{"shop":"books","category":"Shops"}"#, ["category: Shops"]),
            (#"{"addr:full":"1 Wharf St"}"#, ["address: 1 Wharf St"]),
            (#"{"addr:street":"Wharf St"}"#, ["address: Wharf St"]),
            (#"{"addr:city":"Sooke","addr:postcode":"V9Z"}"#, ["address: Sooke"]),
            (#"{"addr:full":"1 Wharf St","addr:city":"Sooke"}"#, ["address: 1 Wharf St"]),
            (#"{"addr:hamlet":"Otter Point","addr:street":""}"#, ["address: Otter Point"]),
            (#"{"name":"\u200e Pub\u00a0"}"#, ["name: Pub"]),
            (
                #"{"addr:place":"Whiffin Spit","addr:housenumber":"1","addr:unit":"Rear"}"#,
                ["address: 1 Whiffin Spit, Rear"]
            ),
            (#"{"address":"A","addr:street":"B"}"#, ["address: A"]),
            (#"{"phone":"1","contact:phone":"2"}"#, ["phone: 1"]),
            (
                #"{"type":"node","id":1,"tags":{"name":"Pub","tourism":"hotel"}}"#,
                ["category: hotel", "name: Pub"]
            ),
            // Takeouts.
            (
                #"{"location":{"name":"Kelp Corner","address":"1 Otter Rd"}}"#,
                ["name: Kelp Corner", "address: 1 Otter Rd"]
            ),
            (
                #"{"Title":"Kelp Corner","Location":{"Business Name":"Kelp","Address":"1 Otter Rd","Geo Coordinates":{}}}"#,
                ["Address: 1 Otter Rd", "Title: Kelp Corner", "Business Name: Kelp"]
            ),
            // The place of the feature counts.
            (#"{"latitude":1,"longitude":2}"#, []),
        ] as [(String, [String])])
    func properties(json: String, cells: [String]) {
        let records = Self.records(Self.business(json))
        #expect(records.map(Self.text) == [place + cells])
        #expect(records.first?.problem == nil)
    }

    @Test(arguments: [
        (#"{"menus":[],"special_hours":{},"hours":[],"open_state":{}}"#, ["menus", "special_hours"]),
        (#"{"shop":"books","amenity":"cafe"}"#, ["shop"]), (#"{"phone":"1","contact:phone":"2"}"#, ["contact:phone"]),
        (#"{"wheelchair:description":"ramp","@id":"1"}"#, ["wheelchair:description"]),
        (#"{"tags":{"tags":{}}}"#, ["tags"]), (#"{"owner":{"name":"Ada"}}"#, ["owner"]),
        // What only says where the data comes from.
        (
            #"{"@id":"way/1","type":"way","osm_id":1,"source":"a","check_date":"a","check_date:opening_hours":"a","#
                + #""ref":"1","ref:x":"1","building":"yes","brand:wikidata":"Q1","wikidata":"Q1","note:fr":"A"}"#,
            ["note:fr"]
        ),
    ])
    func ignoredProperties(json: String, ignored: [String]) {
        #expect(Self.records(Self.business(json)).map(\.ignored) == [ignored])
    }

    /// What `/api/v1/businesses/{slug}.geojson` responds.
    @Test func aBusinessOfTheServer() {
        let json =
            #"{"id":1,"name":"Pub","slug":"pub","description":null,"category_name":"Bars","category_slug":"bars","#
            + #""address":"1 Wharf St","phone":"1","email":"a@b.example","website":null,"today_hours":{"day_of_week":2},"#
            + #""open_state":{},"confirmed_at":null,"hours":[],"opening_hours":"Mo 09:00-17:00","special_hours":[],"#
            + #""time_zone":null,"checked":null,"menus":[]}"#
        let record = Self.records(Self.feature(json)).first
        #expect(
            record.map(Self.text) == place + [
                "category: bars", "name: Pub", "slug: pub", "description: ", "address: 1 Wharf St", "phone: 1",
                "email: a@b.example", "website: ", "opening_hours: Mo 09:00-17:00", "time_zone: ",
            ])
        #expect(record?.ignored == ["special_hours", "menus"])
    }

    @Test(arguments: [
        #"{"type":"Point","coordinates":[-123.726,48.374,12]}"#, #"{"coordinates":[-123.726,48.374],"type":"Point"}"#,
        #"{"type":"MultiPoint","coordinates":[[-123.726,48.374]]}"#,
        // The center of the box around the coordinates, of which a ring has the first one twice.
        #"{"type":"Polygon","coordinates":[[[-123.727,48.373],[-123.725,48.373],[-123.726,48.375],[-123.727,48.373]]]}"#,
        #"{"type":"LineString","coordinates":[[-123.727,48.373],[-123.727,48.373],[-123.725,48.375]]}"#,
        #"{"coordinates":[[[[-123.727,48.373]]],[[[-123.725,48.375,7]]]],"type":"MultiPolygon"}"#,
        #"{"type":"MultiLineString","coordinates":[[[-123.727,48.375],[-123.725,48.373]]]}"#,
    ])
    func places(geometry: String) {
        #expect(Self.records(Self.business("{}", geometry: geometry)).map(Self.text) == [place])
    }

    @Test func noPlace() {
        #expect(Self.records(Self.business(#"{"latitude":1}"#, geometry: "null")).map(Self.text) == [["latitude: 1"]])
    }

    @Test(arguments: [
        (
            #"{"type":"GeometryCollection","geometries":[]}"#,
            "is a GeometryCollection, but a business is at one point; replace it by a point in it, such as its center"
        ),
        (#"{"type":"Polygon","coordinates":[[]]}"#, "is a Polygon whose coordinates are not all lists of two numbers"),
        (#"{"type":"Polygon","coordinates":[[1,2],[3,4]]}"#, "is a Polygon whose coordinates are not all"),
        (#"{"type":"LineString","coordinates":[[1,2],[3]]}"#, "is a LineString whose coordinates are not all"),
        (
            #"{"type":"Polygon","coordinates":[[[48.1,-123.5],[48.3,-123.7]]]}"#,
            "has the coordinates [48.2, -123.6]; in GeoJSON the longitude is first, so write [-123.6, 48.2]"
        ),
        (
            #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
            "is a MultiPoint with several points, but a business is at one; make it a Point"
        ),
        ("{}", "has no type, but a business is at one point"),
        (#"{"type":"MultiPoint","coordinates":[]}"#, "is a MultiPoint whose coordinates are not all"),
        (#"{"type":"Point","coordinates":[]}"#, "must have two numbers as coordinates, the longitude first"),
        (#"{"type":"Point","coordinates":["1","2"]}"#, "must have two numbers"),
        (#"{"type":"Point"}"#, "must have two numbers"),
        (
            #"{"type":"Point","coordinates":[48.374,-123.726]}"#,
            "has the coordinates [48.374, -123.726]; in GeoJSON the longitude is first, so write [-123.726, 48.374]"
        ),
        (
            #"{"type":"Point","coordinates":[-13773000,6170000]}"#,
            "has the coordinates [-13773000.0, 6170000.0]; these are not degrees"
        ),
    ])
    func refusedGeometries(geometry: String, message: String) {
        let problem = Self.records(Self.business("{}", geometry: geometry)).first?.problem
        #expect(problem?.field == "geometry")
        #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "")")
    }

    @Test func featuresWithoutANameAreCounted() {
        let bench = Self.feature(#"{"amenity":"bench"}"#, geometry: "{}"), empty = Self.feature(#"{"name":" "}"#)
        let pub = Self.feature(#"{"Title":"Pub"}"#)
        let records = Self.records("{\"type\":\"FeatureCollection\",\"features\":[\(pub),\n\(bench),\(empty)]}")
        #expect(records.map { $0["Title"] } == ["Pub", nil])
        #expect(records.last?.line == 2)
        #expect(
            records.last?.warning
                == "2 features without a name were skipped, the first one here; a business needs the property \"name\"")
        #expect(
            Self.records(bench).map(\.warning) == [
                "1 feature without a name was skipped, the first one here; a business needs the property \"name\""
            ])
        #expect(Self.records("\(pub)\n\(bench)\n\(bench)").map(\.line) == [1, 2])
    }

    /// What an export of Overpass has is named once, not for each feature.
    @Test func anImportNamesIgnoredValuesOnce() throws {
        let shop = { (name: String, tags: String) in
            Self.feature(#"{"name":"\#(name)","shop":"books","addr:city":"Sooke",\#(tags)}"#)
        }
        let file = ImportFile(
            "x.geojson",
            "{\"type\":\"FeatureCollection\",\"features\":[\n"
                + [
                    shop("A", #""wheelchair":"yes""#), shop("B", #""cuisine":"x","wheelchair":"no""#),
                    Self.feature(#"{"amenity":"bench"}"#),
                ].joined(separator: ",\n") + "]}")
        let rows = file.readRows().rows
        #expect(
            rows.flatMap { row in row.warnings.all.map { "\(row.line): \($0.field): \($0.message)" } } == [
                "4: : 1 feature without a name was skipped, the first one here; a business needs the property \"name\"",
                "2: : has values that were ignored, here or in later records: wheelchair, cuisine",
            ])
        #expect(rows.count { $0.patch != nil } == 2)
    }

    @Test func collections() {
        let pub = Self.feature(#"{"name":"Pub"}"#), inn = Self.feature(#"{"name":"Inn"}"#)
        for text in [
            "{\"type\":\"FeatureCollection\",\n\"features\":[\(pub),\n\(inn)]}",
            "{\"features\":[\n\(pub),\(inn)],\"type\":\"FeatureCollection\",\"bbox\":[1,2,3,4]}",
            "\n\(pub)\n\n\(inn)\n", "\n\u{1E}\(pub)\n\u{1E}\(inn)\n",
        ] {
            let records = Self.records(text)
            #expect(records.map { $0["name"] } == ["Pub", "Inn"])
            #expect(records.first?.line == 2)
        }
        #expect(Self.records(#"{"type":"FeatureCollection","features":[]}"#).isEmpty)
    }

    @Test(arguments: [
        ("", 1, "column 1: expected a value"), ("[]", 1, ": is not GeoJSON, which is an object"),
        (#"{"type":"Point","coordinates":[1,2]}"#, 1, "type: has the type \"Point\"; businesses are features"),
        (#"{"name":"Pub"}"#, 1, "type: has no type; businesses are features"),
        ("{\"type\":\"FeatureCollection\",\"features\":[\n7]}", 2, ": is not a feature, which is an object"),
        ("{\"type\":\"FeatureCollection\",\"features\":[\n{}]}", 2, "type: has no type"),
        ("{\"type\":\"FeatureCollection\",\n\"features\":[", 2, "column 13: expected"),
        ("{\"type\":\"FeatureCollection\",\"features\":[]}\n\n{", 3, "column 2: expected a key"),
        (String(repeating: "[", count: 100_000), 1, ": is not GeoJSON"),
        (#"{"properties":\#(String(repeating: "[", count: 100_000))"#, 1, "column 78: more than 64 objects and arrays"),
    ])
    func problems(text: String, line: Int, message: String) throws {
        let record = try #require(Self.records(text).last)
        let problem = try #require(record.problem)
        #expect(record.line == line)
        #expect("\(problem.field): \(problem.message)".hasPrefix(message), "\(problem)")
    }

    @Test func aProblemDoesNotAffectOtherFeatures() {
        let text =
            #"{"type":"FeatureCollection","features":[\#(Self.business("{}", geometry: "{}")),\#(Self.business("{}"))]}"#
        #expect(Self.records(text).map { $0.problem == nil } == [false, true])
    }
}
