import Platform

/// Accepts connections for all loops and passes each to the loop with the fewest.
///
/// Only one loop accepts: with `SO_REUSEPORT` a second server on the same port would not be detected, a busy loop would
/// delay the connections that hash to it, and unix sockets do not support it.
struct Acceptor {
    private(set) var listeners: [Listener]
    let mailboxes: [Mailbox]
    /// Closed briefly when the process has no other descriptor left, so that a client can be turned away.
    var spare: CInt
    /// nil while accepting is not paused.
    var resumption: Int?

    init(listeners: [Listener], mailboxes: [Mailbox]) {
        (self.listeners, self.mailboxes) = (listeners, mailboxes)
        spare = Socket.openSpare()
    }

    /// In nanoseconds: meanwhile another loop or part of the process may free a descriptor.
    static let pause = 100_000_000

    var target: (index: Int, mailbox: Mailbox) {
        let counts = mailboxes.map { $0.connectionCount.load(ordering: .relaxed) }
        let index = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        return (index, mailboxes[index])
    }

    mutating func add(_ listener: Listener) {
        listeners.append(listener)
    }

    mutating func close() {
        for listener in listeners { listener.close() }
        if spare >= 0 { Socket.close(spare) }
        spare = -1
    }
}

extension EventLoop {
    /// A bounded number at a time, so that others get their turn.
    mutating func acceptReady(_ index: Int) {
        guard let listener = acceptor?.listeners[index] else { return }
        for _ in 0..<64 {
            guard core.admission.hasRoom(isLocal: listener.isLocal) else {
                return pauseAccepting { $0.isLocal == listener.isLocal }
            }
            switch Socket.accept(from: listener.descriptor) {
            case .connection(let descriptor, let address): take(descriptor, from: address, of: listener)
            case .gone: continue
            case .none: return
            case .exhausted:
                turnOneAway(listener)
                return pauseAccepting { _ in true }
            }
        }
    }

    mutating func listen(_ listener: Listener) {
        do throws(SystemError) {
            guard let index = acceptor?.listeners.count else { return listener.close() }
            try poller.add(listener.descriptor, token: PollToken.listener + UInt64(index), .readable)
            acceptor?.add(listener)
        } catch {
            listener.close()
        }
    }

    private mutating func take(_ descriptor: CInt, from address: SocketAddress, of listener: Listener) {
        let peer: Peer
        let admitted: Admission.Ticket?
        if listener.isLocal {
            let (uid, pid) = Socket.credentials(of: descriptor)
            peer = .local(uid: uid, pid: pid)
            admitted = core.admission.admitLocal()
        } else {
            let bytes = address.addressBytes
            peer = .inet(address: address.host, port: address.port, isLoopback: address.isLoopback)
            let isExempt = address.isLoopback || core.settings.proxies.contains(bytes)
            admitted = core.admission.admit(isExempt ? nil : ClientNetwork(addressBytes: bytes))
        }
        guard let ticket = admitted, let target = acceptor?.target else { return Socket.close(descriptor) }
        let accepted = AcceptedConnection(descriptor: descriptor, peer: peer, ticket: ticket)
        target.mailbox.connectionCount.add(1, ordering: .relaxed)
        if target.index == 0 { adopt(accepted) } else { target.mailbox.post(.adopt(accepted)) }
    }

    private mutating func turnOneAway(_ listener: Listener) {
        guard let spare = acceptor?.spare, spare >= 0 else { return }
        Socket.close(spare)
        if case .connection(let descriptor, _) = Socket.accept(from: listener.descriptor) { Socket.close(descriptor) }
        acceptor?.spare = Socket.openSpare()
    }

    private mutating func pauseAccepting(_ isMeant: (Listener) -> Bool) {
        watchListeners([], isMeant)
        acceptor?.resumption = now + Acceptor.pause
    }

    mutating func resumeAccepting() {
        watchListeners(.readable) { _ in true }
        acceptor?.resumption = nil
    }

    private mutating func watchListeners(_ interest: FileDescriptor.Events, _ isMeant: (Listener) -> Bool) {
        guard let acceptor else { return }
        for (index, listener) in acceptor.listeners.enumerated() where isMeant(listener) {
            poller.modify(listener.descriptor, token: PollToken.listener + UInt64(index), interest)
        }
    }

    mutating func beginStopping(_ deadline: Int) {
        guard stopDeadline == nil else { return }
        if let acceptor {
            for index in acceptor.listeners.indices { acceptReady(index) }
            self.acceptor?.close()
            self.acceptor = nil
            for mailbox in acceptor.mailboxes.dropFirst() { mailbox.post(.stop(deadline: deadline)) }
        }
        stopDeadline = deadline
        for case let connection? in connections { stop(connection) }
    }
}
