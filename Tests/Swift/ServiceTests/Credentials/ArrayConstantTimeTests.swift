import Testing

@testable import Service

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
