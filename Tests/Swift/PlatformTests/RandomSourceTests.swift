import Platform
import Testing

@Suite struct RandomSourceTests {
    @Test(arguments: [0, 1, 16, 32, 256, 257, 100_000]) func asManyAsAskedFor(count: Int) throws {
        #expect(try RandomSource.bytes(count).count == count)
    }

    /// A chance of less than one in 2²⁵⁰ each.
    @Test func noTwoAreTheSame() throws {
        let all = try (0..<100).map { _ in try RandomSource.bytes(32) }
        #expect(Set(all).count == all.count)
    }

    @Test func everyByteIsFilled() throws {
        // 40 draws leave one of 300 places at zero in all of them with a chance of 300 in 2³²⁰.
        let draws = try (0..<40).map { _ in try RandomSource.bytes(300) }
        for place in 0..<300 { #expect(draws.contains { $0[place] != 0 }) }
    }
}
