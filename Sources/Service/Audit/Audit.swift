import Bytes
import JSON
import Platform
import SookeModel
import Synchronization

/// Records security events: all entries of people, except for repetitions; fewer of clients without an account.
///
/// - Entries of a person, or the owner of the server, about accounts, tokens, links and the whole town are always
///   stored.
/// - Logins, logouts, refusals and reached limits (429) of one account: ten of a kind in ten minutes, then their count.
/// - Failed logins and links without an account: one of a kind, from one network on one account, in ten minutes, then
///   their count; for a hundred kinds. They have a file of their own.
/// - Refused requests without an account: only their count in ten minutes.
///
/// A period ends with the first entry after it, when the audit is read, or when the server stops.
package final class Audit: Sendable {
    private struct State {
        var people = AuditRepeats(linesPerKind: 10, kindLimit: 1_000)
        var strangers = AuditRepeats(linesPerKind: 1, kindLimit: 100)
        var refusals = 0
        var began: Int?
    }

    private static let period = 600 * 1_000_000_000

    private let trail: any AuditTrail
    private let clock: TimeSource
    private let state = Mutex(State())
    private let strangersRefused = Atomic<Int>(0)
    private let loginsFailed = Atomic<Int>(0)

    package init(_ trail: any AuditTrail, clock: TimeSource) {
        (self.trail, self.clock) = (trail, clock)
    }

    /// Since the start.
    package var counts: (strangersRefused: Int, loginsFailed: Int) {
        (strangersRefused.load(ordering: .relaxed), loginsFailed.load(ordering: .relaxed))
    }

    /// Never waits.
    package func record(_ entry: AuditEntry) {
        if entry.action == .login, entry.result != .ok { loginsFailed.add(1, ordering: .relaxed) }
        let isUncountedRefusal = entry.isOfStranger && entry.action == .request
        if isUncountedRefusal { strangersRefused.add(1, ordering: .relaxed) }
        let now = clock.monotonic()
        state.withLock { state in
            if let began = state.began, now - began >= Self.period { endPeriod(&state) }
            if state.began == nil { state.began = now }
            if isUncountedRefusal {
                state.refusals += 1
            } else if entry.isOfStranger {
                if state.strangers.isStored(entry) { trail.append(entry.line, to: .strangers) }
            } else if entry.isStoredAlways || state.people.isStored(entry) {
                trail.append(entry.line, to: .people)
            }
        }
    }

    package func newest(_ limit: Int, of books: [AuditBook]) throws -> [[UInt8]] {
        flush()
        return try trail.newest(limit, of: books)
    }

    package func flush() {
        state.withLock { endPeriod(&$0) }
    }

    private func endPeriod(_ state: inout State) {
        let uncounted = state.strangers.uncounted
        for entry in state.people.takeCounts() { trail.append(entry.line, to: .people) }
        for entry in state.strangers.takeCounts() { trail.append(entry.line, to: .strangers) }
        appendCount(uncounted, .login, .failed)
        appendCount(state.refusals, .request, .refused)
        state.refusals = 0
        state.began = nil
    }

    private func appendCount(_ count: Int, _ action: AuditEntry.Action, _ result: AuditEntry.Result) {
        guard count > 0 else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("at", clock.wall().rfc3339)
        writer.member("action", action.rawValue)
        writer.member("result", result.rawValue)
        writer.member("count", count)
        writer.key("by")
        writer.null()
        writer.endObject()
        trail.append(writer.bytes + [ASCII.lineFeed], to: .strangers)
    }
}

extension AuditEntry {
    /// Successful actions, except logins and logouts, and all actions of the owner of the server.
    fileprivate var isStoredAlways: Bool {
        caller == .owner || result == .ok && action != .login && action != .logout
    }
}

package protocol AuditTrail: Sendable {
    /// It must not wait for a disk: it is called on the event loops.
    func append(_ line: [UInt8], to book: AuditBook)

    func newest(_ limit: Int, of books: [AuditBook]) throws -> [[UInt8]]
}

/// Each has its own space, so that entries without an account cannot displace those of people.
package enum AuditBook: Sendable, CaseIterable {
    case people
    case strangers
}

/// Decides which entries of a period are stored individually, and counts the others.
struct AuditRepeats {
    /// Of the same account, or of the same network without an account.
    private struct Kind: Hashable {
        let person: Int?
        let network: ClientNetwork?
        let action: AuditEntry.Action
        let status: Int
        let user: Int?

        init(_ entry: AuditEntry) {
            person = entry.caller.personID
            network = person == nil ? entry.network : nil
            (action, status, user) = (entry.action, entry.status, entry.subject.user)
        }
    }

    private let linesPerKind: Int
    private let kindLimit: Int
    private var kinds: [Kind: (count: Int, last: AuditEntry)] = [:]
    /// Of kinds beyond `kindLimit`.
    private(set) var uncounted = 0

    init(linesPerKind: Int, kindLimit: Int) {
        (self.linesPerKind, self.kindLimit) = (linesPerKind, kindLimit)
    }

    mutating func isStored(_ entry: AuditEntry) -> Bool {
        let kind = Kind(entry)
        guard let seen = kinds[kind] else {
            guard kinds.count < kindLimit else {
                uncounted += 1
                return false
            }
            kinds[kind] = (1, entry)
            return true
        }
        kinds[kind] = (seen.count + 1, entry)
        return seen.count < linesPerKind
    }

    mutating func takeCounts() -> [AuditEntry] {
        let counted = kinds.values.filter { $0.count > linesPerKind }.map { seen in
            var entry = seen.last
            entry.count = seen.count - linesPerKind
            return entry
        }
        kinds = [:]
        uncounted = 0
        return counted.sorted { $0.at < $1.at }
    }
}
