import Bytes
import Testing

@testable import Journal

@Suite struct SegmentHeaderTests {
    private let header = SegmentHeader(
        store: "00112233445566778899aabbccddeeff", first: 1201, previous: 0x0BAD_CAFE,
        chain: CommitChain(0x0123_4567_89AB_CDEF))

    @Test func itReadsAsItWasWritten() throws {
        let text =
            #"{"format":"sooke-log/4","store":"00112233445566778899aabbccddeeff","first":1201,"previous":"0badcafe""#
            + #","chain":"0123456789abcdef"}"#
        let line = header.line(sectorBytes: 512)
        #expect(line.bytes.count == 512)
        #expect(String(decoding: line.bytes.dropFirst(LogLine.prefixLength), as: UTF8.self).hasPrefix(text))
        let read = try SegmentHeader.read(line.bytes.dropLast())
        #expect(read.header == header)
        #expect(read.checksum == line.checksum)
    }

    @Test func anEarlierVersionReadsAsItWasWritten() throws {
        var earlier = header
        earlier.version = 3
        let line = earlier.line(sectorBytes: 512)
        #expect(line.bytes.count == 512 && line.bytes != header.line(sectorBytes: 512).bytes)
        #expect(try SegmentHeader.read(line.bytes.dropLast()).header == earlier)
    }

    /// Version 3 is the first, and has a chain.
    @Test(arguments: [
        (1, true, LogDamage.Reason.version(1)), (2, true, .version(2)), (3, false, .line(.malformed)),
        (4, false, .line(.malformed)), (5, true, .version(5)),
    ])
    func anotherVersionIsNone(version: Int, hasChain: Bool, reason: LogDamage.Reason) {
        let chain = hasChain ? #","chain":"0123456789abcdef""# : ""
        var bytes: [UInt8] = []
        _ = bytes.appendLogLine(continuing: 0) { text in
            text.append(utf8: #"{"format":"sooke-log/\#(version)","store":"00112233445566778899aabbccddeeff""#)
            text.append(utf8: #","first":1,"previous":"00000000"\#(chain)}"#)
        }
        #expect(throws: reason) { try SegmentHeader.read(bytes.dropLast()) }
    }
}
