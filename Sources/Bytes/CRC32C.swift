/// The CRC-32C checksum (Castagnoli polynomial, RFC 3720, appendix B.4), by tables, 16 bytes a step (Kounavis and
/// Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC Generation", IEEE Transactions on Computers
/// 57:11, 2008).
public struct CRC32C: Sendable, Equatable {
    @usableFromInline var state: UInt32

    /// The checksum of no bytes; with `previous` it continues an earlier checksum, so that lines are chained.
    @inlinable
    public init(continuing previous: UInt32 = 0) {
        state = ~previous
    }

    @inlinable
    public var value: UInt32 { ~state }

    @inlinable
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if done == nil { update(Array(bytes)) }
    }

    /// Adds bytes. Pointers are measured to pay: with array indices this loop runs at a third of the speed.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        Self.tables.withUnsafeBufferPointer { tables in
            var crc = state
            var offset = 0
            while offset &+ 16 <= bytes.count {
                let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let second = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
                crc = Self.fold(first ^ UInt64(crc), 8, tables) ^ Self.fold(second, 0, tables)
                offset &+= 16
            }
            while offset < bytes.count {
                crc = tables[Int((crc ^ UInt32(bytes[offset])) & 0xFF)] ^ crc >> 8
                offset &+= 1
            }
            state = crc
        }
    }

    /// The contribution of eight bytes that are followed by `distance` others.
    @inline(__always)
    private static func fold(_ word: UInt64, _ distance: Int, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        @inline(__always) func entry(_ place: Int) -> UInt32 {
            tables[(distance &+ 7 &- place) &<< 8 | Int(truncatingIfNeeded: word &>> UInt64(8 &* place) & 0xFF)]
        }
        return entry(0) ^ entry(1) ^ entry(2) ^ entry(3) ^ entry(4) ^ entry(5) ^ entry(6) ^ entry(7)
    }

    @inlinable
    public static func checksum(_ bytes: some Sequence<UInt8>, continuing previous: UInt32 = 0) -> UInt32 {
        var checksum = CRC32C(continuing: previous)
        checksum.update(bytes)
        return checksum.value
    }

    /// The offsets in `count` bytes at which one changed byte explains the `difference`, the bits in which two
    /// checksums differ: the right one always, and by chance one of two billion others.
    public static func offsets(ofChange difference: UInt32, in count: Int) -> [Int] {
        // The difference is followed back over the bytes after the changed one, whose values do not matter.
        var byteOfEntry = [UInt8](repeating: 0, count: 256)
        for byte in 0..<256 { byteOfEntry[Int(tables[byte] >> 24)] = UInt8(byte) }
        var found: [Int] = []
        var state = difference
        for offset in (0..<count).reversed() where state != 0 {
            let byte = byteOfEntry[Int(state >> 24)]
            if tables[Int(byte)] == state { found.append(offset) }
            state = (state ^ tables[Int(byte)]) << 8 | UInt32(byte)
        }
        return found.reversed()
    }

    /// Table `k` (256 entries from `k × 256`) moves a byte `k` positions further through the register.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 16 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let previous = tables[index - 256]
            tables[index] = tables[Int(previous & 0xFF)] ^ previous >> 8
        }
        return tables
    }()
}
