import Bytes
import Testing

@testable import Journal

@Suite struct SegmentHeaderTests {
    private let header = SegmentHeader(
        store: "00112233445566778899aabbccddeeff", first: 1201, previous: 0x0BAD_CAFE,
        chain: CommitChain(0x0123_4567_89AB_CDEF))

    @Test func itReadsAsItWasWritten() throws {
        let text =
            #"{"format":"sooke-log/3","store":"00112233445566778899aabbccddeeff","first":1201,"previous":"0badcafe""#
            + #","chain":"0123456789abcdef"}"#
        let line = header.line(sectorBytes: 512)
        #expect(line.bytes.count == 512)
        #expect(String(decoding: line.bytes.dropFirst(LogLine.prefixLength), as: UTF8.self).hasPrefix(text))
        let read = try SegmentHeader.read(line.bytes.dropLast())
        #expect(read.header == header)
        #expect(read.checksum == line.checksum)
    }

    @Test func everyChangedByteIsNoticed() throws {
        let line = Array(header.line(sectorBytes: 256).bytes.dropLast())
        for index in line.indices {
            for mask in [0x01, 0x20, 0x80] as [UInt8] {
                var changed = line
                changed[index] ^= mask
                #expect(throws: LogDamage.Reason.self) { try SegmentHeader.read(changed[...]) }
            }
        }
    }

    @Test func aLaterVersionIsNotTakenForDamage() throws {
        var bytes: [UInt8] = []
        _ = bytes.appendLogLine(continuing: 0) { $0.append(#"{"format":"sooke-log/4","what":"ever"}"#) }
        #expect(throws: LogDamage.Reason.version(4)) { try SegmentHeader.read(bytes.dropLast()) }
    }

    /// Version 3 is the first, and has a chain.
    @Test(arguments: [(1, true), (2, true), (3, false)]) func anotherVersionIsNone(version: Int, hasChain: Bool) {
        let chain = hasChain ? #","chain":"0123456789abcdef""# : ""
        var bytes: [UInt8] = []
        _ = bytes.appendLogLine(continuing: 0) { text in
            text.append(utf8: #"{"format":"sooke-log/\#(version)","store":"00112233445566778899aabbccddeeff""#)
            text.append(utf8: #","first":1,"previous":"00000000"\#(chain)}"#)
        }
        #expect(throws: LogDamage.Reason.line(.malformed)) { try SegmentHeader.read(bytes.dropLast()) }
    }
}
