import Testing

@testable import Credentials

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
        var throttle = LoginThrottle(capacity: capacity)
        for (number, step) in steps.enumerated() {
            let now = Int(step.at * Double(second))
            let answer = throttle.admit(step.attempt, now: now)
            #expect(answer == step.answer, "step \(number) at \(step.at) s")
            guard answer == .allowed else { continue }
            switch step.outcome {
            case .wrong: break
            case .right: throttle.succeeded(step.attempt, now: now)
            case .busy: throttle.abandoned(step.attempt, now: now)
            }
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

    /// An attacker with a thousand addresses has a hundred attempts within any hour, and then waits.
    @Test func aThousandAddressesHaveAHundredAttemptsAnHour() {
        var throttle = LoginThrottle()
        var attempts: [Int] = []
        // One attempt a second for six hours, each from the next address, and Ann from hers every ten minutes.
        for second in 0..<(6 * 3600) {
            let now = second * Self.second
            let guess = Self.attempt("guesser \(second % 1_000)", "ann")
            if throttle.admit(guess, now: now) == .allowed { attempts.append(second) }
            guard second % 600 == 0 else { continue }
            let ann = Self.attempt("192.0.2.1", "ann", known: true)
            #expect(throttle.admit(ann, now: now) == .allowed, "at \(second) s")
            throttle.succeeded(ann, now: now)
        }
        for (index, second) in attempts.enumerated() where index >= 100 {
            #expect(second - attempts[index - 100] >= 3600, "more than 100 attempts within an hour, at \(second) s")
        }
        #expect(500...600 ~= attempts.count)
    }

    @Test func afterAHundredOnlyStrangersWait() {
        let flood = (0..<100).map { Step(0, ("guesser \($0)", "ann"), .wrong) }
        Self.check(
            flood + [
                Step(10, ("198.51.100.7", "ann"), .right, .wait(seconds: 3950)),
                Step(10, ("192.0.2.1", "ann"), .wrong, known: true),
                Step(10, ("192.0.2.1", "ann"), .right, known: true),
                Step(10, ("198.51.100.7", "bob"), .right),
                Step(3960, ("198.51.100.7", "ann"), .right),
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

    @Test func anAddressIsSlowedForAllAccounts() {
        let steps = (1...5).map { Step(0, ("192.0.2.1", "account \($0)"), .wrong) }
        Self.check(
            steps + [
                Step(0, ("192.0.2.1", "account 6"), .wrong, .wait(seconds: 1)),
                Step(0, ("192.0.2.2", "account 6"), .right),
            ])
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

    @Test func manyRightLoginsFromOneAddressAreNoFailures() {
        Self.check((0..<100).map { Step(0, ("192.0.2.1", "clerk \($0)"), .right) })
    }

    @Test func whatTheServerWasTooBusyForIsNoFailure() {
        Self.check((0..<100).map { _ in Step(0, Self.ann, .busy) } + Self.wrong(5, Self.ann))
    }

    @Test func guessesSentTogetherDoNotAllGetThrough() {
        var throttle = LoginThrottle()
        let answers = (0..<100).map { _ in throttle.admit(Self.attempt("192.0.2.1", "ann"), now: 0) }
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
            var throttle = LoginThrottle()
            var (now, count, sincePause) = (0, 0, 0)
            while now < 86_400 * Self.second {
                switch throttle.admit(Self.attempt("192.0.2.1", "ann"), now: now) {
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
        for limit in 1...30 { #expect(guesses(pausingAfter: limit) <= steady, "pausing after \(limit)") }
    }

    @Test func aFloodOfNamesNeitherGrowsItNorResetsAnybody() {
        var throttle = LoginThrottle(capacity: 100)
        for _ in 0..<5 { _ = throttle.admit(Self.attempt("192.0.2.1", "ann"), now: 0) }
        for number in 0..<10_000 {
            _ = throttle.admit(Self.attempt("198.51.100.\(number)", "nobody \(number)"), now: number)
            #expect(throttle.entryCount <= 200)
        }
        #expect(throttle.admit(Self.attempt("192.0.2.1", "ann"), now: 20_000) == .wait(seconds: 1))
        // Newcomers share the count of the flood, for a minute at most; not those who come from where they were before.
        guard case .wait(let seconds) = throttle.admit(Self.attempt("203.0.113.1", "bob"), now: 20_000)
        else {
            Issue.record("the flood has left room")
            return
        }
        #expect(1...60 ~= seconds)
        #expect(throttle.admit(Self.attempt("203.0.113.1", "bob", known: true), now: 20_000) == .allowed)
        let later = throttle.admit(Self.attempt("203.0.113.1", "bob"), now: 20_000 + 60 * Self.second)
        #expect(later == .allowed)
    }

    @Test func namesOfAnyLengthAreTakenAndDiffer() {
        var throttle = LoginThrottle()
        let long = String(repeating: "x", count: 100_000)
        for _ in 0..<5 { _ = throttle.admit(Self.attempt("192.0.2.1", long, known: true), now: 0) }
        let answers = [long, long + "x"].map { throttle.admit(Self.attempt("192.0.2.1", $0, known: true), now: 0) }
        #expect(answers == [.wait(seconds: 1), .allowed])
    }
}
