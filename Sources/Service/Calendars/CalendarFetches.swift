import Bytes
import SookeModel
import Store
import Synchronization

/// What a server knows of the calendars that are fetched, in memory: the records of `PulledCalendar` are the list.
package final class CalendarFetches: Sendable {
    struct State {
        var triedAt: Timestamp?
        /// In a row.
        var failures = 0
        /// Whether one of its events begins within a day.
        var isSoon = false
        var isAsked = false
        /// Until when nobody else fetches it, in nanoseconds.
        var lease = 0
        var etag: String?
        var lastModified: String?
        var goodAt: Timestamp?
        var leftOut: [String] = []
    }

    /// A look at a calendar before it is added: one a person, for ten minutes.
    package struct Check: Sendable {
        package let token: String
        let person: Int?
        package let calendar: PulledCalendar
        let madeAt: Int
        var lease = 0
        package var result: CalendarPreview?
    }

    private struct Memory {
        var states: [Int: State] = [:]
        var checks: [Check] = []
        var askedAt: Int?
        var counts: [FetchedAnswer.Outcome: Int] = [:]
    }

    private let clock: TimeSource
    private let memory = Mutex(Memory())

    /// Longer than a fetch with all its hops takes, in nanoseconds.
    private static let lease = 120_000_000_000
    private static let silence = 600_000_000_000
    private static let checkTime = 600_000_000_000
    private static let mostChecks = 50
    private static let (soon, usual, longest) = (3_600, 6 * 3_600, 86_400)

    init(clock: TimeSource) { self.clock = clock }

    /// Whether something has asked lately what is due.
    package var isFollowed: Bool {
        memory.withLock(\.askedAt).map { clock.monotonic() - $0 < Self.silence } ?? false
    }

    package var counts: [FetchedAnswer.Outcome: Int] { memory.withLock(\.counts) }

    func count(_ outcome: FetchedAnswer.Outcome) { memory.withLock { $0.counts[outcome, default: 0] += 1 } }

    package func state(of id: Int) -> (goodAt: Timestamp?, leftOut: [String]) {
        memory.withLock { memory in
            let state = memory.states[id]
            return (state?.goodAt, state?.leftOut ?? [])
        }
    }

    func change(_ id: Int, _ body: (inout State) -> Void) {
        memory.withLock { body(&$0.states[id, default: State()]) }
    }

    /// When it is to be fetched next: at its own minute of an hour or of six, so that not all come at once.
    package func due(_ calendar: PulledCalendar) -> Timestamp? {
        memory.withLock { Self.due(calendar, $0.states[calendar.id] ?? State()) }
    }

    private static func due(_ calendar: PulledCalendar, _ state: State) -> Timestamp? {
        if calendar.isPaused { return nil }
        guard !state.isAsked, let last = state.triedAt ?? calendar.lastGoodAt else { return .epoch }
        let failing = min(longest, soon << min(state.failures, 5))
        let every = state.failures > 0 ? failing : state.isSoon ? soon : usual
        let offset = Int(XXH64.digest(Array("\(calendar.id)".utf8).span) % UInt64(every))
        let seconds = last.microseconds / 1_000_000 - offset
        return Timestamp(microseconds: ((seconds / every + 1) * every + offset) * 1_000_000)
    }

    /// The next one to fetch, which nobody else gets for a while: a check before all others.
    func take(of calendars: some Sequence<PulledCalendar>, at now: Timestamp) -> FetchRequest? {
        let time = clock.monotonic()
        return memory.withLock { memory in
            memory.askedAt = time
            memory.checks.removeAll { time - $0.madeAt > Self.checkTime }
            if let index = memory.checks.firstIndex(where: { $0.result == nil && $0.lease < time }) {
                memory.checks[index].lease = time + Self.lease
                return FetchRequest(check: memory.checks[index].token, memory.checks[index].calendar.address)
            }
            for calendar in calendars {
                let state = memory.states[calendar.id] ?? State()
                guard let due = Self.due(calendar, state), due <= now, state.lease < time else { continue }
                memory.states[calendar.id, default: State()].lease = time + Self.lease
                let (etag, modified) = (state.etag ?? calendar.etag, state.lastModified ?? calendar.lastModified)
                return FetchRequest(calendar: calendar.id, calendar.address, etag, modified)
            }
            return nil
        }
    }

    /// Nil when too many people look at once.
    func add(_ calendar: PulledCalendar, by person: Int?, token: String) -> Check? {
        let time = clock.monotonic()
        return memory.withLock { memory in
            memory.checks.removeAll { time - $0.madeAt > Self.checkTime || $0.person == person }
            guard memory.checks.count < Self.mostChecks else { return nil }
            let check = Check(token: token, person: person, calendar: calendar, madeAt: time)
            memory.checks.append(check)
            return check
        }
    }

    package func check(_ token: String, of person: Int?) -> Check? {
        memory.withLock { memory in
            memory.checks.first { $0.token.hasSameBytes(as: token) && $0.person == person }
        }
    }

    package func calendar(ofCheck token: String) -> PulledCalendar? {
        memory.withLock { $0.checks.first { $0.token.hasSameBytes(as: token) }?.calendar }
    }

    func end(_ token: String, with preview: CalendarPreview) {
        memory.withLock { memory in
            guard let index = memory.checks.firstIndex(where: { $0.token.hasSameBytes(as: token) }) else { return }
            memory.checks[index].result = preview
        }
    }
}

package struct FetchRequest: Sendable {
    package var calendar: Int?
    package var check: String?
    package let address: String
    package var etag: String?
    package var lastModified: String?

    init(calendar: Int, _ address: String, _ etag: String?, _ lastModified: String?) {
        (self.calendar, self.address, self.etag, self.lastModified) = (calendar, address, etag, lastModified)
    }

    init(check: String, _ address: String) { (self.check, self.address) = (check, address) }
}

package struct FetchedAnswer: Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case good
        case unchanged
        case failed
    }

    package var outcome: Outcome
    package var bytes: [UInt8]
    package var etag: String?
    package var lastModified: String?
    /// Why it failed, in the words of its server.
    package var words: String?

    package init(_ outcome: Outcome, _ bytes: [UInt8] = []) { (self.outcome, self.bytes) = (outcome, bytes) }
}

package struct CalendarPreview: Sendable {
    package var coming = 0
    package var until: Timestamp?
    package var first: [Event] = []
    package var leftOut: [String] = []
    package var twins: [EventRecord] = []
    /// Why there is nothing: it is no calendar, or no answer came.
    package var problem: String?
    /// The addresses of calendars that a web page names.
    package var links: [(name: String, address: String)] = []

    package init() {}
}
