import CSystem
import Glibc

/// One connection, with one request under way at most.
private struct LoadConnection {
    enum Phase {
        case closed, opening, free, busy
    }

    private(set) var phase = Phase.closed
    /// When the phase began; of a closed connection, when it may be opened again.
    private(set) var since = 0
    /// The time from which the latency of the request counts.
    var due = 0
    var descriptor: CInt = -1
    /// What the system has not taken of the request.
    var unsent: [UInt8] = []
    var reader = ResponseReader()

    mutating func begin(_ phase: Phase, now: Int) {
        (self.phase, since) = (phase, now)
        if phase != .busy { unsent = [] }
    }
}

/// Sends requests over many connections on one thread.
///
/// 1. Wait until a socket is ready, a request is due or a tenth of a second is over.
/// 2. Read once from each ready socket and start what is due, on free connections.
/// 3. Now and then close what is overdue and open what is closed.
struct LoadGenerator {
    private var options: LoadOptions
    private var schedule: LoadSchedule
    private var connections: [LoadConnection]
    /// Connections that may be free, the one that has waited longest first, so that all of them stay in use.
    private var freeSlots: [Int] = []
    private var firstFree = 0
    private var busyCount = 0
    private var tally = LoadTally()
    private var requests: RequestSource
    private var input = [UInt8](repeating: 0, count: 64 << 10)
    private let poller = epoll_create1(0)

    private static let second = 1_000_000_000
    private static let sweepInterval = second / 10

    init(_ options: LoadOptions) {
        self.options = options
        schedule = LoadSchedule(rate: options.rate, seconds: options.seconds)
        connections = [LoadConnection](repeating: LoadConnection(), count: options.connections)
        requests = RequestSource(options)
    }

    /// The results as JSON.
    var report: String { tally.json(span: schedule.span) }

    mutating func run() {
        let openedAt = now
        var (nextSweep, hasBegun) = (0, false)
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while true {
            if now >= nextSweep {
                nextSweep = now + Self.sweepInterval
                sweep()
            }
            if !hasBegun, isSettled || now - openedAt >= Self.second {
                schedule.begin(now: now)
                hasBegun = true
            }
            startDue()
            if hasBegun, now >= schedule.end, busyCount == 0 { break }
            var longest = hasBegun ? waitTime(until: nextSweep) : timespec(tv_sec: 0, tv_nsec: 1_000_000)
            let count = epoll_pwait2(poller, &events, CInt(events.count), &longest, nil)
            for event in events.prefix(Int(max(0, count))) { handle(event) }
        }
        tally.unanswered = busyCount + schedule.neverStarted
    }

    /// Whether every connection is open, or could not be opened.
    private var isSettled: Bool {
        connections.allSatisfy { $0.phase != .opening && ($0.phase != .closed || $0.since > 0) }
    }

    private var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * Self.second + time.tv_nsec
    }

    /// How long to wait for events, in nanoseconds: whole milliseconds would make each request of a fixed rate late.
    private func waitTime(until sweep: Int) -> timespec {
        var moment = sweep
        if now < schedule.end { moment = min(moment, schedule.end) }
        if firstFree < freeSlots.count, let due = schedule.nextDue { moment = min(moment, due) }
        let left = max(0, moment - now)
        return timespec(tv_sec: left / Self.second, tv_nsec: left % Self.second)
    }

    private func watch(_ slot: Int, _ operation: CInt, isSending: Bool) {
        let events = isSending ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
        var event = epoll_event(events: events, data: epoll_data_t(u64: UInt64(slot)))
        epoll_ctl(poller, operation, connections[slot].descriptor, &event)
    }

    private mutating func handle(_ event: epoll_event) {
        // A connection has one event in a turn at most, so that it is still the one that was watched.
        let slot = Int(event.data.u64)
        if connections[slot].phase == .opening {
            connected(slot)
        } else if event.events & ~EPOLLOUT.rawValue != 0 {
            receive(slot)
        } else {
            send(slot, connections[slot].unsent[...])
        }
        startDue()
    }

    private mutating func sweep() {
        for slot in connections.indices {
            let isWaiting = connections[slot].phase == .busy || connections[slot].phase == .opening
            if isWaiting, now - connections[slot].since >= options.timeout * Self.second { fail(slot, .timeout) }
            if connections[slot].phase == .closed, connections[slot].since <= now { open(slot) }
        }
    }
}

/// The connections.
extension LoadGenerator {
    private mutating func open(_ slot: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return fail(slot, .local) }
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        connections[slot].begin(.opening, now: now)
        connections[slot].descriptor = descriptor
        let result = withUnsafePointer(to: &options.address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else { return fail(slot, LoadFailure(errno)) }
        watch(slot, EPOLL_CTL_ADD, isSending: true)
    }

    private mutating func connected(_ slot: Int) {
        var (code, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        getsockopt(connections[slot].descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        guard code == 0 else { return fail(slot, LoadFailure(code)) }
        watch(slot, EPOLL_CTL_MOD, isSending: false)
        free(slot)
    }

    private mutating func free(_ slot: Int) {
        connections[slot].begin(.free, now: now)
        freeSlots.append(slot)
    }

    /// Counts a failure, unless a server closed a connection without a request, and closes the connection.
    private mutating func fail(_ slot: Int, _ failure: LoadFailure) {
        let phase = connections[slot].phase
        if phase != .free || failure == .malformed { tally.count(failure) }
        close(slot, retryDelay: phase == .free || phase == .busy ? 0 : Self.second / 10)
    }

    private mutating func close(_ slot: Int, retryDelay: Int) {
        if connections[slot].phase == .busy { busyCount -= 1 }
        if connections[slot].descriptor >= 0 { _ = Glibc.close(connections[slot].descriptor) }
        connections[slot].descriptor = -1
        connections[slot].begin(.closed, now: now + retryDelay)
        if retryDelay == 0 { open(slot) }
    }

    private mutating func receive(_ slot: Int) {
        let count = recv(connections[slot].descriptor, &input, input.count, 0)
        if count < 0 {
            if errno != EAGAIN { fail(slot, .reset) }
            return
        }
        if count == 0 { return fail(slot, .closed) }
        guard connections[slot].phase == .busy else { return fail(slot, .malformed) }
        switch connections[slot].reader.receive(input[..<count]) {
        case .needsMore: return
        case .malformed: fail(slot, .malformed)
        case .complete:
            let connection = connections[slot]
            tally.count(
                status: connection.reader.status, duration: now - connection.due, isInTime: now < schedule.end)
            if !connection.reader.staysOpen { return close(slot, retryDelay: 0) }
            busyCount -= 1
            free(slot)
        }
    }

    /// Starts what is due on the connections that are free.
    private mutating func startDue() {
        while firstFree < freeSlots.count {
            let slot = freeSlots[firstFree]
            if connections[slot].phase == .free {
                guard let due = schedule.take(now: now) else { return }
                connections[slot].begin(.busy, now: now)
                connections[slot].due = due
                connections[slot].reader.reset()
                busyCount += 1
                send(slot, requests.next()[...])
            }
            firstFree += 1
            if firstFree > connections.count {
                freeSlots.removeFirst(firstFree)
                firstFree = 0
            }
        }
    }

    private mutating func send(_ slot: Int, _ bytes: ArraySlice<UInt8>) {
        let descriptor = connections[slot].descriptor
        let sent = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
        // A broken connection shows when it is read from: its response may be there.
        guard sent >= 0 || errno == EAGAIN else { return }
        let wasWaiting = !connections[slot].unsent.isEmpty
        connections[slot].unsent = Array(bytes.dropFirst(max(0, sent)))
        let isWaiting = !connections[slot].unsent.isEmpty
        if wasWaiting != isWaiting { watch(slot, EPOLL_CTL_MOD, isSending: isWaiting) }
    }
}
