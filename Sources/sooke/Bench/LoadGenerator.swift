import HTTP
import Synchronization

#if os(Linux)
    private typealias SystemPoller = EpollPoller
#else
    private typealias SystemPoller = PollPoller
#endif

/// Asks a server as a `LoadRun` says, over many connections on one thread.
///
/// 1. Wait until a socket is ready, a request is due or a tenth of a second is over.
/// 2. Read once from each ready socket and start what is due, on free connections.
/// 3. Now and then close what is overdue and open what is closed.
struct LoadGenerator: ~Copyable {
    /// The socket of a connection; -1 while it has none.
    private struct Endpoint {
        var descriptor: Int32 = -1
        /// Tells the sockets apart that a connection has one after the other.
        var generation: UInt64 = 0
        /// What the system did not take of the request.
        var unsent: [UInt8] = []
    }

    private var run: LoadRun
    private let address: SocketAddress
    private var endpoints: [Endpoint]
    private var poller: SystemPoller
    private let timer: DueTimer
    private var input = [UInt8](repeating: 0, count: 64 << 10)
    private let clock = TimeSource.system.monotonic
    private var nextSweep = 0

    private static let sweepInterval = 100_000_000
    /// How long the first request waits for connections that are slow to come about.
    private static let settlingTime = 1_000_000_000
    private static let timerToken = UInt64.max

    /// A generator that has no connection yet.
    init(_ run: LoadRun, connections: Int, to address: SocketAddress) throws(CommandError) {
        let timer = DueTimer()
        var poller: SystemPoller
        do throws(HTTP.SystemError) {
            poller = try SystemPoller()
            if let descriptor = timer.descriptor { try poller.add(descriptor, token: Self.timerToken, .read) }
        } catch {
            throw CommandError(.inputOutput, "cannot wait for connections: \(SystemError(code: error.code))")
        }
        (self.run, self.address, self.poller) = (run, address, poller)
        self.timer = timer
        endpoints = [Endpoint](repeating: Endpoint(), count: connections)
    }

    deinit {
        for endpoint in endpoints where endpoint.descriptor >= 0 { Socket.close(endpoint.descriptor) }
        var poller = poller
        poller.close()
    }

    /// Asks until the time is over or `stops` says so.
    ///
    /// - Parameter progress: is told ten times a second how many answers there are.
    consuming func measure(stops: () -> Bool, progress: (LoadTally) -> Void) -> LoadRun {
        let openedAt = clock()
        var hasBegun = false
        while true {
            let now = clock()
            if now >= nextSweep {
                sweep(now)
                progress(run.tally)
                if stops() { break }
            }
            if !hasBegun, run.isSettled || now - openedAt >= Self.settlingTime {
                run.begin(now: now)
                hasBegun = true
            }
            startDue()
            if hasBegun, run.isDone(now: now) { break }
            for index in 0..<poller.wait(timeout: waitTime(hasBegun)) { handle(poller.event(index)) }
        }
        run.finish(now: clock())
        return run
    }

    /// Milliseconds until something has to be done; the timer may end the waiting before.
    private mutating func waitTime(_ hasBegun: Bool) -> Int32 {
        guard hasBegun else { return 1 }
        let now = clock()
        var moment = nextSweep
        if !run.schedule.isOver(now: now) { moment = min(moment, run.schedule.end) }
        if let due = run.nextStart, due < moment {
            if timer.descriptor == nil { moment = due } else { timer.set(due) }
        }
        return Int32(clamping: max(0, (moment - now + 999_999) / 1_000_000))
    }

    private mutating func handle(_ event: ReadyEvent) {
        if event.token == Self.timerToken { return timer.clear() }
        let slot = Int(event.token & 0xFFFF_FFFF)
        // An earlier event of this turn may have closed the connection.
        guard endpoints[slot].descriptor >= 0, endpoints[slot].generation == event.token >> 32 else { return }
        if run.phase(of: slot) == .opening {
            connected(slot)
        } else if event.isReadable || event.hasFailed {
            receive(slot)
        } else if event.isWritable {
            sendRest(slot)
        }
        startDue()
    }

    private mutating func sweep(_ now: Int) {
        nextSweep = now + Self.sweepInterval
        for slot in run.overdue(now: now) { close(slot) }
        for slot in run.connectionsToOpen(now: now) { open(slot) }
    }
}

/// The sockets.
extension LoadGenerator {
    private mutating func open(_ slot: Int) {
        let now = clock()
        run.opening(slot, now: now)
        do throws(SystemError) {
            let (descriptor, isOpen) = try ClientSocket.connect(to: address)
            endpoints[slot].descriptor = descriptor
            endpoints[slot].generation = (endpoints[slot].generation + 1) & 0x7FFF_FFFF
            do throws(HTTP.SystemError) {
                try poller.add(descriptor, token: token(of: slot), isOpen ? .read : [.read, .write])
            } catch {
                throw SystemError(code: error.code)
            }
            if isOpen { run.opened(slot, now: now) }
        } catch {
            fail(slot, LoadFailure(error))
        }
    }

    private func token(of slot: Int) -> UInt64 { endpoints[slot].generation << 32 | UInt64(slot) }

    private mutating func connected(_ slot: Int) {
        let descriptor = endpoints[slot].descriptor
        if let failure = ClientSocket.failure(of: descriptor) { return fail(slot, LoadFailure(failure)) }
        poller.modify(descriptor, token: token(of: slot), .read)
        run.opened(slot, now: clock())
    }

    private mutating func fail(_ slot: Int, _ failure: LoadFailure) {
        run.fail(slot, failure, now: clock())
        close(slot)
    }

    private mutating func close(_ slot: Int) {
        guard endpoints[slot].descriptor >= 0 else { return }
        poller.remove(endpoints[slot].descriptor)
        Socket.close(endpoints[slot].descriptor)
        endpoints[slot].descriptor = -1
        endpoints[slot].unsent = []
    }

    /// Closes a connection that has had its day, and opens it again when that may be at once.
    private mutating func renew(_ slot: Int) {
        close(slot)
        if run.mayOpen(slot, now: clock()) { open(slot) }
    }

    private mutating func receive(_ slot: Int) {
        switch Socket.receive(endpoints[slot].descriptor, into: &input) {
        case .bytes(let count):
            // Taken out, since both the input and the run are this generator's.
            var bytes: [UInt8] = []
            swap(&bytes, &input)
            let next = run.received(slot, bytes.span.extracting(0..<count), now: clock())
            swap(&bytes, &input)
            if next == .close { renew(slot) }
        case .end:
            run.ended(slot, now: clock())
            renew(slot)
        case .wouldBlock: break
        case .failed:
            run.fail(slot, .reset, now: clock())
            renew(slot)
        }
    }

    /// Starts what is due on the connections that are free.
    private mutating func startDue() {
        while let slot = run.start(now: clock()) {
            let sent = send(slot, run.request)
            if sent == run.request.count { continue }
            if sent >= 0 {
                endpoints[slot].unsent = Array(run.request[sent...])
                poller.modify(endpoints[slot].descriptor, token: token(of: slot), [.read, .write])
            }
            // A broken connection shows when it is read from: its answer may stand there.
        }
    }

    private mutating func sendRest(_ slot: Int) {
        let sent = send(slot, endpoints[slot].unsent)
        guard sent >= 0 else { return }
        endpoints[slot].unsent.removeFirst(sent)
        if endpoints[slot].unsent.isEmpty {
            poller.modify(endpoints[slot].descriptor, token: token(of: slot), .read)
        }
    }

    /// How many bytes the system took; -1 when the connection is broken.
    private func send(_ slot: Int, _ bytes: [UInt8]) -> Int {
        let sent = bytes.withUnsafeBytes {
            Socket.send(
                endpoints[slot].descriptor, $0, UnsafeRawBufferPointer(start: nil, count: 0), moreFollows: false)
        }
        return sent == -1 ? 0 : max(-1, sent)
    }
}
