import Synchronization
import TestSupport
import Testing

@testable import Limits

/// Logins from a network from which the owner of the account has logged in, while others guess there.
@Suite struct LoginTurnTests {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private static func attempt(isKnown: Bool) -> LoginThrottle.Attempt {
        LoginThrottle.Attempt(address: [192, 0, 2, 1], account: "ann", isKnown: isKnown)
    }

    private static func isAdmitted(
        _ throttle: LoginThrottle, isKnown: Bool = true, isWanted: Bool = true
    ) async -> Bool {
        await throttle.admit(attempt(isKnown: isKnown)) { isWanted } == .allowed
    }

    /// Runs a test with a clock on which a second passes in 20 milliseconds.
    private static func run(_ test: @Sendable (LoginThrottle, TestClock) async -> Void) async {
        let clock = TestClock()
        let throttle = LoginThrottle(clock: clock.source) { duration in
            let end = clock.source.monotonic() + Int(duration / .nanoseconds(1))
            while clock.source.monotonic() < end { try? await Task.sleep(for: .milliseconds(2)) }
        }
        let time = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(20))
                clock.advance(bySeconds: 1)
            }
        }
        await test(throttle, clock)
        time.cancel()
    }

    /// Four guess without a pause; the owner, who comes once, waits for five turns at most.
    @Test func theOwnerGetsThroughBesideFourGuessers() async {
        await Self.run { throttle, clock in
            let isOver = Flag()
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !isOver.isSet.load(ordering: .relaxed) { _ = await Self.isAdmitted(throttle) }
                    }
                }
                for _ in 0..<15 {
                    try? await Task.sleep(for: .milliseconds(30))
                    let start = clock.now
                    #expect(await Self.isAdmitted(throttle))
                    #expect(clock.now.seconds - start.seconds <= 10)
                }
                isOver.isSet.store(true, ordering: .relaxed)
            }
        }
    }

    @Test func thereIsOneGuessASecond() async {
        await Self.run { throttle, clock in
            let start = clock.now
            for _ in 0..<15 { #expect(await Self.isAdmitted(throttle)) }
            #expect(clock.now.seconds - start.seconds >= 10)
        }
    }

    /// A client that has left is not admitted, and eight may wait: others take their turns.
    @Test func linesAreBounded() async {
        await Self.run { throttle, _ in
            for _ in 0..<5 { #expect(await Self.isAdmitted(throttle)) }
            #expect(await Self.isAdmitted(throttle, isWanted: false) == false)
            let admitted = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 { group.addTask { await Self.isAdmitted(throttle) } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(8..<50 ~= admitted)
        }
    }
}
