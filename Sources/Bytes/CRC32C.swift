import CSystem

/// The CRC-32C checksum (Castagnoli polynomial, RFC 3720, appendix B.4), with the processor's own instruction where it
/// has one.
///
/// ```swift
/// var checksum = CRC32C()
/// checksum.update(line)
/// checksum.value
/// ```
public struct CRC32C: Sendable, Equatable {
    @usableFromInline var state: UInt32

    /// The checksum of no bytes; of `previous` it goes on where an earlier checksum ended, so that lines chain.
    @inlinable
    public init(continuing previous: UInt32 = 0) {
        state = ~previous
    }

    /// The checksum of all bytes so far.
    @inlinable
    public var value: UInt32 { ~state }

    /// Takes further bytes into the checksum.
    @inlinable
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if done == nil { update(Array(bytes)) }
    }

    /// Takes further bytes into the checksum.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if Self.isInProcessor {
            state = sooke_crc32c(state, bytes.baseAddress, bytes.count)
        } else {
            updateByTables(bytes)
        }
    }

    private static let isInProcessor = sooke_has_crc32c() != 0

    /// The same for any processor, eight bytes a step.
    ///
    /// The pointer is measured to pay: by array index this loop runs at a third of the speed.
    mutating func updateByTables(_ bytes: UnsafeRawBufferPointer) {
        let tables = Self.tables
        tables.withUnsafeBufferPointer { table in
            var crc = state
            var offset = 0
            while offset &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ crc
                let high = UInt32(truncatingIfNeeded: word >> 32)
                crc =
                    table[0x700 | Int(low & 0xFF)] ^ table[0x600 | Int(low >> 8 & 0xFF)]
                    ^ table[0x500 | Int(low >> 16 & 0xFF)] ^ table[0x400 | Int(low >> 24)]
                    ^ table[0x300 | Int(high & 0xFF)] ^ table[0x200 | Int(high >> 8 & 0xFF)]
                    ^ table[0x100 | Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                offset &+= 8
            }
            while offset < bytes.count {
                crc = table[Int((crc ^ UInt32(bytes[offset])) & 0xFF)] ^ crc >> 8
                offset &+= 1
            }
            state = crc
        }
    }

    /// The checksum of some bytes, taken at once.
    @inlinable
    public static func checksum(_ bytes: some Sequence<UInt8>, continuing previous: UInt32 = 0) -> UInt32 {
        var checksum = CRC32C(continuing: previous)
        checksum.update(bytes)
        return checksum.value
    }

    /// Table `k` (256 entries from `k × 256`) moves a byte `k` places further through the register.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
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
