import Testing

@testable import Exchange

/// Several files in one body.
@Suite struct FileBundleTests {
    static let bundles: [[ImportFile]] = [
        [],
        [ImportFile("a.csv", "name\n")],
        [
            ImportFile("a.csv", ""), ImportFile("b \"c\"\n.json", "{}"),
            ImportFile(name: "-", format: .ndjson, bytes: [0, 10, 255]),
        ],
    ]

    @Test(arguments: bundles)
    func filesAreReadBack(files: [ImportFile]) throws {
        #expect(try FileBundle.files(in: FileBundle.bytes(of: files)) == files)
    }

    @Test func aLineComesBeforeEachFile() {
        let files = [ImportFile("a.csv", "x"), ImportFile(name: "-", format: .json, bytes: Array("{}".utf8))]
        #expect(
            String(decoding: FileBundle.bytes(of: files), as: UTF8.self)
                == "{\"name\":\"a.csv\",\"format\":null,\"bytes\":1}\nx{\"name\":\"-\",\"format\":\"json\",\"bytes\":2}\n{}"
        )
    }

    static let refused: [(body: String, problem: String)] = [
        ("x", "file 1 of the bundle does not begin with a line of JSON"),
        ("{}\n", "the line before file 1 of the bundle is wrong: column 1: the name or the number of bytes is missing"),
        (
            "{\"name\":\"a\",\"bytes\":3}\nab",
            "file 1 of the bundle has 2 bytes, not the 3 it says"
        ),
        ("{\"name\":\"a\",\"bytes\":-1}\nab", "file 1 of the bundle has 2 bytes, not the -1 it says"),
        (
            "{\"name\":\"a\",\"bytes\":1}\nab",
            "file 2 of the bundle does not begin with a line of JSON"
        ),
        (
            "{\"name\":\"a\",\"format\":\"xml\",\"bytes\":1}\na",
            "the line before file 1 of the bundle is wrong: column 22: must be one of json, ndjson, csv, geojson, vcard, icalendar, postgres"
        ),
        (
            "{\"name\":\"a\",\"path\":\"/\",\"bytes\":1}\na",
            "the line before file 1 of the bundle is wrong: column 13: a file of a bundle has no \"path\""
        ),
        (
            "{\"name\":\"a\",\"bytes\":99999999999999999999}\na",
            "the line before file 1 of the bundle is wrong: column 21: an integer beyond "
                + "-9223372036854775808 to 9223372036854775807"
        ),
    ]

    @Test(arguments: refused)
    func saysWhatIsWrong(body: String, problem: String) {
        let error = #expect(throws: FileBundleError.self) { try FileBundle.files(in: Array(body.utf8)) }
        #expect(error?.description == problem)
    }

    @Test func everyTruncationIsRefused() throws {
        let body = FileBundle.bytes(of: [ImportFile("a.csv", "name\n"), ImportFile("b.json", "{}")])
        let firstFile = FileBundle.bytes(of: [ImportFile("a.csv", "name\n")]).count
        for length in 1..<body.count where length != firstFile {
            #expect(throws: FileBundleError.self) { try FileBundle.files(in: Array(body[..<length])) }
        }
    }
}
