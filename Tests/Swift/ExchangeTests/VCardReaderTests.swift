import SookeModel
import Testing

@testable import Exchange

@Suite struct VCardReaderTests {
    /// The cells of the only card with some lines, as `column: text`.
    private func cells(_ lines: String...) -> [String] { cells(lines) }

    private func cells(_ lines: [String]) -> [String] {
        let records = Self.records(["BEGIN:VCARD"] + lines + ["END:VCARD"])
        #expect(records.count == 1)
        #expect(records.first?.problem == nil)
        return records.first?.cells.map { "\($0.column): \($0.text)" } ?? []
    }

    private static func records(_ lines: [String]) -> [ImportRow] {
        VCardReader.records(of: Array(lines.joined(separator: "\r\n").utf8))
    }

    @Test func aCardOfEachVersion() {
        let four = [
            "VERSION:4.0", "KIND:org", "FN:Harbour Books",
            "ADR;TYPE=work;LABEL=\"x\":;;6701 West Coast Rd;Sooke;BC;V9Z;Canada",
            "GEO:geo:48.374,-123.726", "TEL;VALUE=uri;TYPE=\"voice,work\":tel:+1-250-555-0101;ext=7",
            "EMAIL:books@example.org",
            "URL:https://books.example", "NOTE:Old\\, new\\nand rare", "CATEGORIES:Shops,Books", "TZ:America/Vancouver",
            "UID:urn:uuid:1", "REV:20260101T000000Z",
        ]
        #expect(
            cells(four) == [
                "name: Harbour Books", "address: 6701 West Coast Rd, Sooke, BC V9Z", "coordinates: geo:48.374,-123.726",
                "phone: +1-250-555-0101 ext. 7", "email: books@example.org", "website: https://books.example",
                "description: Old, new\nand rare", "category: Shops", "time_zone: America/Vancouver",
            ])
        let three = [
            "VERSION:3.0", "N:;;;;", "FN:Pub", "item1.ADR;type=WORK;type=pref:;Unit 5;1 Wharf St\\, Rear;;;;",
            "item1.X-ABLabel:_$!<Work>!$_",
            "GEO:48.374\\;-123.726", "TEL;type=CELL;type=VOICE:250-555-0101", "item2.URL:http\\://pub.example",
            "PHOTO;ENCODING=b;TYPE=JPEG:AAAA", " BBBB",
        ]
        #expect(
            cells(three) == [
                "name: Pub", "address: 1 Wharf St, Rear, Unit 5", "coordinates: 48.374;-123.726", "phone: 250-555-0101",
                "website: http://pub.example",
            ])
        let two = [
            "VERSION:2.1", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;Caf=C3=A9 Zo=", "=C3=AB",
            "TEL;WORK;VOICE:250-555-0101",
            "LABEL;WORK;ENCODING=QUOTED-PRINTABLE:1 Wharf St=0D=0ASooke", "PHOTO;JPEG;BASE64:", "AAAA", "BBBB", "",
        ]
        #expect(cells(two) == ["name: Café Zoë", "address: 1 Wharf St, Sooke", "phone: 250-555-0101"])
    }

    @Test(
        arguments: [
            (["FN:A", "ORG:B"], "A"), (["ORG:Books Ltd;Shop;Till", "N:Smith;Ada;;;"], "Books Ltd"),
            (["FN: ", "ORG:B"], "B"),
            (["N:Smith;Ada;B.;Dr.;PhD"], "Dr. Ada B. Smith PhD"), (["N:Pub"], "Pub"), (["FN:A", "FN;PREF=1:B"], "B"),
            (["TEL:1"], nil),
            // The name of a person is not that of the business where they work.
            (["FN:Jo Lee", "N:Lee;Jo;;;", "ORG:Lee Bakery"], "Lee Bakery"),
            (["FN:Dr. Jo Lee", "N:Lee;Jo;;Dr.;", "ORG:Lee Bakery;Shop"], "Lee Bakery"),
            (["FN:Lee\\, Jo", "N:LEE;Jo", "ORG:Lee Bakery"], "Lee Bakery"),
            (["FN:Jo Lee", "N:Lee;Jo;;;"], "Jo Lee"), (["FN:Jo Lee", "N:Lee;Jo;;;", "ORG:;Shop"], "Jo Lee"),
            (["FN:Jo Lee", "N:Lee;Jo;;;", "KIND:Org", "ORG:Lee Bakery"], "Jo Lee"),
            (["FN:Lee's", "N:Lee;Jo;;;", "ORG:Lee Bakery"], "Lee's"), (["FN:Pub", "N:;Pub;;;", "ORG:A"], "Pub"),
            (["FN:\u{200E}\u{FEFF}Pub\u{200B} "], "Pub"), (["FN:\u{200B}", "ORG:B"], "B"),
        ] as [([String], String?)])
    func names(lines: [String], name: String?) {
        #expect(cells(lines).first { $0.hasPrefix("name: ") } == name.map { "name: \($0)" })
    }

    @Test(arguments: [
        ("ADR:;;1 Wharf St;Sooke;BC;;", "1 Wharf St, Sooke, BC"), ("ADR:;;1 Wharf St", "1 Wharf St"),
        ("ADR:Box 5;;;Sooke;;;", "Box 5, Sooke"), ("ADR:;;1 Wharf St;;;V9Z 0A1;Canada", "1 Wharf St, V9Z 0A1"),
        ("ADR:Box 5;Unit 4;1 Wharf St;Sooke;BC;V9Z 0A1;Canada", "1 Wharf St, Unit 4, Box 5, Sooke, BC V9Z 0A1"),
        ("ADR:;;1 Wharf St\\nRear;Sooke", "1 Wharf St, Rear, Sooke"), ("ADR:;;;Sooke;;;", nil),
        ("ADR;LABEL=\"1 Wharf St^nSooke\":;;;;;;", "1 Wharf St, Sooke"),
        ("LABEL:1 Wharf St\\nSooke", "1 Wharf St, Sooke"),
        ("ADR;TYPE=home:;;2 Home St\r\nADR;TYPE=work:;;1 Wharf St", "1 Wharf St"),
        ("ADR;TYPE=work:;;1 Wharf St\r\nADR;TYPE=home,pref:;;2 Home St", "2 Home St"),
    ])
    func addresses(line: String, address: String?) {
        #expect(cells("FN:A", line).first { $0.hasPrefix("address: ") } == address.map { "address: \($0)" })
    }

    @Test(arguments: [
        ("GEO:48.374;-123.726"), ("GEO:geo:48.374,-123.726"), ("GEO:48.374,-123.726"),
        ("GEO;VALUE=uri:geo:48.374\\,-123.726;u=9"), ("ADR;GEO=\"geo:48.374,-123.726\":;;1 Wharf St"),
    ])
    func coordinates(line: String) throws {
        let text = try #require(cells("FN:A", line).first { $0.hasPrefix("coordinates: ") }).dropFirst(13)
        let place = try PlaceText.coordinates(String(text))
        #expect(place.latitude == 48.374 && place.longitude == -123.726)
    }

    @Test(
        arguments: [
            (["TEL:1", "TEL;TYPE=work:2"], "2"), (["TEL;TYPE=work:1", "TEL;TYPE=pref:2"], "2"),
            (["TEL;TYPE=fax:1", "TEL:2"], "2"),
            (["TEL;WORK;FAX:1"], nil), (["TEL;FAX;VOICE:1"], "1"), (["TEL;VALUE=uri:tel:+1-250"], "+1-250"),
        ] as [([String], String?)])
    func phones(lines: [String], phone: String?) {
        #expect(cells(lines).first == phone.map { "phone: \($0)" })
    }

    @Test(
        arguments: [
            (["TZ:-08:00"], ["TZ"]), (["TZ:America/Vancouver"], []), (["TEL:1", "TEL:2", "TEL:3"], ["TEL (2 more)"]),
            (["FN:A", "ORG:A"], []), (["FN:A", "ORG:B;C"], []), (["X-HOURS:9-5", "x-hours:1"], ["X-HOURS"]),
            (["NOTE:a", "NOTE:b"], []),
            (
                ["BDAY:19700101", "VERSION:3.0", "PRODID:x", "UID:1", "REV:x", "KIND:org", "PHOTO:http://a.example"],
                ["BDAY"]
            ),
            (["TEL;FAX:1"], ["TEL"]), (["FN:Jo Lee", "N:Lee;Jo;;;", "ORG:Lee Bakery"], ["FN"]),
        ] as [([String], [String])])
    func ignoredProperties(lines: [String], ignored: [String]) {
        #expect(Self.records(["BEGIN:VCARD"] + lines + ["END:VCARD"]).map(\.ignored) == [ignored])
    }

    @Test func manyCards() {
        let records = Self.records(
            [
                "BEGIN:VCARD", "FN:A", "END:VCARD", "", "begin:vcard", "FN:B", "AGENT:", "BEGIN:VCARD", "FN:C",
                "END:VCARD", "TEL:1", "end:vcard",
            ])
        #expect(records.map(\.line) == [1, 5])
        #expect(records.map { $0["name"] } == ["A", "B"])
        #expect(records.map { $0["phone"] } == [nil, "1"])
    }

    @Test(
        arguments: [
            (["BEGIN:VCARD", "FN:A"], 1, "the card that begins here has no END:VCARD"),
            (
                ["BEGIN:VCARD", "FN:A", "BEGIN:VCARD", "FN:B", "END:VCARD"], 1,
                "the card that begins here has no END:VCARD"
            ),
            (["BEGIN:VCARD", "AGENT:", "BEGIN:VCARD", "END:VCARD"], 1, "the card that begins here has no END:VCARD"),
            (
                ["BEGIN:VCARD", "FN:A", "Sooke", "and more", "END:VCARD"], 3,
                "is \"Sooke\", not a valid vCard line such as FN:Harbour Books"
            ),
            (
                ["Hello", "there", "BEGIN:VCARD", "END:VCARD"], 1,
                "\"Hello\" is not in a card; a card is between BEGIN:VCARD and END:VCARD"
            ),
            (["BEGIN:VCARD", "END:VCARD", "FN:A"], 3, "\"FN\" is not in a card"),
            (["END:VCARD"], 1, "\"END\" is not in a card"),
            (["BEGIN:VCALENDAR", "END:VCALENDAR"], 1, "\"BEGIN\" is not in a card"),
        ] as [([String], Int, String)])
    func problems(lines: [String], line: Int, message: String) {
        let refused = Self.records(lines).filter { $0.problem != nil }
        #expect(refused.map(\.line) == [line])
        #expect(refused.first?.problem?.message.hasPrefix(message) == true, "\(refused)")
    }

    @Test func noCards() {
        #expect(Self.records([]).isEmpty)
        #expect(Self.records(["", " ", ""]).isEmpty)
    }
}
