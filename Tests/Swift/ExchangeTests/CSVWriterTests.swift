import TestSupport
import Testing

@testable import Exchange

/// Written tables, which are read back unchanged.
@Suite struct CSVWriterTests {
    static let rows: [(cells: [String?], text: String)] = [
        (["a", "b"], "a,b\r\n"), (["a", nil, "b", nil], "a,,b,\r\n"), (["", nil], "\"\",\r\n"),
        (["a,b", #"say "hi""#], "\"a,b\",\"say \"\"hi\"\"\"\r\n"),
        (["one\ntwo", "one\r\ntwo"], "\"one\ntwo\",\"one\r\ntwo\"\r\n"), ([" a ", "é;🌊"], " a ,é;🌊\r\n"),
    ]

    @Test(arguments: rows)
    func writesRows(cells: [String?], text: String) {
        var writer = CSVWriter()
        writer.row(cells)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test func everyTextIsReadBack() {
        var random = SplitMix64(seed: 4180)
        for _ in 0..<2_000 {
            let cells = (0..<Int.random(in: 1...6, using: &random)).map { _ -> String? in
                Bool.random(using: &random) ? random.text(upTo: 12) : nil
            }
            var writer = CSVWriter()
            for _ in 0..<2 { writer.row(cells) }
            let rows = CSVReaderTests.rows(of: String(decoding: writer.bytes, as: UTF8.self))
            let read = rows.map { $0.cells.map { $0.text.isEmpty && !$0.isQuoted ? nil : Array($0.text.utf8) } }
            #expect(read == [cells.map { $0.map { Array($0.utf8) } }, cells.map { $0.map { Array($0.utf8) } }])
        }
    }
}
