import Testing

@testable import Journal

@Suite struct FileNameTests {
    @Test(
        arguments: [
            ("wal-00000000000000001201.log", .segment(first: 1201)),
            ("snapshot-00000000000000000000.json", .snapshot(sequence: 0)),
            ("wal-04611686018427387903.log", .segment(first: (1 << 62) - 1)), ("wal-04611686018427387904.log", nil),
            ("manifest.json.tmp", .temporary), ("read-only.json.tmp", .temporary), ("read-only.json", nil),
            ("wal-00000000000000001201.log.tmp", .temporary),
            ("notes.tmp", nil), ("manifest.json", nil), ("wal-1201.log", nil), ("wal-0000000000000000120x.log", nil),
            ("wal-99999999999999999999.log", nil), ("wal-+0000000000000001201.log", nil), ("wal-é.log", nil), ("", nil),
            ("snapshot-00000000000000001201.log", nil),
        ] as [(String, FileName?)])
    func namesAreRecognised(name: String, kind: FileName?) {
        #expect(FileName(name) == kind)
    }

    @Test func namesSortAsTheirNumbers() {
        #expect(FileName.segment(1201) == "wal-00000000000000001201.log")
        #expect(FileName.snapshot(9) < FileName.snapshot(10))
        #expect(FileName.segment(.max) == "wal-09223372036854775807.log")
    }
}
