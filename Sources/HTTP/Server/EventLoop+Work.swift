import Limits
import Platform
import Synchronization

/// A request, or the next part of a streamed body, whose network has used its CPU time.
struct ParkedWork {
    enum Kind {
        case request(Request)
        case part
    }

    let kind: Kind
    let token: ResponseToken
    let network: ClientNetwork
    let since: Int
}

/// CPU time by network, from event to event by the cheap clock. Where a loop has to share its processor, networks have
/// their share of less. It is collected per connection, so that the table of networks is locked once for some fifty
/// small requests.
extension EventLoop {
    private static let leastCharge = 250_000
    /// Beyond it a request gets 429 at once.
    private static let parkedLimit = 1024
    /// All networks beyond their share have a third of a busy loop's time together, if no request takes more than 5 ms.
    private static let lookInterval = 10_000_000
    /// After which other connections have their turn before more of a pipeline, or of what was parked.
    private static let turnTime = 2_000_000

    mutating func beginWork(for connection: Connection) {
        if lap == nil, connection.state.isMetered { lap = core.clock.monotonic() }
    }

    mutating func endWork(for connection: Connection) {
        guard connection.state.isMetered, let begin = lap else { return lap = nil }
        let end = core.clock.monotonic()
        lap = end
        let network = connection.state.exchange.network
        if network != connection.meteredNetwork {
            chargeRest(of: connection)
            connection.meteredNetwork = network
        }
        connection.work += end - begin
        if connection.work >= Self.leastCharge { chargeRest(of: connection) }
    }

    mutating func chargeRest(of connection: Connection) {
        defer { connection.work = 0 }
        guard let network = connection.meteredNetwork, connection.work > 0 else { return }
        core.work.charge(connection.work, to: network, now: now)
    }

    /// Other connections have their turn before the next request of a pipeline.
    mutating func yieldWhenLate(_ state: inout ConnectionState, _ connection: Connection) {
        guard core.clock.monotonic() - now > Self.turnTime else { return }
        state.isYielding = true
        yielding.append(connection.responseToken(state.exchange.number))
    }

    mutating func resumeYielding() {
        if yielding.isEmpty { return }
        var tokens: [ResponseToken] = []
        swap(&tokens, &yielding)
        for token in tokens {
            guard let connection = connection(of: token) else { continue }
            beginWork(for: connection)
            connection.state.isYielding = false
            if !settle(&connection.state, connection) { close(connection) }
            endWork(for: connection)
        }
    }

    func mustWait(_ network: ClientNetwork?) -> Bool {
        guard load.isBusy, let network else { return false }
        return core.work.wait(of: network, now: now) > 0
    }

    /// Or refuses it. Called with the current request.
    mutating func park(_ request: Request, _ state: inout ConnectionState, _ connection: Connection) {
        guard let network = state.exchange.network else { return }
        guard parked.count < Self.parkedLimit else { return send(&state, refusal(of: request, network)) }
        let token = connection.responseToken(state.exchange.number)
        state.deferResponse()
        park(ParkedWork(kind: .request(request), token: token, network: network, since: now))
    }

    mutating func park(_ work: ParkedWork) {
        parked.append(work)
        nextLook = min(nextLook, now + Self.lookInterval)
    }

    private func refusal(of request: Request, _ network: ClientNetwork) -> Response {
        let wait = core.work.wait(of: network, now: now)
        let error = HTTPError.tooMuchWork(retryAfter: max(1, (wait + 999_999_999) / 1_000_000_000))
        return core.application.response(to: request, failing: error)
    }

    /// Refuses requests that have waited too long.
    mutating func resumeParked() {
        guard now >= nextLook else { return }
        var waiting: [ParkedWork] = []
        swap(&waiting, &parked)
        let end = now + Self.turnTime
        for work in waiting {
            if now >= end {
                parked.append(work)
            } else if mustWait(work.network) {
                refuseOrKeep(work)
            } else {
                resume(work)
            }
        }
        nextLook = parked.isEmpty ? .max : load.isBusy ? now + Self.lookInterval : now
    }

    private mutating func refuseOrKeep(_ work: ParkedWork) {
        if case .request(let request) = work.kind, now - work.since >= core.settings.limits.workWait {
            let response = refusal(of: request, work.network)
            deliver({ response }, for: work.token)
        } else if connection(of: work.token) == nil {
            mailbox.forget(work.token)
        } else {
            parked.append(work)
        }
    }

    private mutating func resume(_ work: ParkedWork) {
        guard let connection = connection(of: work.token) else { return mailbox.forget(work.token) }
        beginWork(for: connection)
        switch work.kind {
        case .request(let request): start(request, work)
        case .part: giveTurn(work.token, isPaid: false)
        }
        endWork(for: connection)
        // Counted at once, since the next parked request may be of the same network.
        chargeRest(of: connection)
        now = max(now, lap ?? now)
    }

    private mutating func start(_ request: Request, _ work: ParkedWork) {
        enter(request.id, request.method, request.target)
        do throws(HTTPError) {
            switch try core.application.respond(to: request) {
            case .now(let response): deliver({ response }, for: work.token)
            case .later(let start): start(deferredResponse(to: request, work.token, of: work.network))
            }
        } catch {
            let response = core.application.response(to: request, failing: error)
            deliver({ response }, for: work.token)
        }
    }

    func deferredResponse(to request: Request, _ token: ResponseToken, of network: ClientNetwork?) -> DeferredResponse {
        let application = core.application
        let (work, clock) = (core.work, core.clock)
        let charge = network.map { network in
            { @Sendable (time: Int) in work.charge(time, to: network, now: clock.monotonic()) }
        }
        return DeferredResponse(mailbox, token, charge) { application.response(to: request, failing: $0) }
    }
}

/// The CPU time of each network, and each site, on all event loops and other threads: each has a share of a second. One
/// request may cost more; the network waits then, but not for ever. Times are monotonic nanoseconds.
final class ProcessorTime: Sendable {
    private let share: Int
    private let siteShare: Int
    private let used: Mutex<Bucket<ClientNetwork>>
    /// Most of the time this alone shows that no network is over its share.
    private let lastFullAt = Atomic<Int>(0)

    /// Per second; `siteShare` for all networks of a site.
    init(share: Int, ofSite siteShare: Int) {
        (self.share, self.siteShare) = (share, siteShare)
        used = Mutex(Bucket(quota: share, seconds: 1, longestWait: 4))
    }

    func charge(_ time: Int, to network: ClientNetwork, now: Int) {
        used.withLock { used in
            used.charge(time, to: network, now: now)
            used.charge(time, of: siteShare, to: network.site, now: now)
            lastFullAt.store(used.lastFullAt, ordering: .relaxed)
        }
    }

    /// 0 when the network may work.
    func wait(of network: ClientNetwork, now: Int) -> Int {
        guard lastFullAt.load(ordering: .relaxed) - now > 1_000_000_000 else { return 0 }
        return used.withLock { max($0.wait(network, now: now), $0.wait(network.site, now: now)) }
    }
}
