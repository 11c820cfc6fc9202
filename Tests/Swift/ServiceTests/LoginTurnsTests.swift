import Bytes
import Credentials
import Synchronization
import TestSupport
import Testing

@testable import Service

/// Logins from a network from which the owner of the account has logged in, while others guess there.
@Suite struct LoginTurnsTests {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// Sleeping advances the clock, so that no test waits.
    private static func make() -> (LoginTurns, TestClock) {
        let clock = TestClock()
        let turns = LoginTurns(clock: clock.source) { duration in
            // The others arrive before the time has passed.
            for _ in 0..<100 { await Task.yield() }
            try? await Task.sleep(for: .milliseconds(20))
            clock.advance(bySeconds: Int(duration.components.seconds) + (duration.components.attoseconds > 0 ? 1 : 0))
        }
        return (turns, clock)
    }

    private static func attempt(_ account: String = "ann", isKnown: Bool = true) -> LoginThrottle.Attempt {
        LoginThrottle.Attempt(address: [192, 0, 2, 1], account: account, isKnown: isKnown)
    }

    private static func isAdmitted(_ turns: LoginTurns, isKnown: Bool = true, isWanted: Bool = true) async -> Bool {
        do throws(ServiceError) {
            try await turns.admit(attempt(isKnown: isKnown)) { isWanted }
            return true
        } catch {
            return false
        }
    }

    /// Four guess without a pause; the owner, who comes once, waits for five turns at most.
    @Test func theOwnerGetsThroughBesideFourGuessers() async throws {
        let (turns, clock) = Self.make()
        let end = Flag()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    while !end.isSet.load(ordering: .relaxed) { _ = await Self.isAdmitted(turns) }
                }
            }
            for _ in 0..<15 {
                try? await Task.sleep(for: .milliseconds(30))
                let start = clock.now
                let isAdmitted = await Self.isAdmitted(turns)
                #expect(isAdmitted)
                #expect(clock.now.seconds - start.seconds <= 6)
            }
            end.isSet.store(true, ordering: .relaxed)
        }
    }

    @Test func thereIsOneGuessASecond() async throws {
        let (turns, clock) = Self.make()
        for _ in 0..<5 { #expect(await Self.isAdmitted(turns)) }
        let start = clock.now
        for _ in 0..<10 { #expect(await Self.isAdmitted(turns)) }
        #expect(clock.now.seconds - start.seconds >= 10)
    }

    @Test func strangersAreRefusedAtOnce() async throws {
        let (turns, clock) = Self.make()
        for _ in 0..<5 { #expect(await Self.isAdmitted(turns, isKnown: false)) }
        let start = clock.now
        #expect(await Self.isAdmitted(turns, isKnown: false) == false)
        #expect(clock.now == start)
    }

    /// A client that has left takes no turn, and a line has eight places.
    @Test func linesAreBounded() async throws {
        let (turns, _) = Self.make()
        for _ in 0..<5 { #expect(await Self.isAdmitted(turns)) }
        #expect(await Self.isAdmitted(turns, isWanted: false) == false)
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { await Self.isAdmitted(turns) } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(1..<50 ~= admitted)
    }
}
