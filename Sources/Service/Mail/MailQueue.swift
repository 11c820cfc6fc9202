import Bytes
import SookeModel
import Synchronization

/// What a server knows of the e-mail under way, in memory: the records of `Mail` are the queue.
package final class MailQueue: Sendable {
    private struct State {
        /// The messages that were handed out, until when nobody else gets them.
        var leases: [Int: Int] = [:]
        var lastAsked: Int?
        var sweptOn: CivilDate?
    }

    /// What sends: a program of this machine that the server runs; nil for `sooke outside`.
    package let program: String?
    let perHour: Int
    private let clock: TimeSource
    private let state = Mutex(State())

    /// Longer than a message takes to be sent.
    private static let lease = 180_000_000_000
    static let mostWaiting = 5_000
    /// With the pauses between them, a day.
    static let mostTries = 14
    /// For how long one waits that nobody takes.
    static let waitSeconds = 7 * 86_400
    /// For how long what became of it is shown, and what was asked is known, so that it is not asked again.
    static let (storedSeconds, askedSeconds) = (8 * 86_400, 200 * 86_400)

    init(program: String?, perHour: Int, clock: TimeSource) {
        (self.program, self.perHour, self.clock) = (program, perHour, clock)
    }

    /// Nil when nothing has asked for messages since the start.
    var secondsSinceAsked: Int? { state.withLock(\.lastAsked).map { (clock.monotonic() - $0) / 1_000_000_000 } }

    /// - Returns: whether it is the first time that it is asked on a day.
    func beginAsking(on date: CivilDate) -> Bool {
        state.withLock { state in
            defer { (state.lastAsked, state.sweptOn) = (clock.monotonic(), date) }
            return state.sweptOn != date
        }
    }

    func lease(_ id: Int) -> Bool {
        let now = clock.monotonic()
        return state.withLock { state in
            if let end = state.leases[id], now < end { return false }
            state.leases[id] = now + Self.lease
            return true
        }
    }

    func endLease(_ id: Int) { state.withLock { $0.leases[id] = nil } }
}

package struct MailReport: Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case sent
        /// Nothing would change that.
        case refused
        case failed
    }

    package let id: Int
    package let outcome: Outcome
    /// Of the mail server, if it was not sent.
    package let words: String
    /// All that was said; it is stored for a test.
    package let conversation: String

    package init(_ id: Int, _ outcome: Outcome, words: String = "", conversation: String = "") {
        (self.id, self.outcome) = (id, outcome)
        (self.words, self.conversation) = (words.prefix(bytes: 300), conversation.prefix(bytes: 6_000))
    }
}
