import Testing

@testable import Exchange

/// The dialect of CSV: RFC 4180 and the output of spreadsheets.
@Suite struct CSVReaderTests {
    static let tables: [(text: String, rows: [[String]])] = [
        ("", []), ("a", [["a"]]), ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a,b\r1,2", [["a", "b"], ["1", "2"]]),
        ("a,b\n1,2", [["a", "b"], ["1", "2"]]), ("a,,", [["a", "", ""]]), (",", [["", ""]]),
        ("a\n\nb", [["a"], [""], ["b"]]), (#""a","b""#, [["a", "b"]]), (#""a,b",c"#, [["a,b", "c"]]),
        (#""say ""hi""",c"#, [[#"say "hi""#, "c"]]), (#""""""#, [[#"""#]]), ("\"one\ntwo\",b", [["one\ntwo", "b"]]),
        ("\"one\r\ntwo\"\r\nb", [["one\r\ntwo"], ["b"]]), (#""""#, [[""]]),
        (" a , b ", [[" a ", " b "]]), ("a, \"b, c\" ,  \"d\"", [["a", "b, c", "d"]]), ("a,  ", [["a", "  "]]),
        ("é,日本\n🌊,", [["é", "日本"], ["🌊", ""]]),
    ]

    @Test(arguments: tables)
    func readsCells(text: String, rows: [[String]]) {
        let found = Self.rows(of: text)
        #expect(found.map { $0.cells.map(\.text) } == rows)
        #expect(found.allSatisfy { $0.fault == nil })
    }

    @Test func rowsAreCountedAsASpreadsheetCountsThem() {
        let rows = Self.rows(of: "a\n\"1\n2\r\n3\r4\"\n\nb\r\nc\rd")
        #expect(rows.map(\.number) == [1, 2, 3, 4, 5, 6])
    }

    @Test func quotesTellTheEmptyTextFromNothing() {
        #expect(Self.rows(of: #""",x,"#).first?.cells.map(\.isQuoted) == [true, false, false])
    }

    static let faults: [(text: String, row: Int, column: Int, message: String)] = [
        ("a,b\n1,\"2\n3", 2, 1, "has no closing quote"), ("\"", 1, 0, "has no closing quote"),
        ("a\n\"x\"y,z", 2, 0, "has text after the closing quote; a quote inside of quotes is written twice"),
        ("a,5\" pipe", 1, 1, "has a quote inside; put the whole cell in quotes, and write a quote inside of it twice"),
        ("a, x\"b\"", 1, 1, "has a quote inside; put the whole cell in quotes, and write a quote inside of it twice"),
    ]

    @Test(arguments: faults)
    func notesWhatBreaksTheRules(text: String, row: Int, column: Int, message: String) throws {
        let broken = try #require(Self.rows(of: text).first { $0.fault != nil })
        let fault = try #require(broken.fault)
        #expect((broken.number, fault.column) == (row, column))
        #expect(fault.message == message)
    }

    @Test func goesOnAfterABadCell() {
        let rows = Self.rows(of: "\"x\"y,z\nb,c")
        #expect(rows.map { $0.cells.map(\.text) } == [["xy", "z"], ["b", "c"]])
        #expect(rows.map { $0.fault == nil } == [false, true])
    }

    @Test(arguments: [("a;b,c", ";", ["a", "b,c"]), ("a\tb,c", "\t", ["a", "b,c"])])
    func readsOtherSeparators(text: String, separator: Unicode.Scalar, cells: [String]) {
        let rows = Self.rows(of: text, separator: UInt8(ascii: separator))
        #expect(rows.map { $0.cells.map(\.text) } == [cells])
    }

    static func rows(of text: String, separator: UInt8 = UInt8(ascii: ",")) -> [CSVRow] {
        var reader = CSVReader(Array(text.utf8), separator: separator)
        var rows: [CSVRow] = []
        while let row = reader.next() { rows.append(row) }
        return rows
    }
}
