import Bytes
import Synchronization
import TestSupport
import Testing

@testable import Limits

/// Five free failures, then doubling waits of up to a minute, and no account is locked.
@Suite struct LoginThrottleTests {
    private static let second = 1_000_000_000

    /// The result of an admitted attempt.
    enum Outcome { case wrong, right, busy }

    /// An attempt of `who` (address, account) at a time in seconds, perhaps from a known address of the account.
    struct Step {
        let at: Double
        let attempt: LoginThrottle.Attempt
        let outcome: Outcome
        let answer: LoginThrottle.Decision

        init(
            _ at: Double, _ who: (String, String), _ outcome: Outcome, _ answer: LoginThrottle.Decision = .allowed,
            known: Bool = false
        ) {
            attempt = LoginThrottleTests.attempt(who.0, who.1, known: known)
            (self.at, self.outcome, self.answer) = (at, outcome, answer)
        }
    }

    private static func attempt(_ address: String, _ account: String, known: Bool = false) -> LoginThrottle.Attempt {
        LoginThrottle.Attempt(address: Array(address.utf8), account: account, isKnown: known)
    }

    private static func check(_ steps: [Step], capacity: Int = 1_000) {
        let clock = TestClock()
        let (throttle, start) = (LoginThrottle(clock: clock.source, capacity: capacity), clock.now)
        for (number, step) in steps.enumerated() {
            clock.set(Timestamp(microseconds: start.microseconds + Int((step.at * 1e6).rounded())))
            let answer = decision(of: step.attempt, throttle, now: clock.source.monotonic())
            #expect(answer == step.answer, "step \(number) at \(step.at) s")
            guard answer == .allowed else { continue }
            switch step.outcome {
            case .wrong: break
            case .right: throttle.succeeded(step.attempt)
            case .busy: throttle.abandoned(step.attempt)
            }
        }
    }

    /// The decision at once; one that waits for its turn is to wait until then.
    private static func decision(
        of attempt: LoginThrottle.Attempt, _ throttle: LoginThrottle, now: Int
    ) -> LoginThrottle.Decision {
        switch throttle.begin(attempt, now: now) {
        case .decided(let decision): decision
        case .waits(let turn): .wait(seconds: (turn.at - now + second - 1) / second)
        }
    }

    private static let ann = ("192.0.2.1", "ann")

    private static func wrong(_ times: Int, _ who: (String, String), at: Double = 0) -> [Step] {
        (0..<times).map { _ in Step(at, who, .wrong) }
    }

    @Test func waitsDoubleUpToAMinute() {
        var steps = Self.wrong(5, Self.ann)
        var now = 0.0
        for wait in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            steps.append(Step(now, Self.ann, .wrong, .wait(seconds: wait)))
            steps.append(Step(now + 0.5, Self.ann, .wrong, .wait(seconds: wait)))
            steps.append(Step(now + Double(wait) - 0.001, Self.ann, .wrong, .wait(seconds: 1)))
            now += Double(wait)
            steps.append(Step(now, Self.ann, .wrong))
        }
        Self.check(steps)
    }

    @Test func whoIsRefusedDoesNotWaitLonger() {
        Self.check(
            Self.wrong(5, Self.ann)
                + (0..<100).map { Step(Double($0) / 101, Self.ann, .wrong, .wait(seconds: 1)) }
                + [Step(1, Self.ann, .right)])
    }

    /// Attempts from one address do not delay others: five failures on an account count for that address alone.
    @Test func anAccountIsNotSlowedFromOtherAddresses() {
        let steps = (1...20).map { Step(0, ("192.0.2.\($0)", "ann"), .wrong) }
        Self.check(
            steps + Self.wrong(4, ("192.0.2.1", "ann")) + [
                Step(0, ("192.0.2.1", "ann"), .wrong, .wait(seconds: 1)),
                Step(0, ("198.51.100.7", "ann"), .right),
                Step(0, ("192.0.2.2", "bob"), .right),
            ])
    }

    /// An attacker with a thousand addresses has a hundred attempts, and then a hundred an hour.
    @Test func aThousandAddressesHaveAHundredAttemptsAnHour() {
        let clock = TestClock()
        let throttle = LoginThrottle(clock: clock.source)
        var (count, isBounded) = (0, true)
        // One attempt a second for six hours, each from the next address, and Ann from hers every ten minutes.
        for second in 0..<(6 * 3600) {
            let guess = Self.attempt("guesser \(second % 1_000)", "ann")
            let now = clock.source.monotonic()
            if Self.decision(of: guess, throttle, now: now) == .allowed { count += 1 }
            isBounded = isBounded && count <= 100 + second / 36 + 1
            if second % 600 == 0 {
                let ann = Self.attempt("192.0.2.1", "ann", known: true)
                #expect(Self.decision(of: ann, throttle, now: now) == .allowed, "at \(second) s")
                throttle.succeeded(ann)
            }
            clock.advance(bySeconds: 1)
        }
        #expect(isBounded && 650...700 ~= count)
    }

    @Test func afterAHundredOnlyStrangersWait() {
        let flood = (0..<100).map { Step(0, ("guesser \($0)", "ann"), .wrong) }
        Self.check(
            flood + [
                Step(10, ("198.51.100.7", "ann"), .right, .wait(seconds: 26)),
                Step(10, ("192.0.2.1", "ann"), .wrong, known: true),
                Step(10, ("192.0.2.1", "ann"), .right, known: true),
                Step(10, ("198.51.100.7", "bob"), .right),
                Step(36, ("198.51.100.7", "ann"), .right),
            ])
    }

    /// The owner's own mistakes do not count for the account, and a flood from the owner's address is no obstacle on
    /// other accounts than those that it tries.
    @Test func aKnownAddressCountsForItselfAlone() {
        Self.check(
            Self.wrong(5, ("192.0.2.1", "account")) + [
                Step(0, ("192.0.2.1", "ann"), .right, .wait(seconds: 1)),
                Step(0, ("192.0.2.1", "ann"), .right, known: true),
            ]
                + (0..<4).map { _ in Step(0, ("192.0.2.1", "ann"), .wrong, known: true) }
                + [Step(0, ("192.0.2.1", "ann"), .wrong, known: true)]
                + [Step(0, ("192.0.2.1", "ann"), .right, .wait(seconds: 1), known: true)])
    }

    @Test func successClearsTheAccountAtThatAddress() {
        let (here, there) = (("192.0.2.1", "ann"), ("192.0.2.2", "ann"))
        Self.check(
            Self.wrong(4, here).map { Step($0.at, here, $0.outcome, known: true) } + Self.wrong(4, there)
                + [Step(0, here, .right, known: true)]
                + (0..<5).map { _ in Step(0, here, .wrong, known: true) } + Self.wrong(1, there)
                + [
                    Step(0, here, .wrong, .wait(seconds: 1), known: true),
                    Step(0, there, .wrong, .wait(seconds: 1)),
                ])
    }

    /// Otherwise an attacker would log in to an account of their own after every fourth guess.
    @Test func successDoesNotClearTheAddress() {
        Self.check(
            Self.wrong(2, ("192.0.2.1", "ann")) + [Step(0, ("192.0.2.1", "mallory"), .right)]
                + Self.wrong(2, ("192.0.2.1", "bob")) + [Step(0, ("192.0.2.1", "mallory"), .right)]
                + [
                    Step(0, ("192.0.2.1", "carol"), .wrong),
                    Step(0, ("192.0.2.1", "mallory"), .right, .wait(seconds: 1)),
                ])
    }

    @Test func whatTheServerWasTooBusyForIsNoFailure() {
        Self.check((0..<100).map { _ in Step(0, Self.ann, .busy) } + Self.wrong(5, Self.ann))
    }

    @Test func guessesSentTogetherDoNotAllGetThrough() {
        let throttle = LoginThrottle(clock: TestClock().source)
        let answers = (0..<100).map { _ in Self.decision(of: Self.attempt("192.0.2.1", "ann"), throttle, now: 0) }
        #expect(answers.filter { $0 == .allowed }.count == 5)
    }

    @Test(arguments: [(14.99 * 60, false), (15.0 * 60, true), (1_000_000.0, true)])
    func whatIsQuietForAQuarterOfAnHourIsForgotten(quiet: Double, isForgotten: Bool) {
        Self.check(
            Self.wrong(5, Self.ann) + [Step(quiet, Self.ann, .wrong)]
                + (isForgotten ? Self.wrong(4, Self.ann, at: quiet) : [])
                + [Step(quiet, Self.ann, .wrong, .wait(seconds: isForgotten ? 1 : 2))])
    }

    /// In a day: guessing steadily against pausing whenever that starts over.
    @Test func pausingAllowsNoMoreGuesses() {
        func guesses(pausingAfter limit: Int) -> Int {
            let throttle = LoginThrottle(clock: TestClock().source)
            var (now, count, sincePause) = (0, 0, 0)
            while now < 86_400 * Self.second {
                switch Self.decision(of: Self.attempt("192.0.2.1", "ann"), throttle, now: now) {
                case .allowed:
                    count += 1
                    sincePause += 1
                    if sincePause == limit { (now, sincePause) = (now + 900 * Self.second, 0) }
                case .wait(let seconds): now += seconds * Self.second
                }
            }
            return count
        }
        let steady = guesses(pausingAfter: .max)
        #expect(1_440...1_460 ~= steady)
        for limit in [1, 4, 5, 6, 7, 10, 30] {
            #expect(guesses(pausingAfter: limit) <= steady, "pausing after \(limit)")
        }
    }

    @Test func aFloodOfNamesNeitherGrowsItNorResetsAnybody() {
        let throttle = LoginThrottle(clock: TestClock().source, capacity: 100)
        for _ in 0..<5 { _ = Self.decision(of: Self.attempt("192.0.2.1", "ann"), throttle, now: 0) }
        for number in 0..<2_000 {
            _ = Self.decision(of: Self.attempt("198.51.100.\(number)", "nobody \(number)"), throttle, now: number)
            #expect(throttle.entryCount <= 200)
        }
        #expect(Self.decision(of: Self.attempt("192.0.2.1", "ann"), throttle, now: 20_000) == .wait(seconds: 1))
        // Newcomers share the count of the flood, for a minute at most; not those who come from where they were before.
        guard case .wait(let seconds) = Self.decision(of: Self.attempt("203.0.113.1", "bob"), throttle, now: 20_000)
        else {
            Issue.record("the flood has left room")
            return
        }
        #expect(1...60 ~= seconds)
        #expect(Self.decision(of: Self.attempt("203.0.113.1", "bob", known: true), throttle, now: 20_000) == .allowed)
        let later = Self.decision(of: Self.attempt("203.0.113.1", "bob"), throttle, now: 20_000 + 60 * Self.second)
        #expect(later == .allowed)
    }

    @Test func namesOfAnyLengthAreTakenAndDiffer() {
        let throttle = LoginThrottle(clock: TestClock().source)
        let long = String(repeating: "x", count: 100_000)
        for _ in 0..<5 { _ = Self.decision(of: Self.attempt("192.0.2.1", long, known: true), throttle, now: 0) }
        let answers = [long, long + "x"].map {
            Self.decision(of: Self.attempt("192.0.2.1", $0, known: true), throttle, now: 0)
        }
        #expect(answers == [.wait(seconds: 1), .allowed])
    }
}
