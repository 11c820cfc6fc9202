import TestSupport
import Testing

@testable import HTTP

@Suite struct TimerWheelTests {
    private static let second = 1_000_000_000

    @Test func firesOnceItIsDueAndNotBefore() {
        var wheel = TimerWheel(now: 0)
        wheel.set(3, deadline: 10 * Self.second)
        var fired: [Int] = []
        wheel.takeExpired(now: 10 * Self.second - 1, into: &fired)
        #expect(fired == [])
        #expect(
            wheel.nextDeadline >= 10 * Self.second && wheel.nextDeadline <= 10 * Self.second + 2 * TimerWheel.tick)
        wheel.takeExpired(now: wheel.nextDeadline, into: &fired)
        #expect(fired == [3])
        #expect(wheel.nextDeadline == .max)
    }

    @Test func aNearerDeadlineMovesItAFartherOneDoesNot() {
        var wheel = TimerWheel(now: 0)
        wheel.set(0, deadline: 20 * Self.second)
        wheel.set(0, deadline: 5 * Self.second)
        wheel.set(0, deadline: 30 * Self.second)
        var fired: [Int] = []
        wheel.takeExpired(now: 6 * Self.second, into: &fired)
        #expect(fired == [0])
        wheel.takeExpired(now: 40 * Self.second, into: &fired)
        #expect(fired == [0])
    }

    /// Against a plain dictionary: whatever is set fires no earlier than a tick before it is asked again, and never
    /// late.
    @Test func agreesWithAPlainList() {
        var random = SplitMix64(seed: 7)
        var wheel = TimerWheel(now: 0)
        var due: [Int: Int] = [:]
        var now = 0
        for _ in 0..<20_000 {
            now += Int(random.next() % 400) * 1_000_000
            let slot = Int(random.next() % 60)
            switch random.next() % 4 {
            case 0:
                wheel.clear(slot)
                due[slot] = nil
            default:
                let deadline = now + Int(random.next() % 100_000) * 1_000_000
                wheel.set(slot, deadline: deadline)
                due[slot] = min(due[slot] ?? .max, deadline)
            }
            var fired: [Int] = []
            wheel.takeExpired(now: now, into: &fired)
            #expect(Set(fired).count == fired.count)
            for slot in fired {
                guard let deadline = due.removeValue(forKey: slot) else {
                    Issue.record("slot \(slot) was not set")
                    continue
                }
                // One beyond the turn of the wheel fires early, to be set again.
                if deadline > now {
                    wheel.set(slot, deadline: deadline)
                    due[slot] = deadline
                }
            }
            for (slot, deadline) in due {
                #expect(deadline > now - 2 * TimerWheel.tick, "slot \(slot) is late")
            }
            if let next = due.values.min() { #expect(wheel.nextDeadline <= next + 2 * TimerWheel.tick) }
        }
    }
}
