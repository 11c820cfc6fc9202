import Bytes
import Platform
import Synchronization

/// The turns of streamed bodies: all together are sent at a limited rate, and networks take turns.
///
/// A part is paid for in two steps, since its size is known only when it was made: a usual size before, the difference
/// after. It has no lock of its own; time is monotonic nanoseconds.
struct StreamTurns<Element: Sendable>: Sendable {
    /// What a part costs before its size is known, in bytes.
    static var usualPart: Int { 32 * 1024 }
    /// The time without parts that may be made up for, in nanoseconds.
    private static var burst: Int { 100_000_000 }

    private let rate: Int
    /// When everything that was sent is paid for.
    private var paidAt = Int.min
    private var waiting = FairQueue<Element>(limit: .max, limitPerNetwork: .max)

    /// A rate in bytes per second.
    init(rate: Int) {
        self.rate = max(1, rate)
    }

    /// When the next turn begins; `Int.max` when nobody waits.
    var next: Int { waiting.isEmpty ? .max : paidAt }

    /// Takes a turn at once; false when it must wait.
    mutating func take(now: Int) -> Bool {
        guard waiting.isEmpty, paidAt <= now else { return false }
        pay(Self.usualPart, now)
        return true
    }

    mutating func wait(_ element: Element, of network: ClientNetwork?) {
        _ = waiting.append(element, of: network?.bytes ?? [])
    }

    /// The next one whose turn it is; nil when nobody waits or all must wait.
    mutating func popFirst(now: Int) -> Element? {
        guard paidAt <= now, let element = waiting.popFirst() else { return nil }
        pay(Self.usualPart, now)
        return element
    }

    /// Pays the difference when the size of a part is known; 0 when no part was made.
    mutating func correct(size: Int) {
        paidAt += time(size) - time(Self.usualPart)
    }

    private mutating func pay(_ bytes: Int, _ now: Int) {
        paidAt = max(paidAt, now - Self.burst) + time(bytes)
    }

    private func time(_ bytes: Int) -> Int { bytes * 1_000_000_000 / rate }
}

/// The turns of the streamed bodies of all event loops.
final class SharedStreamTurns: Sendable {
    private let turns: Mutex<StreamTurns<(Mailbox, ResponseToken)>>
    private let nextTurn = Atomic<Int>(.max)

    init(rate: Int) {
        turns = Mutex(StreamTurns(rate: rate))
    }

    /// When `giveTurns` should be called next; `Int.max` when nobody waits.
    var next: Int { nextTurn.load(ordering: .relaxed) }

    /// Takes a turn at once; if it must wait, false, and the mailbox gets a message when its turn has come.
    func take(_ token: ResponseToken, of network: ClientNetwork?, _ mailbox: Mailbox, now: Int) -> Bool {
        turns.withLock { turns in
            if turns.take(now: now) { return true }
            turns.wait((mailbox, token), of: network)
            nextTurn.store(turns.next, ordering: .relaxed)
            return false
        }
    }

    func correct(size: Int) {
        turns.withLock { $0.correct(size: size) }
    }

    /// Tells those whose turn has come. One of the loops whose time is `next` or later does it for all.
    func giveTurns(now: Int) {
        guard now >= next else { return }
        var given: [(Mailbox, ResponseToken)] = []
        turns.withLock { turns in
            while let next = turns.popFirst(now: now) { given.append(next) }
            nextTurn.store(turns.next, ordering: .relaxed)
        }
        for (mailbox, token) in given { mailbox.post(.turn(token)) }
    }
}
