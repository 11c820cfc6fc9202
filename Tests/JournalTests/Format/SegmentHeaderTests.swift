import Bytes
import Testing

@testable import Journal

@Suite struct SegmentHeaderTests {
    private let header = SegmentHeader(
        store: "00112233445566778899aabbccddeeff", first: 1201, previous: 0x0BAD_CAFE)

    @Test func itReadsAsItWasWritten() throws {
        let line = header.line(sectorBytes: 512)
        #expect(line.bytes.count == 512)
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
                #expect(throws: SegmentHeader.Fault.self) { try SegmentHeader.read(changed[...]) }
            }
        }
    }

    @Test func aLaterVersionIsNotTakenForDamage() throws {
        var bytes: [UInt8] = []
        _ = bytes.appendLogLine(continuing: 0) { $0.append(#"{"format":"sooke-log/2","what":"ever"}"#) }
        #expect(throws: SegmentHeader.Fault.version(2)) { try SegmentHeader.read(bytes.dropLast()) }
    }
}
