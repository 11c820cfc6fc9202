import SookeModel
import Testing

@testable import Exchange

/// Recognizing a table by its first row, and the problems of rows.
@Suite struct CSVFileReaderTests {
    static let tables: [(header: String, kind: RecordKind)] = [
        ("name,address", .business), ("slug,phone", .business), ("slug,monday", .business), ("name,starts_at", .event),
        ("slug,status", .event), ("starts_at,ends_at,name,slug,latitude,longitude", .event),
        ("\u{FEFF}name,address", .business), ("Name, ADDRESS ", .business), ("\"name\",\"address\"", .business),
        ("name;address", .business), ("name\taddress", .business), ("\n\nname,address", .business),
        ("Business Name,Street Address,Tel.", .business), ("Event,Date,Time,Venue", .event),
        ("name,location,url", .business), ("name,website", .business),
        ("Our shops 2026,,\n,,\nname,address,phone", .business),
        ("name|address", .business),
    ]

    @Test(arguments: tables)
    func theColumnsDetermineTheTable(header: String, kind: RecordKind) throws {
        let separator = header.first { ",;\t|".contains($0) } ?? ","
        let names = header.split(separator: "\n").last ?? ""
        let cells = names.split(separator: separator).map { _ in "x" }.joined(separator: String(separator))
        let rows = ImportFile("x.csv", header + "\n" + cells).readRows().rows
        #expect(rows.compactMap { $0.patch?.kind } == [kind])
    }

    static let messages: [(text: String, problems: [String])] = [
        ("", ["x.csv:1: is empty; the first row of a table names its columns"]),
        ("\n\n", ["x.csv:1: is empty; the first row of a table names its columns"]),
        ("one,two\n1,2", ["x.csv:1: must name the columns, such as name, category, address"]),
        (
            "slug,description\na,b",
            [
                "x.csv:1: could name businesses and events; add a column that tells them apart: address, or starts_at. "
                    + "Businesses have columns such as name, category, address, coordinates; "
                    + "events such as name, event_type, date, time, venue"
            ]
        ),
        ("name,address,name\na,b,c", ["x.csv:1: name: names column 1 and column 3"]),
        (
            "address,phone\na,b",
            [
                "x.csv:1: name: the column is missing; rename the one with the names to name "
                    + "(there is \"address\", \"phone\"), or add a slug"
            ]
        ),
        ("name,\"address\n", ["x.csv:1: column 2: has no closing quote"]),
        (
            "slug,phone\npub,1,2",
            [
                "x.csv:2: has 3 cells, but the table has 2 columns; "
                    + "put a cell with a comma or a semicolon in it into quotes"
            ]
        ),
        ("slug,phone\npub,\"1\n2", ["x.csv:2: phone: has no closing quote"]),
    ]

    @Test(arguments: messages)
    func saysWhatIsWrongWithTheTable(text: String, problems: [String]) throws {
        #expect(try TestTown.small().problems(with: text, as: "x.csv") == problems)
    }

    @Test(arguments: ["slug,phone\npub,1\n,\n\n,\n", "slug,phone,,\npub,1,,\n", "slug,phone\r\npub,1\r\n\r\n"])
    func passesOverWhatSpreadsheetsLeaveEmpty(text: String) throws {
        var town = try TestTown.small()
        #expect(try town.take(text, as: "x.csv")[.business].updated == 1)
        #expect(try town.business("pub").phone == "1")
    }

    @Test func tooManyColumnsAreNotListed() throws {
        let header = "name,address" + String(repeating: ",x", count: 200)
        #expect(
            try TestTown.small().problems(with: header, as: "x.csv") == [
                "x.csv:1: has 202 columns, at most 100 are read"
            ])
    }
}
