import Bytes
import Testing

@testable import Journal

@Suite struct SegmentHeaderTests {
    private static func header(_ chain: CommitChain?) -> SegmentHeader {
        SegmentHeader(store: "00112233445566778899aabbccddeeff", first: 1201, previous: 0x0BAD_CAFE, chain: chain)
    }

    private static let headers = [
        header(nil),
        SegmentHeader(
            store: "00112233445566778899aabbccddeeff", first: 1201, previous: 0x0BAD_CAFE,
            chain: CommitChain(0x0123_4567_89AB_CDEF), version: 2),
        header(CommitChain(0x0123_4567_89AB_CDEF)),
    ]

    @Test(
        arguments: zip(
            headers,
            [
                #"{"format":"sooke-log/1","store":"00112233445566778899aabbccddeeff","first":1201,"previous":"0badcafe"}"#,
                #"{"format":"sooke-log/2","store":"00112233445566778899aabbccddeeff","first":1201,"previous":"0badcafe""#
                    + #","chain":"0123456789abcdef"}"#,
                #"{"format":"sooke-log/3","store":"00112233445566778899aabbccddeeff","first":1201,"previous":"0badcafe""#
                    + #","chain":"0123456789abcdef"}"#,
            ]))
    func itReadsAsItWasWritten(_ header: SegmentHeader, _ text: String) throws {
        let line = header.line(sectorBytes: 512)
        #expect(line.bytes.count == 512)
        #expect(String(decoding: line.bytes.dropFirst(LogLine.prefixLength), as: UTF8.self).hasPrefix(text))
        let read = try SegmentHeader.read(line.bytes.dropLast())
        #expect(read.header == header)
        #expect(read.checksum == line.checksum)
    }

    @Test(arguments: headers) func everyChangedByteIsNoticed(_ header: SegmentHeader) throws {
        let line = Array(header.line(sectorBytes: 256).bytes.dropLast())
        for index in line.indices {
            for mask in [0x01, 0x20, 0x80] as [UInt8] {
                var changed = line
                changed[index] ^= mask
                #expect(throws: SegmentHeader.Fault.self) { try SegmentHeader.read(changed[...]) }
            }
        }
    }

    @Test func aLaterVersionIsNotTakenForDamage() throws {
        var bytes: [UInt8] = []
        _ = bytes.appendLogLine(continuing: 0) { $0.append(#"{"format":"sooke-log/4","what":"ever"}"#) }
        #expect(throws: SegmentHeader.Fault.version(4)) { try SegmentHeader.read(bytes.dropLast()) }
    }

    /// Every version but the first has a chain.
    @Test(arguments: ["1,chain", "2", "3"]) func aChainOfAnotherVersionIsNone(_ version: String) {
        let chain = version.hasSuffix("chain") ? #","chain":"0123456789abcdef""# : ""
        var bytes: [UInt8] = []
        _ = bytes.appendLogLine(continuing: 0) { text in
            text.append(
                utf8: #"{"format":"sooke-log/\#(version.prefix(1))","store":"00112233445566778899aabbccddeeff""#)
            text.append(utf8: #","first":1,"previous":"00000000"\#(chain)}"#)
        }
        #expect(throws: SegmentHeader.Fault.line(.malformed)) { try SegmentHeader.read(bytes.dropLast()) }
    }
}
