import Bytes
import HTTP

/// A load without its sockets: decides which connection asks what and when, and counts what comes of it.
///
/// The shell around it (`LoadGenerator`) moves bytes and tells the time, in monotonic nanoseconds:
///
/// 1. Open what `connectionsToOpen` names; tell by `opening`, `opened` or `failed` what came of it; then `begin`.
/// 2. While `start` names a connection, send `request` on it.
/// 3. Give it what arrives, close what it no longer wants, now and then ask for `overdue` ones.
/// 4. When `isDone`, or when it is enough, call `finish`.
struct LoadRun: Sendable {
    /// What to do with a connection after bytes came.
    enum Next {
        /// Wait for more.
        case wait
        /// It is free again.
        case free
        /// Close it; `connectionsToOpen` tells when to open it again.
        case close
    }

    private(set) var tally = LoadTally()
    private(set) var schedule: LoadSchedule
    /// The bytes of the request that `start` has just started.
    private(set) var request: [UInt8] = []

    private var source: RequestSource
    private var connections: [LoadConnection]
    private let timeout: Int
    private var busyCount = 0
    /// Connections that may be free, the one that has waited longest first, so that all of them stay in use.
    private var freeSlots: SlotQueue

    /// How long a connection that did not come about is left alone.
    static let retryDelay = 100_000_000

    /// A load over so many connections, all closed yet.
    ///
    /// - Parameter timeout: how long connecting or an answer may take, in nanoseconds.
    init(source: RequestSource, schedule: LoadSchedule, connections: Int, timeout: Int) {
        (self.source, self.schedule, self.timeout) = (source, schedule, timeout)
        self.connections = [LoadConnection](repeating: LoadConnection(), count: connections)
        freeSlots = SlotQueue(capacity: connections)
    }

    // MARK: Time

    /// The first request is due now.
    mutating func begin(now: Int) {
        schedule.begin(now: now)
    }

    /// Whether the time is over and nothing is under way.
    func isDone(now: Int) -> Bool { schedule.isOver(now: now) && busyCount == 0 }

    /// Ends it, also before its time: what is under way counts as unanswered.
    mutating func finish(now: Int) {
        schedule.stop(now: now)
        tally.unanswered = busyCount + schedule.neverStarted
    }

    /// When a request will be due for which a connection is free; nil when there is none.
    var nextStart: Int? { freeSlots.isEmpty ? nil : schedule.nextDue }

    // MARK: Connections

    /// The connections to open now.
    func connectionsToOpen(now: Int) -> [Int] { connections.indices.filter { mayOpen($0, now: now) } }

    /// Whether a connection is to be opened now.
    func mayOpen(_ slot: Int, now: Int) -> Bool {
        !schedule.isOver(now: now) && connections[slot].phase == .closed && connections[slot].since <= now
    }

    /// Whether every connection has come about, or has failed to.
    var isSettled: Bool {
        connections.allSatisfy { $0.phase != .opening && ($0.phase != .closed || $0.since > 0) }
    }

    /// Connections whose time is over. Their failure is counted; close them.
    mutating func overdue(now: Int) -> [Int] {
        let slots = connections.indices.filter {
            let isWaiting = connections[$0].phase == .busy || connections[$0].phase == .opening
            return isWaiting && now - connections[$0].since >= timeout
        }
        for slot in slots { fail(slot, .timeout, now: now) }
        return slots
    }

    func phase(of slot: Int) -> LoadConnection.Phase { connections[slot].phase }

    mutating func opening(_ slot: Int, now: Int) {
        connections[slot].open(now: now)
    }

    mutating func opened(_ slot: Int, now: Int) {
        connections[slot].opened(now: now)
        freeSlots.append(slot)
    }

    /// The connection did not come about or broke; close it.
    mutating func fail(_ slot: Int, _ failure: LoadFailure, now: Int) {
        let phase = connections[slot].phase
        // A server may close a connection on which nothing is asked.
        if phase != .free || failure == .malformed { tally.count(failure) }
        close(slot, until: phase == .free || phase == .busy ? now : now + Self.retryDelay)
    }

    private mutating func close(_ slot: Int, until moment: Int) {
        if connections[slot].phase == .busy { busyCount -= 1 }
        connections[slot].close(until: moment)
    }

    // MARK: Requests

    /// Starts the next request if one is due and a connection is free: which connection is to send `request`.
    mutating func start(now: Int) -> Int? {
        while let slot = freeSlots.first, connections[slot].phase != .free { freeSlots.removeFirst() }
        guard let slot = freeSlots.first, let due = schedule.take(now: now) else { return nil }
        freeSlots.removeFirst()
        request.removeAll(keepingCapacity: true)
        source.appendNext(to: &request)
        connections[slot].ask(due: due, now: now, answersHead: source.method == .head)
        busyCount += 1
        return slot
    }

    /// Takes bytes that came on a connection.
    mutating func received(_ slot: Int, _ input: Span<UInt8>, now: Int) -> Next {
        tally.bytes += input.count
        do throws(ResponseReader.Malformed) {
            return note(try connections[slot].receive(input, now: now), slot, now: now)
        } catch {
            fail(slot, .malformed, now: now)
            return .close
        }
    }

    /// The server has closed a connection; so close it here too.
    mutating func ended(_ slot: Int, now: Int) {
        guard connections[slot].phase == .busy else { return fail(slot, .closed, now: now) }
        do throws(ResponseReader.Malformed) {
            if note(try connections[slot].inputEnded(now: now), slot, now: now) == .close { return }
        } catch {}
        fail(slot, .closed, now: now)
    }

    private mutating func note(_ outcome: LoadConnection.Outcome, _ slot: Int, now: Int) -> Next {
        guard case .answered(let status, let staysOpen) = outcome else { return .wait }
        busyCount -= 1
        tally.count(status: status, duration: now - connections[slot].due, isInTime: !schedule.isOver(now: now))
        if staysOpen {
            freeSlots.append(slot)
            return .free
        }
        close(slot, until: now)
        return .close
    }
}

/// Slots in the order in which they came, none of them twice.
private struct SlotQueue: Sendable {
    private var slots: [Int]
    private var isInside: [Bool]
    private var head = 0
    private var count = 0

    init(capacity: Int) {
        slots = [Int](repeating: 0, count: capacity)
        isInside = [Bool](repeating: false, count: capacity)
    }

    var isEmpty: Bool { count == 0 }

    var first: Int? { count == 0 ? nil : slots[head] }

    mutating func append(_ slot: Int) {
        guard !isInside[slot] else { return }
        isInside[slot] = true
        slots[(head + count) % slots.count] = slot
        count += 1
    }

    mutating func removeFirst() {
        isInside[slots[head]] = false
        head = (head + 1) % slots.count
        count -= 1
    }
}
