import Service
import TestSupport
import Testing

@Suite struct WriteLimiterTests {
    /// The limits of a limiter, the bodies of earlier writes, and whether one more is admitted.
    @Test(arguments: [
        (3, 100, [], 100, true),
        (3, 100, [], 101, false),
        (3, 100, [10, 10], 80, true),
        (3, 100, [10, 10], 81, false),
        (3, 100, [0, 0, 0], 0, false),
        (3, 100, [100], 0, true),
        (3, 100, [100], 1, false),
    ])
    func isBounded(limit: Int, byteLimit: Int, before: [Int], bytes: Int, hasRoom: Bool) throws {
        let limiter = WriteLimiter(clock: TestClock().source, limit: limit, byteLimit: byteLimit)
        var permits: [WriteLimiter.Permit] = []
        for bytes in before { permits.append(try limiter.admit(bytes: bytes)) }
        #expect(limiter.count == before.count)
        #expect(limiter.hasRoom(for: bytes) == hasRoom)
        if hasRoom {
            permits.append(try limiter.admit(bytes: bytes))
        } else {
            let error = try #require(throws: ServiceError.self) { try limiter.admit(bytes: bytes) }
            guard case .overloaded = error else { throw error }
        }
        // A released permit makes room.
        permits = []
        #expect(limiter.count == 0 && limiter.hasRoom(for: byteLimit))
    }

    @Test func waitsForFiveSeconds() throws {
        let clock = TestClock()
        let permit = try WriteLimiter(clock: clock.source).admit(bytes: 0)
        clock.advance(bySeconds: 4)
        #expect(permit.isInTime)
        clock.advance(bySeconds: 1)
        #expect(!permit.isInTime)
    }
}
