import Testing

@testable import Bytes

@Suite struct XXH64Tests {
    /// As the reference implementation gives them.
    @Test(
        arguments: [
            ("", 0, 0xEF46_DB37_51D8_E999), ("", 1, 0xD5AF_BA13_36A3_BE4B), ("a", .max, 0x60C4_3759_873E_CE62),
            ("Sooke", 42, 0xED28_2E25_645C_E166), (String(repeating: "x", count: 31), 7, 0x3781_CEA7_CB1A_961E),
            (String(repeating: "x", count: 32), 7, 0x3FE3_2C63_2942_FB04),
            (String(repeating: "0123456789", count: 10), 0x9E37_79B1_85EB_CA87, 0xC470_070D_1192_624F),
        ] as [(String, UInt64, UInt64)])
    func digests(text: String, seed: UInt64, digest: UInt64) {
        #expect(XXH64.digest(Array(text.utf8).span, seed: seed) == digest)
    }
}
