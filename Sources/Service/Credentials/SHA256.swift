import Bytes

/// The digest SHA-256 (FIPS 180-4, section 6.2), for tokens, which are random and long. A password needs a slow hash:
/// `PasswordHash`.
package struct SHA256: Sendable {
    package static let byteCount = 32

    private var state: InlineArray<8, UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    /// The beginning of an incomplete block: its first 16 words, then the words of the message schedule.
    private var words = InlineArray<64, UInt32>(repeating: 0)
    private var count: UInt64 = 0

    package init() {}

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { take(UnsafeRawBufferPointer($0)) }
        if done == nil { for byte in bytes { take(byte) } }
    }

    package consuming func finish() -> [UInt8] {
        let bits = count &* 8
        take(0x80)
        while count % 4 != 0 { take(0) }
        while count % 64 != 56 { take(word: 0) }
        take(word: UInt32(truncatingIfNeeded: bits >> 32))
        take(word: UInt32(truncatingIfNeeded: bits))
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            for index in state.indices {
                UnsafeMutableRawBufferPointer(digest).storeBytes(
                    of: state[index].bigEndian, toByteOffset: 4 * index, as: UInt32.self)
            }
            count = Self.byteCount
        }
    }

    package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }

    /// A pointer is measured to pay: one by one, the bytes cost more than the digest.
    private mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place < bytes.count {
            if count % 4 == 0, place &+ 4 <= bytes.count {
                take(word: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
                place &+= 4
            } else {
                take(bytes[place])
                place &+= 1
            }
        }
    }

    private mutating func take(_ byte: UInt8) {
        let index = Int(truncatingIfNeeded: count % 64) / 4
        words[index] = words[index] << 8 | UInt32(byte)
        count &+= 1
        if count % 64 == 0 { mix() }
    }

    private mutating func take(word: UInt32) {
        words[Int(truncatingIfNeeded: count % 64) / 4] = word
        count &+= 4
        if count % 64 == 0 { mix() }
    }

    /// Processes the block in `words`. The names of the variables are those of the standard.
    private mutating func mix() {
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let sigma0 = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ early >> 3
            let sigma1 = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ late >> 10
            words[index] = sigma1 &+ words[index - 7] &+ sigma0 &+ words[index - 16]
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        let constants = Self.constants
        for index in 0..<64 {
            let sum1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
            let choice = e & f ^ ~e & g
            let first = h &+ sum1 &+ choice &+ constants[index] &+ words[index]
            let sum0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
    private static let constants: InlineArray<64, UInt32> = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

/// Codes that prove that their maker had a key: HMAC with SHA-256 (RFC 2104).
package struct HMACSHA256: Sendable {
    /// They have taken the key.
    private let inner: SHA256
    private let outer: SHA256

    private static let blockBytes = 64

    package init(key: [UInt8]) {
        var block = key.count > Self.blockBytes ? SHA256.digest(key) : key
        block += [UInt8](repeating: 0, count: Self.blockBytes - block.count)
        var (inner, outer) = (SHA256(), SHA256())
        inner.update(block.map { $0 ^ 0x36 })
        outer.update(block.map { $0 ^ 0x5C })
        (self.inner, self.outer) = (inner, outer)
    }

    package func code(of message: some Sequence<UInt8>) -> [UInt8] {
        var (first, second) = (inner, outer)
        first.update(message)
        second.update(first.finish())
        return second.finish()
    }
}
