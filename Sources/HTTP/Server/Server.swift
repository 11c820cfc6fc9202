import Bytes
import Platform
import Synchronization

package final class Server: Sendable {
    private enum State {
        case new
        case running(mailboxes: [Mailbox], threads: [Thread])
        case finished
    }

    private let configuration: ServerConfiguration
    private let core: ServerCore
    private let state = Mutex(State.new)
    /// For whose files the disk had no room.
    private let missing = Mutex<[ListenAddress]>([])

    /// `observe` is called for each response, also to refused requests, on the thread of a loop: it must not block.
    package init(
        configuration: ServerConfiguration, clock: TimeSource = .system, application: any Application,
        observe: (@Sendable (AccessRecord) -> Void)? = nil
    ) {
        self.configuration = configuration
        core = ServerCore(configuration, clock: clock, application: application, observe: observe)
    }

    package var connectionCount: Int { core.admission.count }

    /// May be called once. A unix socket for which the disk has no room is left out, if there is another address.
    ///
    /// - Throws: for an address that cannot be used; then the server does not listen at all.
    package func start() throws(ServerError) -> [BoundAddress] {
        let listeners = try openListeners()
        do throws(SystemError) {
            let running = try startLoops(listeners)
            state.withLock { $0 = running }
        } catch {
            for listener in listeners { listener.close() }
            throw ServerError(.system, "cannot start: \(error)")
        }
        return listeners.map(\.address)
    }

    package func listenWhereMissing() throws(ServerError) {
        while let address = missing.withLock({ $0.last }) {
            let listener = try Listener(address)
            let mailbox: Mailbox? = state.withLock { state in
                if case .running(let mailboxes, _) = state { mailboxes.first } else { nil }
            }
            if let mailbox { mailbox.post(.listen(listener)) } else { listener.close() }
            missing.withLock { _ = $0.popLast() }
        }
    }

    /// No new connections, responses carry `Connection: close`, and connections are closed after `drainSeconds`, except
    /// for pending requests on unix sockets. Returns at once. May be called from any thread, more than once.
    package func stop(drainSeconds: Int = 10) {
        state.withLock { state in
            guard case .running(let mailboxes, _) = state else { return }
            mailboxes.first?.post(.stop(deadline: core.clock.monotonic() + drainSeconds * 1_000_000_000))
        }
    }

    /// Until the last connection is closed. Must not be called on a loop's thread.
    package func wait() {
        let threads: [Thread] = state.withLock { state in
            guard case .running(_, let threads) = state else { return [] }
            return threads
        }
        for thread in threads { thread.join() }
        state.withLock { $0 = .finished }
    }

    private func openListeners() throws(ServerError) -> [Listener] {
        for proxy in configuration.proxies where SocketAddress(host: proxy, port: 0) == nil {
            throw ServerError(.invalidAddress, "\(proxy): a proxy is named by its numeric IPv4 or IPv6 address")
        }
        var listeners: [Listener] = []
        do throws(ServerError) {
            for address in configuration.listeners {
                do throws(ServerError) {
                    listeners.append(try Listener(address))
                } catch {
                    guard error.code == .noRoom, !listeners.isEmpty else { throw error }
                    missing.withLock { $0.append(address) }
                }
            }
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        return listeners
    }

    private func startLoops(_ listeners: [Listener]) throws(SystemError) -> State {
        let count = configuration.loops ?? max(1, Machine.processorCount - 1)
        var mailboxes: [Mailbox] = []
        for _ in 0..<max(1, count) { mailboxes.append(try Mailbox()) }
        var threads: [Thread] = []
        for (index, mailbox) in mailboxes.enumerated() {
            let acceptor = index == 0 ? Acceptor(listeners: listeners, mailboxes: mailboxes) : nil
            threads.append(try startLoop(mailbox, acceptor))
        }
        return .running(mailboxes: mailboxes, threads: threads)
    }

    private func startLoop(_ mailbox: Mailbox, _ acceptor: Acceptor?) throws(SystemError) -> Thread {
        var poller = try EpollPoller()
        try poller.watch(mailbox, acceptor)
        return try Thread(blocksSignals: true) { [core, poller] in
            var loop = EventLoop(core: core, mailbox: mailbox, acceptor: acceptor, poller: poller)
            loop.run()
        }
    }
}

extension Server {
    /// A program that has work to do before it starts its server can fail early with this. Another process may still
    /// take the address meanwhile: `start` reports that.
    package static func requireFree(_ address: ListenAddress) throws(ServerError) {
        try Listener(address).close()
    }
}

final class ServerCore: Sendable {
    let settings: ConnectionSettings
    let clock: TimeSource
    let application: any Application
    let observe: (@Sendable (AccessRecord) -> Void)?
    let admission: Admission
    let turns: StreamPace<(Mailbox, ResponseToken)>
    let work: ProcessorTime

    init(
        _ configuration: ServerConfiguration, clock: TimeSource, application: any Application,
        observe: (@Sendable (AccessRecord) -> Void)?
    ) {
        let limits = configuration.limits
        settings = ConnectionSettings(
            limits: limits,
            admitBody: { request throws(HTTPError) in try application.admitBody(of: request) },
            hasPriority: { application.hasPriority($0) }, proxies: TrustedProxies(configuration.proxies),
            unknownProxy: configuration.foundUnknownProxy.map(UnknownProxy.init),
            requiresHTTPS: configuration.requiresHTTPS)
        admission = Admission(
            limits, descriptorLimit: Machine.raiseDescriptorLimit(to: Admission.descriptors(for: limits)))
        turns = StreamPace(rate: limits.streamRate)
        work = ProcessorTime(share: limits.work, ofSite: limits.siteWork)
        (self.clock, self.application, self.observe) = (clock, application, observe)
    }

    /// About, in bytes.
    var clientMemory: Int { settings.unsent.bytes + admission.count * 8 * 1024 }
}
