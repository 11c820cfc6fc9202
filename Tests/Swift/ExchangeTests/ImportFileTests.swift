import SookeModel
import Testing

@testable import Exchange

/// Recognizing the format of a file, and text.
@Suite struct ImportFileTests {
    @Test(
        arguments: [
            ("a.json", .json), ("a.JSON", .json), ("a.b.ndjson", .ndjson), ("a.jsonl", .ndjson), ("/x.y/a.csv", .csv),
            ("a", nil), ("-", nil), ("a.txt", nil), ("a.json/b", nil), ("", nil),
        ] as [(String, ImportFormat?)])
    func theNameDeterminesTheFormat(name: String, format: ImportFormat?) {
        #expect(ImportFormat(fileName: name) == format)
    }

    @Test(
        arguments: [
            ("{\"businesses\":[]}", .json), (" \r\n\t{}", .json), ("{\"format\":\"sooke/1\",", .json), ("[1]", .json),
            ("{\"business\":{}}\n{\"event\":{}}", .ndjson), ("{\"user\":", .ndjson), ("{\"user", .json),
            ("name,address", .csv), ("\"name\",address", .csv), ("", .csv), ("42", .csv),
        ] as [(String, ImportFormat)])
    func theFirstBytesTellTheFormat(text: String, format: ImportFormat) {
        #expect(ImportFormat(guessedFrom: Array(text.utf8)) == format)
    }

    @Test(arguments: ["-", "export", "x.txt"])
    func formatOfAnUnnamedFileIsDetected(name: String) throws {
        for text in ["{\"businesses\":[{\"slug\":\"pub\"}]}", "{\"business\":{\"slug\":\"pub\"}}", "slug,phone\npub,1"]
        {
            for mark in ["", "\u{FEFF}"] {
                let rows = ImportFile(name, mark + text).readRows()
                #expect(rows.rows.map { $0.patch?.kind } == [.business])
                #expect(rows.rows.allSatisfy { $0.problems.isEmpty })
            }
        }
    }

    @Test func aFormatThatIsGivenWins() throws {
        let file = ImportFile(name: "x.json", format: .csv, bytes: Array("slug,phone\npub,1".utf8))
        #expect(try TestTown.small().problems(with: [file]) == [])
    }

    @Test(arguments: ["x.json", "x.ndjson", "x.csv", "-"])
    func textMustBeUTF8(name: String) throws {
        let advice =
            name.hasSuffix("json")
            ? ", or convert the file: iconv -f WINDOWS-1252 -t UTF-8" : " (spreadsheets call it CSV UTF-8)"
        let message = "is not UTF-8 text; save the file as UTF-8\(advice)"
        let bytes = Array("name,address\nPub,1\nCaf".utf8) + [0xE9] + Array(",2\nCaf".utf8) + [0xE9]
        #expect(
            try TestTown.small().problems(with: [ImportFile(name: name, bytes: bytes)]) == ["\(name):3: \(message)"])
        let halfOfUTF16: [UInt8] = [0xFF, 0xFE, 0x6E]
        #expect(
            try TestTown.small().problems(with: [ImportFile(name: name, bytes: halfOfUTF16)]) == [
                "\(name):1: \(message)"
            ])
    }
}
