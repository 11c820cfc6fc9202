import Bytes
import TestSupport
import Testing

/// CRC-32C against the published vectors of RFC 3720, appendix B.4, and against its definition bit by bit.
@Suite struct CRC32CTests {
    static let readCommand: [UInt8] = [
        0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18,
        0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    ]

    @Test(
        arguments: [
            ("32 bytes of zeroes", [UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ("32 bytes of ones", [UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            ("32 bytes of incrementing 00..1f", Array(0..<32), 0x46DD_794E),
            ("32 bytes of decrementing 1f..00", Array((0..<32).reversed()), 0x113F_DB5C),
            ("an iSCSI SCSI Read (10) command PDU", readCommand, 0xD996_3A56),
            ("the catalogue's check value", Array("123456789".utf8), 0xE306_9283), ("nothing", [], 0),
        ] as [(String, [UInt8], UInt32)])
    func published(name: String, bytes: [UInt8], checksum: UInt32) {
        #expect(CRC32C.checksum(bytes) == checksum)
        #expect(CRC32C.checksum(AnySequence(bytes)) == checksum, "without contiguous storage")
    }

    @Test func everyLengthAndAlignmentIsTheDefinition() {
        var random = SplitMix64(seed: 3720)
        let bytes = (0..<80).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for start in 0..<16 {
            for end in start...bytes.count {
                let checksum = Self.bitByBit(bytes[start..<end])
                #expect(CRC32C.checksum(bytes[start..<end]) == checksum)
            }
        }
    }

    @Test func chains() {
        let bytes = Self.readCommand
        let whole = CRC32C.checksum(bytes)
        for split in 0...bytes.count {
            let first = CRC32C.checksum(bytes[..<split])
            #expect(CRC32C.checksum(bytes[split...], continuing: first) == whole)
            var checksum = CRC32C()
            checksum.update(bytes[..<split])
            checksum.update(bytes[split...])
            #expect(checksum.value == whole)
        }
    }

    private static func bitByBit(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
        }
        return ~crc
    }

    /// The right offset is always among them, and others are rare.
    @Test func aChangedByteIsFound() {
        var random = SplitMix64(seed: 7)
        var others = 0
        for _ in 0..<200 {
            var bytes = (0..<random.below(3000) + 1).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let before = CRC32C.checksum(bytes)
            let offset = random.below(bytes.count)
            bytes[offset] ^= UInt8(1 + random.below(255))
            let found = CRC32C.offsets(ofChange: before ^ CRC32C.checksum(bytes), in: bytes.count)
            #expect(found.contains(offset))
            others += found.count - 1
        }
        #expect(others == 0)
        #expect(CRC32C.offsets(ofChange: 0, in: 100) == [])
    }
}
