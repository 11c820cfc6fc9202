import Testing

@testable import Credentials

/// Five free failures, then doubling waits of up to a minute, and nobody is locked out.
@Suite struct LoginThrottleTests {
    private static let second = 1_000_000_000

    /// What becomes of an attempt that is let through.
    enum Outcome { case wrong, right, busy }

    /// An attempt of `who` (address, account) at a time in seconds.
    struct Step {
        let at: Double
        let who: (String, String)
        let outcome: Outcome
        let answer: LoginThrottle.Answer

        init(_ at: Double, _ who: (String, String), _ outcome: Outcome, _ answer: LoginThrottle.Answer = .allowed) {
            (self.at, self.who, self.outcome, self.answer) = (at, who, outcome, answer)
        }
    }

    private static func check(_ steps: [Step], capacity: Int = 1_000) {
        var throttle = LoginThrottle(capacity: capacity)
        for (number, step) in steps.enumerated() {
            let (now, (address, account)) = (Int(step.at * Double(second)), step.who)
            let answer = throttle.admit(address: address, account: account, now: now)
            #expect(answer == step.answer, "step \(number) at \(step.at) s")
            guard answer == .allowed else { continue }
            switch step.outcome {
            case .wrong: break
            case .right: throttle.succeeded(address: address, account: account, now: now)
            case .busy: throttle.abandoned(address: address, account: account, now: now)
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

    @Test func anAccountIsSlowedFromAllAddresses() {
        let steps = (1...5).map { Step(0, ("192.0.2.\($0)", "ann"), .wrong) }
        Self.check(
            steps + [
                Step(0, ("198.51.100.7", "ann"), .wrong, .wait(seconds: 1)),
                Step(0, ("192.0.2.1", "bob"), .right),
            ])
    }

    @Test func anAddressIsSlowedForAllAccounts() {
        let steps = (1...5).map { Step(0, ("192.0.2.1", "account \($0)"), .wrong) }
        Self.check(
            steps + [
                Step(0, ("192.0.2.1", "account 6"), .wrong, .wait(seconds: 1)),
                Step(0, ("192.0.2.2", "account 6"), .right),
            ])
    }

    @Test func successClearsTheAccount() {
        Self.check(
            (1...4).map { Step(0, ("192.0.2.\($0)", "ann"), .wrong) } + [Step(0, ("192.0.2.9", "ann"), .right)]
                + (11...15).map { Step(0, ("192.0.2.\($0)", "ann"), .wrong) }
                + [Step(0, ("192.0.2.16", "ann"), .wrong, .wait(seconds: 1))])
    }

    /// Else a guesser would log in to an account of his own after every fourth guess.
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
        let answers = (0..<100).map { _ in throttle.admit(address: "192.0.2.1", account: "ann", now: 0) }
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
                switch throttle.admit(address: "192.0.2.1", account: "ann", now: now) {
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
        for _ in 0..<5 { _ = throttle.admit(address: "192.0.2.1", account: "ann", now: 0) }
        for number in 0..<10_000 {
            _ = throttle.admit(address: "198.51.100.\(number)", account: "nobody \(number)", now: number)
            #expect(throttle.entryCount <= 200)
        }
        let known = throttle.admit(address: "203.0.113.1", account: "ann", now: 20_000)
        #expect(known == .wait(seconds: 1))
        // Newcomers share the count of the flood, for a minute at most.
        guard case .wait(let seconds) = throttle.admit(address: "203.0.113.1", account: "bob", now: 20_000)
        else {
            Issue.record("the flood has left room")
            return
        }
        #expect(1...60 ~= seconds)
        let later = throttle.admit(address: "203.0.113.1", account: "bob", now: 20_000 + 60 * Self.second)
        #expect(later == .allowed)
    }

    @Test func namesOfAnyLengthAreTakenAndDiffer() {
        var throttle = LoginThrottle()
        let long = String(repeating: "x", count: 100_000)
        for _ in 0..<5 { _ = throttle.admit(address: "", account: long, now: 0) }
        let answers = [long, long + "x"].map { throttle.admit(address: "192.0.2.1", account: $0, now: 0) }
        #expect(answers == [.wait(seconds: 1), .allowed])
    }
}
