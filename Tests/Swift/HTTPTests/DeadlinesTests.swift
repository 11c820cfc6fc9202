import TestSupport
import Testing

@testable import HTTP

@Suite struct DeadlinesTests {
    private static let second = 1_000_000_000

    @Test func firesOnceItIsDueAndNotBefore() {
        var deadlines = Deadlines()
        deadlines.set(3, deadline: 10 * Self.second)
        var fired: [Int] = []
        deadlines.takeExpired(now: 10 * Self.second - 1, into: &fired)
        #expect(fired == [])
        #expect(
            deadlines.next >= 10 * Self.second && deadlines.next <= 10 * Self.second + 2 * Deadlines.tick)
        deadlines.takeExpired(now: deadlines.next, into: &fired)
        #expect(fired == [3])
        #expect(deadlines.next == .max)
    }

    /// Against a plain dictionary: what is set fires no earlier than a tick before it is asked again, and never
    /// late.
    @Test func agreesWithAPlainList() {
        var random = SplitMix64(seed: 7)
        var deadlines = Deadlines()
        var due: [Int: Int] = [:]
        var now = 0
        for _ in 0..<2_000 {
            now += Int(random.next() % 400) * 1_000_000
            let slot = Int(random.next() % 60)
            switch random.next() % 4 {
            case 0:
                deadlines.clear(slot)
                due[slot] = nil
            default:
                let deadline = now + Int(random.next() % 100_000) * 1_000_000
                deadlines.set(slot, deadline: deadline)
                due[slot] = min(due[slot] ?? .max, deadline)
            }
            var fired: [Int] = []
            deadlines.takeExpired(now: now, into: &fired)
            #expect(Set(fired).count == fired.count)
            for slot in fired {
                guard let deadline = due.removeValue(forKey: slot) else {
                    Issue.record("slot \(slot) was not set")
                    continue
                }
                #expect(deadline <= now, "slot \(slot) is early")
            }
            let late = due.filter { $0.value <= now - 2 * Deadlines.tick }.keys
            #expect(late.isEmpty, "slots are late: \(late)")
            if let next = due.values.min() { #expect(deadlines.next <= next + 2 * Deadlines.tick) }
        }
    }
}
