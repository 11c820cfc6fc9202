import Bytes
import Testing

@testable import Service

/// SHA-256 against the examples of FIPS 180-4 and NIST's test vectors (SHAVS, SHA256ShortMsg).
@Suite struct SHA256Tests {
    static let short: [(message: String, digest: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                + "mnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]

    @Test(arguments: short) func examples(message: String, digest: String) {
        #expect(Hex.encode(SHA256.digest(message.utf8)) == digest)
        let bytes = Array(message.utf8)
        for split in 0...bytes.count {
            var hasher = SHA256()
            hasher.update(bytes[..<split])
            hasher.update(bytes[split...])
            #expect(Hex.encode(hasher.finish()) == digest, "split at \(split)")
        }
    }

    /// Around the places where the length no longer fits the last block. Made with OpenSSL.
    @Test(
        arguments: [
            (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
            (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
            (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
            (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
            (127, "c57e9278af78fa3cab38667bef4ce29d783787a2f731d4e12200270f0c32320a"),
            (128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"),
            (1_000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
            (1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func manyTimesTheLetterA(count: Int, digest: String) {
        #expect(Hex.encode(SHA256.digest(repeatElement(UInt8(ascii: "a"), count: count))) == digest)
    }
}

/// The test cases of RFC 4231.
@Suite struct HMACSHA256Tests {
    private static let ofTwoBlocks =
        "This is a test using a larger than block-size key and a larger than "
        + "block-size data. The key needs to be hashed before being used by the HMAC algorithm."

    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), Array(ofTwoBlocks.utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ] as [([UInt8], [UInt8], String)])
    func knownCodes(key: [UInt8], message: [UInt8], code: String) {
        #expect(Hex.encode(HMACSHA256(key: key).code(of: message)) == code)
    }
}

/// The comparison returns the same as `==`.
@Suite struct ArrayConstantTimeTests {
    @Test func equalsAsBytesDo() {
        let bytes = [UInt8](0..<32)
        #expect(bytes.constantTimeEquals(bytes))
        #expect([UInt8]().constantTimeEquals([]))
        #expect(![1, 2, 0].constantTimeEquals([1, 2]) && ![1, 2].constantTimeEquals([1, 2, 0]))
        for bit in 0..<8 * bytes.count {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!bytes.constantTimeEquals(other) && !other.constantTimeEquals(bytes))
        }
    }

    /// Two differences must not cancel out.
    @Test func differencesAddUp() {
        #expect(![UInt8]([0x55, 0x55]).constantTimeEquals([0x54, 0x54]))
        #expect(![UInt8]([0x80, 0x80]).constantTimeEquals([0, 0]))
    }
}
