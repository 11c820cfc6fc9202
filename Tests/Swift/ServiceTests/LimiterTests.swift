import TestSupport
import Testing

@testable import Service

/// The limits on imports and histories; see `WriteLimiterTests` for that on writes.
@Suite struct LimiterTests {
    @Test func oneImportAtATime() throws {
        let limiter = ImportLimiter()
        var permit: ImportLimiter.Permit? = try limiter.admit()
        #expect(throws: ServiceError.self) { try limiter.admit() }
        permit?.release()
        permit = try limiter.admit()
        #expect(throws: ServiceError.self) { try limiter.admit() }
        permit = nil
        _ = try limiter.admit()
    }

    /// The duration of a history, and the following pause of the account in seconds.
    @Test(arguments: [(0, 0), (1, 4), (3, 12)])
    func aLongHistoryIsFollowedByAPause(seconds: Int, pause: Int) throws {
        let clock = TestClock()
        let limiter = HistoryLimiter(clock: clock.source)
        let permit = try limiter.admit(1)
        let other = try limiter.admit(2)
        #expect(throws: ServiceError.self) { try limiter.admit(1) }
        clock.advance(bySeconds: seconds)
        permit?.release()
        if pause > 0 {
            clock.advance(bySeconds: pause - 1)
            let error = try #require(throws: ServiceError.self) { try limiter.admit(1) }
            guard case .limited(.histories, seconds: 1) = error else { throw error }
            clock.advance(bySeconds: 1)
        }
        #expect(try limiter.admit(1) != nil)
        other?.release()
    }

    @Test func soManyHistoriesAMinute() throws {
        let clock = TestClock()
        let limiter = HistoryLimiter(clock: clock.source)
        for _ in 1...HistoryLimiter.perMinute { try limiter.admit(1)?.release() }
        #expect(throws: ServiceError.self) { try limiter.admit(1) }
        // The local socket has no limit.
        #expect(try limiter.admit(nil) == nil)
        clock.advance(bySeconds: 60)
        try limiter.admit(1)?.release()
    }
}
