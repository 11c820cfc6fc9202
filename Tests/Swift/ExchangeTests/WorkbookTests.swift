import Bytes
import Platform
import Testing

@testable import Exchange

/// A workbook is read as the CSV that its program would export.
@Suite struct WorkbookTests {
    /// Cells after a first row `name,x`, and what they are in CSV.
    @Test(
        arguments: [
            (#"<c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c>"#, "Net & Loft,one two"),
            (#"<c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r></is></c>"#, "a b"),
            (#"<c t="s"><v>7</v></c><c r="B2" t="str"><v>a,b</v></c>"#, #","a,b""#),
            (#"<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c>"#, "TRUE,FALSE,#N/A"),
            (
                "<c><v>2506425000</v></c><c><v>48.374000000000002</v></c><c><v>2.5E9</v></c>",
                "2506425000,48.374,2500000000"
            ),
            (
                #"<c s="1"><v>46018</v></c><c s="2"><v>0.8125</v></c><c s="3"><v>46018.5</v></c>"#,
                "2025-12-27,19:30,2025-12-27 12:00"
            ),
            (
                #"<c s="4"><v>46018.8125</v></c><c s="5"><v>5</v></c><c s="6"><v>1.0625</v></c>"#,
                "2025-12-27 19:30,5,25:30"
            ),
            (#"<c s="1"><v>-1</v></c><c s="1"><v>1e300</v></c><c s="9999"><v>nan</v></c>"#, "-1,1e300,nan"),
            (#"<c r="C2"><v>1</v></c><c r="B2"><v>2</v></c><c r="ZZZZ2"><v>3</v></c>"#, ",2,3"),
            ("<c t=\"str\"><v>a&#10;b&lt;_x000D_<![CDATA[<]]>&x;</v></c><!-- > -->", "\"a\nb<<&x;\""),
            (#"<c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="1"><t>トウキョウ</t></rPh></is></c>"#, "東京"),
        ])
    func cellsAreAsShown(cells: String, csv: String) throws {
        let table = try Workbook.table(in: Archive.workbook("<row r=\"2\">\(cells)</row>"))
        #expect(String(decoding: table.csv, as: UTF8.self) == "name,x\r\n\(csv)\r\n")
        #expect(table.warning == nil)
    }

    @Test func rowsKeepTheirNumbers() throws {
        let rows = #"<row r="4"><c><v>1</v></c></row><row r="9"><c s="1"/></row><row r="3"><c><v>2</v></c></row>"#
        let table = try Workbook.table(in: Archive.workbook(rows))
        #expect(String(decoding: table.csv, as: UTF8.self) == "name,x\r\n\r\n\r\n1\r\n\r\n\r\n\r\n\r\n\r\n2\r\n")
    }

    @Test func datesMayCountFrom1904() throws {
        let rows = #"<row><c s="1"><v>44556</v></c></row>"#
        let table = try Workbook.table(in: Archive.workbook(rows, properties: #"<workbookPr date1904="1"/>"#))
        #expect(String(decoding: table.csv, as: UTF8.self) == "name,x\r\n2025-12-27\r\n")
    }

    @Test(
        arguments: [
            ("yyyy\\-mm\\-dd", "2025-12-27"), ("[$-409]mmm d", "2025-12-27"), ("mmmm", "2025-12-27"),
            ("h:mm AM/PM;@", "12:00"), ("hh:mm", "12:00"), ("d/m/yy\" at \"hh:mm", "2025-12-27 12:00"),
            ("0.0\" days\"", nil),
            ("[Red]#,##0_d", nil), ("General", nil), ("\"unclosed d", nil), ("\\", nil), ("[", nil),
        ] as [(String, String?)])
    func formatsSayWhatIsADate(code: String, shown: String?) {
        #expect(NumberFormat(code).text(46018.5, has1904: false) == shown)
    }

    @Test(
        arguments: [
            ("\"$\"#,##0.00", "$1,234.50"), ("$0", "$1235"), ("#,##0.00\\ \"€\"", "1,234.50 €"),
            ("[$€-407] #,##0.00;[Red]-#,##0.00", "€ 1,234.50"), ("[$CHF] 0.0", "CHF 1234.5"),
            ("_(\"$\"* #,##0.00_);_(\"$\"* \\(#,##0.00\\)", "$1,234.50"), ("#,##0.00", nil), ("0.0\" days\"", nil),
        ] as [(String, String?)])
    func moneyHasItsSign(code: String, shown: String?) {
        #expect(NumberFormat(code).text(1234.5, has1904: false) == shown)
    }

    @Test(
        arguments: [
            ("\"$\"#,##0.00", "-$12.50"), ("\"$\"0.00;(\"$\"0.00)", "($12.50)"), ("0.00 €;[Red]-0.00 €", "-12.50 €"),
        ])
    func moneyBelowZeroHasItsFormat(code: String, shown: String) {
        #expect(NumberFormat(code).text(-12.5, has1904: false) == shown)
    }

    @Test func aWorkbookIsStoredAsItsTable() throws {
        let sheets = [("Notes", ""), ("Shops", Archive.header + "<row><c><v>1</v></c></row>")]
        let file = ImportFile(name: "a.xlsx", bytes: Archive.workbook(sheets: sheets)).unpacked()
        #expect(file.format == .csv && file.bytes == Array("name,x\r\n1\r\n".utf8) && file.recordCount == 2)
        #expect(try FileBundle.files(in: FileBundle.bytes(of: [file])) == [file] && file.warning != nil)
        let small = ImportFile(name: "a.xlsx", bytes: Archive.workbook(sheets: sheets)).unpacked(limit: 9)
        #expect(small.bytes.isEmpty && small.readRows().rows.first?.problems.isEmpty == false)
    }

    /// Nine may be in the evening where the program shows one digit.
    @Test(arguments: [("h:mm", "9:05"), ("hh:mm", "09:05"), ("h:mm AM/PM", "09:05"), ("d h:mm", "2025-12-27 09:05")])
    func hoursHaveTheDigitsThatAreShown(code: String, shown: String) {
        #expect(NumberFormat(code).text(46018 + 545.0 / 1440, has1904: false) == shown)
    }

    @Test func theSheetWithColumnsIsRead() throws {
        let sheets = [("Notes", "<row><c><v>1</v></c></row>"), ("Shops", Archive.header), ("Old", Archive.header)]
        let table = try Workbook.table(in: Archive.workbook(sheets: sheets))
        #expect(String(decoding: table.csv, as: UTF8.self) == "name,x\r\n")
        #expect(
            table.warning
                == "is the sheet \"Shops\"; to import \"Notes\", \"Old\", save each as a file of its own")
    }

    @Test func whatCannotBeReadIsRefused() {
        let (whole, bomb) = (Archive.workbook(""), [UInt8](repeating: 0x20, count: 2 << 20))
        #expect(failure(Array(whole.dropLast(30))) == WorkbookError.damaged.message)
        #expect(failure(Array("PK\u{3}\u{4}xl/".utf8)) == WorkbookError.damaged.message)
        #expect(failure(Archive.workbook("<c r=\"")) == WorkbookError.damaged.message)
        #expect(failure(Archive.workbook("<!DOCTYPE a>")) == WorkbookError.damaged.message)
        // It packs to less than a two-hundredth.
        let message = WorkbookError.tooLarge.message
        #expect(failure(Archive.workbook(String(decoding: bomb, as: UTF8.self))) == message)
        let many = Archive.bytes((0..<2_001).map { ("xl/\($0)", []) })
        #expect(failure(many) == message)
        var encrypted = Archive()
        encrypted.flags = 1
        encrypted.add("xl/workbook.xml", [])
        #expect(failure(encrypted.bytes) == WorkbookError.encrypted.message)
        var liar = Archive()
        liar.stated = 200 << 20
        liar.add("xl/workbook.xml", Array(repeating: 7, count: 999))
        #expect(failure(liar.bytes) == message)
    }

    private func failure(_ bytes: [UInt8]) -> String? {
        let rows = ImportFile(name: "a.xlsx", bytes: bytes).readRows().rows
        return rows.first?.problems.all.first?.message
    }

    /// Any bytes are read or refused.
    @Test func damageIsNoTrap() {
        var random = SplitMix64(seed: 49)
        let whole = Archive.workbook(#"<row r="2"><c r="A2" t="s"><v>0</v></c><c s="1"><v>46018.5</v></c></row>"#)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...Int(random.next() % 4) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = ImportFile(name: "a.xlsx", bytes: bytes).readRows()
            var text = Array(#"<row r="2"><c r="A2" t="s"><v>0</v></c><c s="1"><v>46018.5</v></c></row>"#.utf8)
            for _ in 0..<3 { text.removeSubrange(random.range(in: text.count)) }
            _ = ImportFile(name: "a.xlsx", bytes: Archive.workbook(String(decoding: text, as: UTF8.self))).readRows()
        }
    }
}

extension SplitMix64 {
    /// Some positions below a count.
    fileprivate mutating func range(in count: Int) -> Range<Int> {
        let start = Int(next() % UInt64(count))
        return start..<min(count, start + Int(next() % 8))
    }
}

/// Makes ZIP archives.
struct Archive {
    private var content: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0
    var flags = 0
    /// The size of each file, if it is another than its own.
    var stated: Int?

    static let header =
        #"<row r="1"><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>x</t></is></c></row>"#

    mutating func add(_ name: String, _ file: [UInt8]) {
        let packed = Gzip.compress(file).map { Array($0.dropFirst(10).dropLast(8)) } ?? []
        let facts =
            Self.little(flags, 2) + Self.little(8, 2) + Self.little(0, 4)
            + Self.little(Int(Deflate.checksum(of: file)), 4)
            + Self.little(packed.count, 4) + Self.little(stated ?? file.count, 4) + Self.little(name.utf8.count, 2)
            + Self.little(0, 2)
        directory += Array("PK\u{1}\u{2}".utf8) + Self.little(20, 2) + Self.little(20, 2)
        directory += facts + Self.little(0, 10) + Self.little(content.count, 4) + name.utf8
        content += Array("PK\u{3}\u{4}".utf8) + Self.little(20, 2) + facts + name.utf8 + packed
        count += 1
    }

    var bytes: [UInt8] {
        content + directory + Array("PK\u{5}\u{6}".utf8) + Self.little(0, 4) + Self.little(count, 2)
            + Self.little(count, 2) + Self.little(directory.count, 4) + Self.little(content.count, 4) + [0, 0]
    }

    static func bytes(_ files: [(String, [UInt8])]) -> [UInt8] {
        files.reduce(into: Archive()) { $0.add($1.0, $1.1) }.bytes
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// With one sheet, whose first row names two columns.
    static func workbook(_ rows: String, properties: String = "") -> [UInt8] {
        workbook(sheets: [("Sheet1", header + rows)], properties: properties)
    }

    static func workbook(sheets: [(name: String, rows: String)], properties: String = "") -> [UInt8] {
        let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let relations = { (parts: [(String, String)]) in
            "<Relationships>"
                + parts.enumerated().map { index, part in
                    #"<Relationship Id="rId\#(index)" Type="\#(base)/\#(part.0)" Target="\#(part.1)"/>"#
                }.joined() + "</Relationships>"
        }
        let names = sheets.enumerated().map { #"<sheet name="\#($1.name)" sheetId="\#($0 + 1)" r:id="rId\#($0)"/>"# }
        let parts = sheets.indices.map { ("worksheet", "worksheets/sheet\($0).xml") }
        let files: [(String, String)] =
            [
                ("_rels/.rels", relations([("officeDocument", "/xl/workbook.xml")])),
                (
                    "xl/workbook.xml",
                    "<?xml version=\"1.0\"?><workbook>\(properties)<sheets>\(names.joined())</sheets></workbook>"
                ),
                (
                    "xl/_rels/workbook.xml.rels",
                    relations(parts + [("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")])
                ),
                (
                    "xl/styles.xml",
                    #"<numFmts><numFmt numFmtId="164" formatCode="d/m/yyyy h:mm"/></numFmts><cellStyleXfs><xf/></cellStyleXfs>"#
                        + "<cellXfs>" + [0, 14, 20, 22, 164, 2, 46].map { #"<xf numFmtId="\#($0)"/>"# }.joined()
                        + "</cellXfs>"
                ),
                (
                    "xl/sharedStrings.xml",
                    "<sst><si><t>Net &amp; Loft</t></si><si><r><t>one</t></r><r><t> two</t></r></si></sst>"
                ),
            ] + sheets.indices.map { ("xl/worksheets/sheet\($0).xml", "<x:worksheet>\(sheets[$0].rows)</x:worksheet>") }
        return bytes(files.map { ($0, Array($1.utf8)) })
    }
}
