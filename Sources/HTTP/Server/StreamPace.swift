import Limits
import Platform
import Synchronization

/// All streamed bodies together are sent at a limited rate, and networks take turns.
///
/// A part is paid for in two steps: a usual size before it is made, the difference after. Time: monotonic nanoseconds.
final class StreamPace<Element: Sendable>: Sendable {
    private struct State {
        var sent: Bucket<Bool>
        var waiting = FairQueue<Element>(limit: .max, limitPerNetwork: .max)

        var next: Int { sent.readyAt(true) }
    }

    /// In bytes.
    static var usualPart: Int { 32 * 1024 }

    private let state: Mutex<State>
    private let nextTurn = Atomic<Int>(.max)

    /// In bytes per second; a tenth of a second without parts may be made up for.
    init(rate: Int) {
        state = Mutex(State(sent: Bucket(quota: max(1, rate / 10), seconds: 0.1, longestWait: 60)))
    }

    /// When to call `popFirst`; `Int.max` when nobody waits.
    var next: Int { nextTurn.load(ordering: .relaxed) }

    /// False when it must wait; `popFirst` returns the element when its turn has come.
    func take(_ element: Element, of network: ClientNetwork?, now: Int) -> Bool {
        state.withLock { state in
            if state.waiting.isEmpty, state.next <= now {
                state.sent.charge(Self.usualPart, to: true, now: now)
                return true
            }
            _ = state.waiting.append(element, of: network?.bytes ?? [])
            nextTurn.store(state.next, ordering: .relaxed)
            return false
        }
    }

    /// One of the loops whose time is `next` or later calls it for all.
    func popFirst(now: Int) -> Element? {
        guard now >= next else { return nil }
        return state.withLock { state in
            let element = state.next <= now ? state.waiting.popFirst() : nil
            if element != nil { state.sent.charge(Self.usualPart, to: true, now: now) }
            nextTurn.store(state.waiting.isEmpty ? .max : state.next, ordering: .relaxed)
            return element
        }
    }

    /// 0 when no part was made.
    func correct(size: Int, now: Int) {
        state.withLock { $0.sent.charge(size - Self.usualPart, to: true, now: now) }
    }
}
