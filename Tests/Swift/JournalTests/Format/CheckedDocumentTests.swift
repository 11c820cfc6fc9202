import Bytes
import Testing

@testable import Journal

@Suite struct CheckedDocumentTests {
    private let origin = CheckedDocument.Origin(
        store: "00112233445566778899aabbccddeeff", position: CommitPosition(1200, CommitChain(0x8F3C_5A77_90D1_E2B4)),
        at: Timestamp(clampingSeconds: 1_795_253_400))
    private let body = [#""categories":["#, #"{"id":1}"#, "],"]

    private func document(_ origin: CheckedDocument.Origin?) -> [UInt8] {
        var writer = CheckedDocumentWriter(origin: origin)
        var bytes: [UInt8] = []
        for line in body {
            writer.append(line: Array(line.utf8))
            bytes += writer.takeBytes()
        }
        writer.finish()
        return bytes + writer.takeBytes()
    }

    private func lines(_ bytes: [UInt8]) throws -> (origin: CheckedDocument.Origin?, body: [String]) {
        var lines: [String] = []
        let origin = try CheckedDocument.read(bytes) { lines.append(String(decoding: $0, as: UTF8.self)) }
        return (origin, lines)
    }

    @Test func aSnapshotLooksLikeThis() {
        #expect(
            String(decoding: document(origin), as: UTF8.self) == """
                {"format":"sooke/4","store":"00112233445566778899aabbccddeeff","sequence":1200,"at":"2026-11-21T09:30:00Z","chain":"8f3c5a7790d1e2b4",
                "categories":[
                {"id":1}
                ],
                "end":{"lines":4,"checksum":"\(checksum(document(origin)))"}}

                """)
    }

    /// The checksum of all lines but the last.
    private func checksum(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let before = text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
        var digits: [UInt8] = []
        digits.append(hex: CRC32C.checksum(before.utf8))
        return String(decoding: digits, as: UTF8.self)
    }

    @Test func itReadsAsItWasWritten() throws {
        let snapshot = try lines(document(origin))
        #expect(snapshot.origin == origin)
        #expect(snapshot.body == body)
        let export = try lines(document(nil))
        #expect(export.origin == nil)
        #expect(export.body == body)
    }

    @Test func everyChangedByteIsNoticed() {
        let document = document(origin)
        for index in document.indices {
            for bit in 0..<8 {
                var changed = document
                changed[index] ^= 1 << bit
                #expect(throws: CheckedDocumentError.self) { try lines(changed) }
            }
        }
    }

    @Test func everyCutIsNoticed() {
        let document = document(origin)
        for length in document.indices {
            #expect(throws: CheckedDocumentError.self) { try lines(Array(document.prefix(length))) }
        }
    }

    @Test(arguments: [
        ("", 1, "the first line is not that of a document of this kind"),
        ("{}\n", 1, "the first line is not that of a document of this kind"),
        ("{\"format\":\"sooke/5\",\n", 1, "it has disk format 5, and this sooke reads 3 to 4"),
        ("{\"format\":\"sooke/0\",\n", 1, "it has disk format 0, and this sooke reads 3 to 4"),
        ("{\"format\":\"sooke/1\",\n\"a\":1,\n", 3, "the document stops before its last line"),
        ("{\"format\":\"sooke/1\",\n\"a\":1,", 2, "the line does not end"),
        (
            "{\"format\":\"sooke/1\",\n\"end\":{\"lines\":7,\"checksum\":\"00000000\"}}\n", 2,
            "the last line counts 7 lines, here are 1"
        ),
        (
            "{\"format\":\"sooke/1\",\n\"end\":{\"lines\":1,\"checksum\":\"00000000\"}}\n", 2,
            "the checksum in the last line is not that of the lines before it"
        ),
    ])
    func aFaultSaysWhatAndWhere(text: String, line: Int, description: String) {
        let error = #expect(throws: CheckedDocumentError.self) { try lines(Array(text.utf8)) }
        #expect(error?.line == line)
        #expect(error?.description == description)
    }

    @Test func whatFollowsTheEndIsNoticed() {
        let error = #expect(throws: CheckedDocumentError.self) { try lines(document(nil) + Array("\n".utf8)) }
        #expect(error?.description == "something follows the last line")
    }
}
