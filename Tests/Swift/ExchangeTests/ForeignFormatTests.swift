import Testing

@testable import Exchange

/// Files that are no tables.
@Suite struct ForeignFormatTests {
    private static let advice = "save it there as \"CSV UTF-8\" (File, Save as or Download), and import that file"

    private static let saving = "save it there as .xlsx or CSV, and import that"

    private static let mapAdvice =
        "Google My Maps exports the list of places as CSV (the menu of a layer, Export data), and other programs convert it"
        + " to GeoJSON; import that file"
    private static let openStreetMap =
        "is data of OpenStreetMap in its own format; export it as GeoJSON (overpass turbo: Export, GeoJSON), and import"
        + " that file"

    static let files: [(bytes: [UInt8], message: String?)] = [
        (Array("PK\u{3}\u{4}....[Content_Types].xml".utf8), nil),
        (Array("PK\u{3}\u{4}....xl/workbook.xml".utf8), nil),
        (
            Array("PK\u{3}\u{4}docProps/app.xml".utf8) + [UInt8](repeating: 7, count: 300_000)
                + Array("PK\u{1}\u{2}xl/workbook.xml".utf8), nil
        ),
        (
            Array("PK\u{3}\u{4}mimetypeapplication/vnd.oasis.opendocument.spreadsheet".utf8),
            "is a spreadsheet of LibreOffice (.ods); \(saving)"
        ),
        (Array("PK\u{3}\u{4}Index/Document.iwa".utf8), "is a spreadsheet of Numbers; \(advice)"),
        (Array("PK\u{3}\u{4}a.csv".utf8), "is a ZIP archive; unpack it, and import the files in it"),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "is an old Excel workbook (.xls); \(saving)"),
        (
            [0xD0, 0xCF, 0x11, 0xE0] + "EncryptedPackage".utf8.flatMap { [$0, 0] },
            "is a workbook with a password; save it without one, and import that"
        ),
        (Array("%PDF-1.7".utf8), "is a PDF, which has no rows; export the table from the program that made it, as CSV"),
        ([0x1F, 0x8B, 8], "is compressed with gzip; run gunzip on it first"),
        (Array("\n<!DOCTYPE html><table>".utf8), "is a web page, not a table; download the table itself, as CSV"),
        (Array("PK\u{3}\u{4}....doc.kml".utf8), "is a map (.kmz); \(mapAdvice)"),
        (
            Array("\u{FEFF}<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">".utf8),
            "is a map (.kml); \(mapAdvice)"
        ),
        (
            Array("<?xml version=\"1.0\"?><gpx version=\"1.1\">".utf8),
            "is a list of places of a GPS device (.gpx); convert it to GeoJSON or CSV"
        ),
        (Array("<?xml version=\"1.0\"?><osm version=\"0.6\">".utf8), openStreetMap),
        (Array("<?xml version=\"1.0\"?><shops>".utf8), "is XML, not a table; export its records as CSV"),
        (Array("{\n  \"version\": 0.6,\n  \"osm3s\": {},\n  \"elements\": [".utf8), openStreetMap),
        (Array("{\"version\":1,\"businesses\":[]}".utf8), nil), (Array("<3 shops,address".utf8), nil),
        (Array("{\"name\":\"\\\"elements\\\"\"}".utf8), nil),
        (Array("name,address".utf8), nil), ([], nil), (Array("PK".utf8), nil),
    ]

    @Test(arguments: files)
    func isNamed(bytes: [UInt8], message: String?) {
        #expect(ForeignFormat.message(for: bytes) == message)
    }

    @Test(
        arguments: [
            (.icalendar, "a calendar; download the calendar itself, as .ics"),
            (.vcard, "cards of an address book; export the cards themselves, as .vcf"),
            (.geojson, "a map; download the places themselves, as GeoJSON"), (.json, "JSON; download the data itself"),
        ] as [(ImportFormat, String)])
    func aWebPageIsNot(format: ImportFormat, what: String) {
        #expect(ForeignFormat.message(for: Array("<html>".utf8), as: format) == "is a web page, not \(what)")
    }

    @Test(arguments: [true, false])
    func unicodeTextOfExcelIsRead(isLittle: Bool) throws {
        let units = Array("\u{FEFF}slug\tphone\r\npub\t1 ☎\r\n".utf16)
        let bytes = units.flatMap { unit in
            let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittle ? pair : pair.reversed()
        }
        var town = try TestTown.small()
        try town.take([ImportFile(name: "x.txt", bytes: bytes)])
        #expect(try town.business("pub").phone == "1 ☎")
    }
}
