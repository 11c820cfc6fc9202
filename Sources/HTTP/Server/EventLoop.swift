import Bytes
import Platform

/// One thread with its share of the connections, whose bytes it moves between sockets and `ConnectionState`.
///
/// 1. Wait until a socket is ready, a message has arrived or a deadline is near.
/// 2. Read once from each ready socket, process its requests, send all responses in one write.
/// 3. Handle the expired deadlines.
///
/// An ordinary request costs no allocation: the loop lends its buffers for input, head and responses to the connection.
struct EventLoop: ~Copyable {
    let core: ServerCore
    let mailbox: Mailbox
    var poller: EpollPoller
    var acceptor: Acceptor?

    var connections: [Connection?] = []
    var generations: [UInt32] = []
    var freeSlots: [Int] = []
    var openCount = 0

    var deadlines = Deadlines()
    var encoder: ResponseEncoder
    /// Monotonic nanoseconds, read once per turn.
    var now: Int
    private var nextDateChange = 0
    private var isCrowded = false
    /// When the remaining connections are closed; set while the server stops.
    var stopDeadline: Int?

    /// No larger than the input that a waiting connection may store.
    var input = [UInt8](repeating: 0, count: 16 * 1024)
    var lentHead = RequestHead()
    var lentOutput: [UInt8] = []
    private var messages: [Mailbox.Message] = []

    var load: LoopLoad
    /// The end of the last work that was measured; nil when something that is not measured followed.
    var lap: Int?
    var yielding: [ResponseToken] = []
    var parked: [ParkedWork] = []
    var nextLook = Int.max
    var memory = MemoryReturn()
    private var expired: [Int] = []
    private var crashLabel: [UInt8] = []

    init(core: ServerCore, mailbox: Mailbox, acceptor: Acceptor?, poller: EpollPoller) {
        (self.core, self.mailbox, self.acceptor) = (core, mailbox, acceptor)
        self.poller = poller
        now = core.clock.monotonic()
        load = LoopLoad(now: now)
        encoder = ResponseEncoder(date: core.clock.wall(), requiresHTTPS: core.settings.requiresHTTPS)
    }

    mutating func run() {
        while stopDeadline == nil || openCount > 0 {
            let begin = core.clock.monotonic()
            let count = poller.wait(timeout: waitTime)
            now = core.clock.monotonic()
            load.waited(from: begin, until: now)
            lap = now
            refreshDate()
            for index in 0..<count { handle(poller.event(index)) }
            actOnDeadlines()
            resumeYielding()
            resumeParked()
            while let (mailbox, token) = core.turns.popFirst(now: now) { mailbox.post(.turn(token)) }
            returnMemory()
        }
        acceptor?.close()
        poller.close()
        mailbox.close()
    }

    /// In milliseconds, rounded up; -1 for none.
    private var waitTime: CInt {
        if !yielding.isEmpty { return 0 }
        let stop = stopDeadline.map { $0 > now ? $0 : .max } ?? .max
        let other = min(nextLook, core.turns.next, memory.next)
        let next = min(deadlines.next, acceptor?.resumption ?? .max, stop, other)
        if next == .max { return -1 }
        return CInt(clamping: max(0, (next - now + 999_999) / 1_000_000))
    }

    private mutating func refreshDate() {
        guard now >= nextDateChange else { return }
        let date = core.clock.wall()
        encoder.setDate(date)
        nextDateChange = now + 1_000_000_000 - date.microseconds % 1_000_000 * 1_000
    }

    private mutating func handle(_ event: ReadyEvent) {
        CrashReport.request = []
        let slot = Int(event.token & 0xFFFF_FFFF)
        if slot < connections.count {
            // An earlier event of this turn may have closed the connection, or even replaced it by another.
            guard let connection = connections[slot], connection.pollToken == event.token else { return }
            beginWork(for: connection)
            if !act(on: event, &connection.state, connection) { close(connection) }
            endWork(for: connection)
        } else if event.token == PollToken.mailbox {
            readMail()
        } else {
            acceptReady(Int(event.token - PollToken.listener))
        }
    }

    /// Names the request, without its query and without tokens in its path, for the report of a crash.
    mutating func enter(_ id: RequestID, _ method: Method?, _ target: ArraySlice<UInt8>) {
        crashLabel.removeAll(keepingCapacity: true)
        id.append(to: &crashLabel)
        crashLabel.append(" ")
        crashLabel.append(method?.name ?? "")
        crashLabel.append(" ")
        crashLabel.append(contentsOf: target.prefix(180).prefix { !"?_".utf8.contains($0) })
        CrashReport.request = crashLabel
    }

    private mutating func readMail() {
        mailbox.takeMessages(into: &messages)
        var taken: [Mailbox.Message] = []
        swap(&taken, &messages)
        for message in taken {
            switch message {
            case .response(let token, let render): deliver(render, for: token)
            case .wake(let token): wake(token)
            case .turn(let token): giveTurn(token)
            case .adopt(let accepted): adopt(accepted)
            case .listen(let listener): listen(listener)
            case .stop(let deadline): beginStopping(deadline)
            }
        }
        // A message holds the body of its request.
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &messages)
    }

    private mutating func returnMemory() {
        if now >= memory.next, memory.isDue(core.clientMemory, now: now) { Machine.returnFreedMemory() }
    }

    private mutating func actOnDeadlines() {
        let crowded = core.admission.isCrowded
        if crowded, !isCrowded {
            for case let connection? in connections {
                deadlines.set(connection.slot, deadline: connection.state.deadline(crowded: true))
            }
        }
        isCrowded = crowded
        deadlines.takeExpired(now: now, into: &expired)
        for slot in expired {
            if let connection = connections[slot], !timeOut(&connection.state, connection) { close(connection) }
        }
        expired.removeAll(keepingCapacity: true)
        if let resumption = acceptor?.resumption, now >= resumption { resumeAccepting() }
        if let stopDeadline, now >= stopDeadline {
            // Administrative requests are not aborted: they always run to their end.
            for case let connection? in connections where !(connection.ticket.isLocal && connection.state.hasResponses)
            {
                close(connection)
            }
        }
    }

    private mutating func timeOut(_ state: inout ConnectionState, _ connection: Connection) -> Bool {
        switch state.timeOut(now: now, crowded: isCrowded) {
        case .none:
            watchDeadline(state, connection)
            return true
        case .close:
            return false
        case .reject:
            refuse(&state)
            return settle(&state, connection)
        }
    }

    /// Inlined: a call would copy the state.
    @inline(__always)
    mutating func watchDeadline(_ state: borrowing ConnectionState, _ connection: Connection) {
        deadlines.set(connection.slot, deadline: state.deadline(crowded: isCrowded))
    }
}

/// Used on the thread of its loop only.
final class Connection {
    let descriptor: CInt
    let slot: Int
    let generation: UInt32
    let ticket: Admission.Ticket
    var state: ConnectionState
    /// Input that waits until responses have been sent.
    var carry: [UInt8] = []
    var interest: FileDescriptor.Events = .readable
    var countedMemory = 0
    /// The next part of its streamed body may be made.
    var hasTurn = false
    /// For which it has worked last, and the time that is not counted yet.
    var meteredNetwork: ClientNetwork?
    var work = 0

    init(_ accepted: AcceptedConnection, slot: Int, generation: UInt32, settings: ConnectionSettings, now: Int) {
        descriptor = accepted.descriptor
        ticket = accepted.ticket
        (self.slot, self.generation) = (slot, generation)
        state = ConnectionState(settings: settings, peer: accepted.peer, refusal: accepted.ticket.refusal, now: now)
    }

    var pollToken: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    func responseToken(_ number: UInt32) -> ResponseToken {
        ResponseToken(slot: UInt32(truncatingIfNeeded: slot), generation: generation, number: number)
    }
}

enum PollToken {
    static let mailbox: UInt64 = 0xFFFF_FFFF
    static let listener: UInt64 = 0xFFFF_FF00
}

extension EpollPoller {
    mutating func watch(_ mailbox: Mailbox, _ acceptor: Acceptor?) throws(SystemError) {
        try add(mailbox.descriptor.number, token: PollToken.mailbox, .readable)
        guard let acceptor else { return }
        for (index, listener) in acceptor.listeners.enumerated() {
            try add(listener.descriptor, token: PollToken.listener + UInt64(index), .readable)
        }
    }
}

/// How busy an event loop is, by the time that it does not wait for events, in nanoseconds.
struct LoopLoad {
    private static let window = 250_000_000

    /// For more than half of the last window.
    private(set) var isBusy = false
    private var start: Int
    private var waited = 0

    init(now: Int) {
        start = now
    }

    mutating func waited(from begin: Int, until now: Int) {
        waited += now - begin
        let elapsed = now - start
        guard elapsed >= Self.window else { return }
        isBusy = 2 * (elapsed - waited) > elapsed
        (start, waited) = (now, 0)
    }
}

/// Deadlines of many connections, in ticks of an eighth of a second. All slots are visited when the earliest has
/// passed: that takes a few microseconds for thousands.
///
/// An active connection keeps postponing its deadline. Only an earlier one counts at once; a later one is detected when
/// the old one fires, so the caller must check whether a deadline has really passed.
struct Deadlines {
    static let tick = 125_000_000

    /// Of each slot; `Int.max` when it is not set.
    private var ticks: [Int] = []
    /// A lower bound of the ticks that are set.
    private var earliest = Int.max

    var next: Int { earliest == .max ? .max : earliest * Self.tick }

    mutating func set(_ slot: Int, deadline: Int) {
        guard deadline != .max else { return }
        while ticks.count <= slot { ticks.append(.max) }
        // Rounded up: a slot that fires is due.
        ticks[slot] = min(ticks[slot], deadline / Self.tick + 1)
        earliest = min(earliest, ticks[slot])
    }

    mutating func clear(_ slot: Int) {
        if slot < ticks.count { ticks[slot] = .max }
    }

    mutating func takeExpired(now: Int, into slots: inout [Int]) {
        let nowTick = now / Self.tick
        guard earliest <= nowTick else { return }
        earliest = .max
        for slot in ticks.indices {
            if ticks[slot] <= nowTick {
                ticks[slot] = .max
                slots.append(slot)
            } else {
                earliest = min(earliest, ticks[slot])
            }
        }
    }
}
