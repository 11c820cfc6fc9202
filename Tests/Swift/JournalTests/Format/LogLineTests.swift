import Bytes
import Testing

@testable import Journal

@Suite struct LogLineTests {
    @Test func aCommitReadsAsItWasWritten() throws {
        var batch = LogBatch(after: 0x1234_5678, CommitChain(0))
        batch.append(sequence: 1201) { $0 += Array(#""by":1,"changes":[]"#.utf8) }
        let line = batch.bytes.dropLast()
        #expect(String(decoding: line, as: UTF8.self).hasSuffix(#" {"seq":1201,"by":1,"changes":[]}"#))

        let opened = try LogLine.open(line, continuing: 0x1234_5678)
        #expect(opened.checksum == batch.checksum)
        #expect(
            LogLine(json: opened.json, continuing: 0x1234_5678)
                == .commit(sequence: 1201, payload: Array(#""by":1,"changes":[]"#.utf8)[...]))
    }

    @Test func aMarkReadsAsItWasWritten() throws {
        var bytes: [UInt8] = []
        let checksum = bytes.appendMark(synced: (1 << 62) - 1, after: 0xFFFF_FFFF)
        #expect(bytes.count == LogLine.Mark.longest + 1)
        let opened = try LogLine.open(bytes.dropLast(), continuing: 0xFFFF_FFFF)
        #expect(opened.checksum == checksum)
        #expect(LogLine(json: opened.json, continuing: 0xFFFF_FFFF) == .mark(synced: (1 << 62) - 1))
        #expect(LogLine(json: opened.json, continuing: 1) == nil)
    }

    /// A reader adds to a sequence number, so there must be room for that.
    @Test func aNumberNearTheLastIsNone() {
        var bytes: [UInt8] = []
        _ = bytes.appendMark(synced: 1 << 62, after: 1)
        #expect(LogLine(json: bytes.dropLast().dropFirst(LogLine.prefixLength), continuing: 1) == nil)
        let commit = Array(#"{"seq":9223372036854775807,"a":1}"#.utf8)
        #expect(LogLine(json: commit[...], continuing: 1) == nil)
        let header = SegmentHeader(
            store: String(repeating: "0", count: 32), first: .max, previous: 0, chain: CommitChain(0))
        #expect(throws: LogDamage.Reason.line(.malformed)) {
            try SegmentHeader.read(header.line(sectorBytes: 1).bytes.dropLast())
        }
    }

    @Test(arguments: [1, 8, 64, 512, 4096])
    func aBatchEndsWhereASectorEnds(sectorBytes: Int) throws {
        for offset in [0, 3, 511, 512, 9999] {
            var batch = LogBatch(after: 7, CommitChain(0))
            batch.append(sequence: 1) { $0 += Array(#""a":1"#.utf8) }
            let first = batch.checksum
            batch.append(sequence: 2) { $0 += Array(#""b":2"#.utf8) }
            batch.pad(at: offset, sectorBytes: sectorBytes)
            #expect((offset + batch.bytes.count).isMultiple(of: sectorBytes))

            let lines = batch.bytes.dropLast().split(separator: ASCII.lineFeed)
            let opened = try LogLine.open(lines[1], continuing: first)
            #expect(opened.checksum == batch.checksum)
            let payload = Array(#""b":2"#.utf8)[...]
            #expect(LogLine(json: opened.json, continuing: first) == .commit(sequence: 2, payload: payload))
        }
    }

    @Test(arguments: [
        #"{"seq":1}"#, #"{"seq":1,}"#, #"{"seq":01,"a":1}"#, #"{"seq":-1,"a":1}"#, #"{"seq":1,"a":1"#,
        #"{"seq":99999999999999999999,"a":1}"#, #"{"at":1}"#, #"{"synced":1}"#, #"{"synced":1,"after":"00000007"}x"#,
        #"{"synced":1,"after":"0000000A"}"#, "", "   ",
    ])
    func otherTextIsNoLine(json: String) {
        #expect(LogLine(json: Array(json.utf8)[...], continuing: 7) == nil)
    }
}
