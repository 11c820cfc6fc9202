import SookeModel
import Store
import Testing

@testable import Exchange

/// Importing a table of businesses.
@Suite struct BusinessCSVTests {
    @Test func aRowMakesABusiness() throws {
        var town = try TestTown.small()
        try town.take(
            """
            name,slug,category,description,address,latitude,longitude,phone,email,website,owner,id,monday
            Zed's,,bars,"Pints, ""pies""
             & more",12 Otter Rd,48.3741,-123.7262,1,eat@zeds.example,https://zeds.example,sam@sooke.example,7,9:00-17:00
            """, as: "x.csv")
        var zeds = Business()
        (zeds.id, zeds.ownerID, zeds.category) = (7, 2, Slug("bars"))
        (zeds.name, zeds.slug, zeds.description) = ("Zed's", Slug("zeds"), "Pints, \"pies\"\n & more")
        (zeds.address, zeds.latitude, zeds.longitude) = ("12 Otter Rd", 48.3741, -123.7262)
        (zeds.phone, zeds.email, zeds.website) = ("1", "eat@zeds.example", "https://zeds.example")
        zeds.hours = [try #require(DayHours(cell: "09:00-17:00", on: 1))]
        zeds.hours[0].id = 2
        #expect(try town.business("zeds") == zeds)
    }

    @Test(
        arguments: [
            ("Mo-Fr 09:00-17:00; PH off", "Mo-Fr 09:00-17:00; PH off"),
            ("Mon-Fri 9-5, Sat 10-4", "Mo-Fr 09:00-17:00; Sa 10:00-16:00"), ("daily 10am-6pm", "Mo-Su 10:00-18:00"),
        ])
    func openingHoursAreReadAsPeopleWriteThem(cell: String, text: String) throws {
        var town = try TestTown.small()
        try town.take("slug,opening_hours\npub,\"\(cell)\"", as: "x.csv")
        #expect(try town.business("pub").openingHours == text)
        #expect(try town.business("pub").hours.contains { $0.dayOfWeek == 1 })
    }

    /// What a cell of hours says of holidays, and a column of its own.
    @Test(arguments: [
        ("opening_hours", "Mon-Fri 9-5, open on holidays", "as_usual"),
        ("opening_hours", "Mo-Fr 09:00-17:00; PH open", "as_usual"),
        ("opening_hours", "Mon-Fri 9-5, closed holidays", "closed"), ("opening_hours", "Mon-Fri 9-5", nil),
        ("opening_hours", "Mon-Fri 9-5, holidays 10-2", nil), ("Public Holidays", "As usual", "as_usual"),
        ("public_holidays", "ask", "ask"),
        ("opening_hours,public_holidays", "Mon-Fri 9-5, open holidays\",\"closed", "closed"),
    ])
    func holidays(columns: String, cells: String, answer: String?) throws {
        var town = try TestTown.small()
        try town.take("slug,\(columns)\npub,\"\(cells)\"", as: "x.csv")
        #expect(try town.business("pub").publicHolidays?.rawValue == answer)
    }

    @Test func aTimeZoneMustExist() throws {
        let file = ImportFile(name: "x.csv", bytes: Array("slug,address,time_zone\npub,1 A,Mars/Olympus".utf8))
        var transaction = WriteTransaction(try TestTown.small().town)
        let problems = try #require(throws: ImportProblems.self) {
            let options = ImportOptions { $0 == "Europe/Berlin" ? TimeZone(name: $0, fixedOffset: 3600) : nil }
            _ = try Import(files: [file], options: options).apply(to: &transaction)
        }
        #expect("\(problems)".contains("x.csv:2: time_zone: is not a known time zone"))
    }

    @Test func aColumnThatIsNotThereLeavesItsFieldAlone() throws {
        var town = try TestTown.small()
        let before = try town.business("pub")
        try town.take("slug,phone\npub,250-555-0199", as: "x.csv")
        var expected = before
        expected.phone = "250-555-0199"
        #expect(try town.business("pub") == expected)
        #expect(expected.menus.count == 1)
    }

    @Test func anEmptyCellClearsWhatMayBeAbsent() throws {
        var town = try TestTown.small()
        try town.take("slug,category,description,phone,email,website,owner\npub,,,,,,", as: "x.csv")
        let pub = try town.business("pub")
        #expect([pub.description, pub.phone, pub.email, pub.website] == [nil, nil, nil, nil])
        #expect(pub.category == nil)
        #expect(pub.ownerID == nil)
    }

    @Test func quotesWithNothingInThemAreTheEmptyText() throws {
        var town = try TestTown.small()
        try town.take(#"slug,description,category,owner"# + "\n" + #"pub,"","","""#, as: "x.csv")
        let pub = try town.business("pub")
        #expect(pub.description == "")
        #expect(pub.category == nil)
        #expect(pub.ownerID == nil)
    }

    @Test func theHoursOfADayWithoutAColumnStay() throws {
        var town = try TestTown.small()
        try town.take("slug,monday,tuesday,wednesday\npub,09:00-17:00,closed,", as: "x.csv")
        #expect(
            try town.business("pub").hours.map { "\($0.dayOfWeek) \($0.cell)" } == [
                "1 09:00-17:00", "2 closed", "5 11:30-01:30",
            ])
        try town.take("slug,monday\npub,", as: "x.csv")
        #expect(try town.business("pub").hours.map { "\($0.dayOfWeek) \($0.cell)" } == ["2 closed", "5 11:30-01:30"])
    }

    @Test(arguments: ["bars", "Bars"])
    func aCategoryIsNamedBySlugOrName(cell: String) throws {
        var town = try TestTown.small()
        try town.take("name,address,latitude,longitude,category\nX,1 A,48,-123,\(cell)", as: "x.csv")
        #expect(try town.business("x").category == Slug("bars"))
    }

    @Test(arguments: [("sam@sooke.example", 2), ("SAM@sooke.example", 2), (" 1 ", 1), ("", nil)] as [(String, Int?)])
    func anOwnerIsGivenByAddressOrID(cell: String, id: Int?) throws {
        var town = try TestTown.small()
        try town.take("slug,owner\npub,\(cell)", as: "x.csv")
        #expect(try town.business("pub").ownerID == id)
    }

    static let refused: [(header: String, row: String, problems: [String])] = [
        ("slug,phone,latitude", "pub,1,nan", ["latitude: must be a number like 48.374, not \"nan\""]),
        ("slug,phone,latitude", "pub,1,0x30", ["latitude: must be a number like 48.374, not \"0x30\""]),
        ("slug,phone,latitude", "pub,1,1e999", ["latitude: must be a number like 48.374, not \"1e999\""]),
        ("slug,phone,latitude", "pub,1,91", ["latitude: must lie between -90 and 90 degrees"]),
        (
            "slug,opening_hours", "pub,Seasonal",
            [
                "opening_hours: must be hours like Mon-Fri 9-5, Sat 10-4, not \"Seasonal\" "
                    + "(leave this empty and say “by appointment” in the description)"
            ]
        ),
        ("slug,phone,latitude", "pub,1,", ["latitude: is missing; a place needs both numbers"]),
        ("slug,phone,name", "pub,1,", ["name: must not be empty"]),
        ("slug,phone,id", "pub,1,7.5", ["id: must be a whole number, not \"7.5\""]),
        ("slug,phone,id", "pub,1,9", ["id: is 9, but this business has the ID 1 here"]),
        (
            "name,slug,address,latitude,longitude,id", "New,new,1 A,48,-123,1",
            ["id: 1 belongs to another business; leave it out to get a new one"]
        ),
        (
            "slug,monday", "pub,7-11",
            [
                "monday: must be hours like 09:00-17:00, 9am-5pm or closed, not \"7-11\" "
                    + "(character 1: \"am\" or \"pm\" at times that can be both, is expected)"
            ]
        ),
        (
            "slug,category", "pub,Nope",
            [
                "category: there is no category \"Nope\"; there is \"Bars\", \"Cafés & Bakeries\", "
                    + "or create it with --create-categories"
            ]
        ),
        (
            "slug,category", "pub,Barz",
            [
                "category: there is no category \"Barz\"; did you mean \"Bars\"? "
                    + "Or create it with --create-categories"
            ]
        ),
        ("slug,owner", "pub,9", ["owner: there is no user 9"]),
        ("slug,email", "pub,who", ["email: must be an e-mail address like name@example.org"]),
        ("slug,website", "pub,zeds", ["website: must be a web address like https://example.org"]),
        (
            "slug,latitude,monday,email", "pub,x,y,z",
            [
                "latitude: must be a number like 48.374, not \"x\"",
                "monday: must be hours like 09:00-17:00, 9am-5pm or closed, not \"y\" "
                    + "(character 1: a day, a time or \"closed\" is expected)",
                "email: must be an e-mail address like name@example.org",
            ]
        ),
    ]

    @Test(arguments: refused)
    func saysWhatIsWrongWithACell(header: String, row: String, problems: [String]) throws {
        let found = try TestTown.small().problems(with: "\(header)\n\(row)", as: "x.csv")
        #expect(found == problems.map { "x.csv:2: \($0)" })
    }
}
