import TestSupport
import Testing

@testable import Service

/// The limit on histories.
@Suite struct TownLimitsTests {
    /// The duration of a history, and the following pause of the account in seconds.
    @Test(arguments: [(0, 0), (1, 4), (3, 12)])
    func aLongHistoryIsFollowedByAPause(seconds: Int, pause: Int) async throws {
        let clock = TestClock()
        let limits = TownLimits(clock: clock.source)
        try await limits.readLog(for: 1) {
            try await limits.readLog(for: 2) {}
            await #expect(throws: ServiceError.self) { try await limits.readLog(for: 1) {} }
            clock.advance(bySeconds: seconds)
        }
        if pause > 0 {
            clock.advance(bySeconds: pause - 1)
            let error = try await #require(throws: ServiceError.self) { try await limits.readLog(for: 1) {} }
            guard case .limited(.histories, seconds: 1) = error else { throw error }
            clock.advance(bySeconds: 1)
        }
        try await limits.readLog(for: 1) {}
    }
}
