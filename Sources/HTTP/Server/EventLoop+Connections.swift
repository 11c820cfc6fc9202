import Platform

/// Moves the bytes of one connection.
///
/// Each event accesses the connection's state once and passes it down (`inout`), which saves a check of exclusive
/// access at every step. A `Bool` result states whether the connection stays open; otherwise the caller closes it.
extension EventLoop {
    mutating func adopt(_ accepted: AcceptedConnection) {
        let slot = freeSlots.popLast() ?? connections.count
        if slot == connections.count {
            connections.append(nil)
            generations.append(0)
        }
        let connection = Connection(
            accepted, slot: slot, generation: generations[slot], settings: core.settings, now: now)
        connections[slot] = connection
        openCount += 1
        do throws(SystemError) {
            try poller.add(connection.descriptor, token: connection.pollToken, .readable)
        } catch {
            close(connection)
            return
        }
        watchDeadline(connection.state, connection)
        if stopDeadline != nil { stop(connection) }
    }

    mutating func act(on event: ReadyEvent, _ state: inout ConnectionState, _ connection: Connection) -> Bool {
        if event.isReadable { return read(&state, connection) }
        if event.hasFailed { return false }
        if event.hasHungUp { state.hungUp() }
        return settle(&state, connection)
    }

    private mutating func read(_ state: inout ConnectionState, _ connection: Connection) -> Bool {
        guard state.wantsInput else {
            // Input was unwanted before, but disabling its event costs a call, so that waits until input arrives.
            watch(connection, state, wanted(state))
            return true
        }
        switch Socket.receive(connection.descriptor, into: &input) {
        case .bytes(let count):
            if state.phase == .lingering { return state.discard(count) }
            take(count, &state, connection)
            return settle(&state, connection)
        case .end:
            state.inputEnded()
            return settle(&state, connection)
        case .wouldBlock: return true
        case .failed: return false
        }
    }

    private mutating func take(_ count: Int, _ state: inout ConnectionState, _ connection: Connection) {
        lend(&state)
        var buffer: [UInt8] = []
        swap(&buffer, &input)
        var offset = 0
        advance(&state, connection, buffer.span.extracting(0..<count), &offset)
        if offset < count { connection.carry.append(buffer.span, offset..<count) }
        swap(&buffer, &input)
    }

    private mutating func resume(_ state: inout ConnectionState, _ connection: Connection) {
        var carry: [UInt8] = []
        swap(&carry, &connection.carry)
        var offset = 0
        advance(&state, connection, carry.span, &offset)
        if offset < carry.count { connection.carry.append(carry.span, offset..<carry.count) }
    }

    private mutating func advance(
        _ state: inout ConnectionState, _ connection: Connection, _ input: Span<UInt8>, _ offset: inout Int
    ) {
        while true {
            switch state.step(input, &offset, now: now) {
            case .request:
                respond(&state, connection)
                if offset < input.count { yieldWhenLate(&state, connection) }
            case .rejection: refuse(&state)
            case .needInput, .wait, .ended: return
            }
        }
    }

    private mutating func respond(_ state: inout ConnectionState, _ connection: Connection) {
        // A complete request has a known method.
        guard let request = state.request else { return refuse(&state) }
        if mustWait(state.exchange.network), !state.settings.hasPriority(request) {
            return park(request, &state, connection)
        }
        enter(request.id, request.method, request.target)
        do throws(HTTPError) {
            switch try core.application.respond(to: request) {
            case .now(let response):
                send(&state, response)
            case .later(let start):
                let token = connection.responseToken(state.exchange.number)
                state.deferResponse()
                start(deferredResponse(to: request, token, of: state.exchange.network))
            }
        } catch {
            send(&state, core.application.response(to: request, failing: error))
        }
    }

    mutating func refuse(_ state: inout ConnectionState) {
        let request = RefusedRequest(target: state.target, headers: state.headers, id: state.exchange.id)
        send(&state, core.application.response(refusing: request, state.rejection))
    }

    mutating func send(_ state: inout ConnectionState, _ response: consuming Response) {
        if core.observe != nil {
            record(response, state.exchange, state.target, state.headers.first("user-agent"))
        }
        state.respond(response, encoder)
    }

    /// To an earlier request, unless its client has disconnected.
    mutating func deliver(_ render: () -> Response, for token: ResponseToken) {
        // Rendering is work for a client, even one that has left.
        if let connection = connection(of: token) {
            beginWork(for: connection)
            if let (exchange, target, _) = connection.state.pendingRequest(numbered: token.number) {
                enter(exchange.id, exchange.method, target)
            }
        }
        let response = render()
        guard let connection = connection(of: token) else { return mailbox.forget(token) }
        if !deliver(response, numbered: token.number, &connection.state, connection) { close(connection) }
        endWork(for: connection)
    }

    func connection(of token: ResponseToken) -> Connection? {
        guard Int(token.slot) < connections.count, let connection = connections[Int(token.slot)],
            connection.generation == token.generation
        else { return nil }
        return connection
    }

    private mutating func deliver(
        _ response: consuming Response, numbered number: UInt32, _ state: inout ConnectionState,
        _ connection: Connection
    ) -> Bool {
        guard let (exchange, target, userAgent) = state.pendingRequest(numbered: number) else { return true }
        lend(&state)
        record(response, exchange, target, userAgent)
        state.respond(numbered: number, response, encoder)
        return settle(&state, connection)
    }

    private func record(
        _ response: borrowing Response, _ exchange: Exchange, _ target: ArraySlice<UInt8>,
        _ userAgent: ArraySlice<UInt8>?
    ) {
        let sendsBody = exchange.sendsBody(of: response)
        if sendsBody, response.isStreamed { return }
        observe(
            exchange, target, userAgent, response.status, route: response.route,
            bytes: sendsBody ? response.body.count : 0)
    }

    private func record(_ body: OutgoingBody, _ request: ConnectionState.Pending) {
        observe(
            request.exchange, request.target, request.userAgent, body.status, route: body.route, bytes: body.count)
    }

    private func observe(
        _ exchange: Exchange, _ target: ArraySlice<UInt8>, _ userAgent: ArraySlice<UInt8>?, _ status: Status,
        route: Int?, bytes: Int
    ) {
        guard let observe = core.observe else { return }
        observe(
            AccessRecord(
                method: exchange.method, target: target, status: status, route: route, bytes: bytes,
                duration: core.clock.monotonic() - exchange.start, peer: exchange.peer, id: exchange.id,
                userAgent: userAgent))
    }

    /// The source of a streamed body can continue.
    mutating func wake(_ token: ResponseToken) {
        guard let connection = connection(of: token) else { return }
        beginWork(for: connection)
        connection.state.wakeStream(numbered: token.number)
        if !settle(&connection.state, connection) { close(connection) }
        endWork(for: connection)
    }

    /// `isPaid` unless the streamed body has waited for CPU time only.
    mutating func giveTurn(_ token: ResponseToken, isPaid: Bool = true) {
        guard let connection = connection(of: token), connection.state.takeTurn(numbered: token.number) else {
            if isPaid { core.turns.correct(size: 0, now: now) }
            return
        }
        beginWork(for: connection)
        connection.hasTurn = isPaid
        if !settle(&connection.state, connection) { close(connection) }
        if connection.hasTurn { core.turns.correct(size: 0, now: now) }
        connection.hasTurn = false
        endWork(for: connection)
    }

    /// False when the next part has to wait; `giveTurn` follows.
    private mutating func takesTurn(
        _ exchange: Exchange, _ state: inout ConnectionState, _ connection: Connection
    ) -> Bool {
        if connection.ticket.isLocal || connection.hasTurn { return true }
        let token = connection.responseToken(exchange.number)
        if let network = exchange.network, mustWait(network) {
            state.queueStream()
            park(ParkedWork(kind: .part, token: token, network: network, since: now))
            return false
        }
        if core.turns.take((mailbox, token), of: exchange.network, now: now) { return true }
        state.queueStream()
        return false
    }

    /// One part: the other connections have their turn before the next.
    private mutating func takePart(_ state: inout ConnectionState, _ connection: Connection) -> Bool {
        guard let (request, _) = state.streamed, takesTurn(request.exchange, &state, connection) else { return true }
        lend(&state)
        enter(request.exchange.id, request.exchange.method, request.target)
        let token = connection.responseToken(request.exchange.number)
        let wakeup = BodyWakeup { [mailbox] in mailbox.post(.wake(token)) }
        let before = state.output.count
        connection.hasTurn = false
        defer { if !connection.ticket.isLocal { core.turns.correct(size: state.output.count - before, now: now) } }
        switch state.appendPart(wakeup, encoder) {
        case .appended: return true
        case .ended(let request, let body):
            record(body, request)
            return true
        case .failed: return false
        }
    }

    mutating func settle(_ state: inout ConnectionState, _ connection: Connection) -> Bool {
        if state.wantsPart, !takePart(&state, connection) { return false }
        guard flush(&state, connection) else { return false }
        while state.canResume {
            resume(&state, connection)
            guard flush(&state, connection) else { return false }
        }
        guard countMemory(of: state, connection) else { return false }
        if state.isFinished, state.phase != .lingering {
            guard state.needsLinger, !state.inputHasEnded else { return false }
            Socket.closeOutput(connection.descriptor)
            state.beginLingering(now: now)
        }
        takeBack(&state)
        // Reading stays enabled until unwanted input arrives; see `read`.
        watch(connection, state, wanted(state).union(connection.interest.intersection(.readable)))
        watchDeadline(state, connection)
        return true
    }

    /// Of its responses, and of the requests behind them. False when the connection must be closed, because it adds
    /// more than a little to a budget that is exhausted. Inlined: a call would copy the state.
    @inline(__always)
    private mutating func countMemory(of state: borrowing ConnectionState, _ connection: Connection) -> Bool {
        let bytes = state.responseMemory + connection.carry.count
        let more = bytes - connection.countedMemory
        if more == 0 { return true }
        if more < 0 { memory.willFall(from: core.clientMemory, now: now) }
        core.settings.unsent.count(more)
        connection.countedMemory = bytes
        return more < 0 || bytes <= core.settings.limits.scarceOutput || !core.settings.unsent.isExhausted
    }

    /// As much as the system accepts; false when the connection is broken.
    private func flush(_ state: inout ConnectionState, _ connection: Connection) -> Bool {
        let descriptor = connection.descriptor
        while !state.output.isEmpty {
            let (offered, sent) = state.output.sendFirst { first, second, moreFollows in
                Socket.send(descriptor, first, second, moreFollows: moreFollows)
            }
            if sent < -1 { return false }
            if sent > 0 { state.sent(sent, now: now) }
            if sent < offered {
                state.outputStalled(now: now)
                return true
            }
        }
        return true
    }

    /// The loop's buffers, to a connection that has none.
    private mutating func lend(_ state: inout ConnectionState) {
        state.parser.borrowStorage(&lentHead)
        state.output.borrowStorage(&lentOutput)
    }

    private mutating func takeBack(_ state: inout ConnectionState) {
        state.parser.returnStorage(&lentHead)
        state.output.returnStorage(&lentOutput)
    }

    /// Inlined: a call would copy the state.
    @inline(__always)
    private func wanted(_ state: borrowing ConnectionState) -> FileDescriptor.Events {
        var interest: FileDescriptor.Events = state.wantsInput ? .readable : []
        if !state.output.isEmpty || state.wantsPart { interest.insert(.writable) }
        return interest
    }

    /// Inlined: a call would copy the state.
    @inline(__always)
    private mutating func watch(
        _ connection: Connection, _ state: borrowing ConnectionState, _ wanted: FileDescriptor.Events
    ) {
        let hangUp = !wanted.contains(.readable) && state.watchesForHangUp
        let interest = hangUp ? wanted.union(.hangUp) : wanted
        guard interest != connection.interest else { return }
        connection.interest = interest
        poller.modify(connection.descriptor, token: connection.pollToken, interest)
    }

    mutating func close(_ connection: Connection) {
        if connection.state.hasPending {
            mailbox.abandon(connection.state.awaitedNumbers.map(connection.responseToken))
            if let (request, body) = connection.state.streamed { record(body, request) }
        }
        memory.willFall(from: core.clientMemory, now: now)
        core.settings.unsent.count(-connection.countedMemory)
        chargeRest(of: connection)
        deadlines.clear(connection.slot)
        Socket.close(connection.descriptor)
        connections[connection.slot] = nil
        generations[connection.slot] &+= 1
        freeSlots.append(connection.slot)
        openCount -= 1
        mailbox.connectionCount.subtract(1, ordering: .relaxed)
        core.admission.release(connection.ticket)
        if acceptor?.resumption != nil, core.admission.hasRoom(isLocal: connection.ticket.isLocal) {
            resumeAccepting()
        }
    }

    /// Lets it finish its requests, including one that has just arrived.
    mutating func stop(_ connection: Connection) {
        if !stop(&connection.state, connection) { close(connection) }
    }

    private mutating func stop(_ state: inout ConnectionState, _ connection: Connection) -> Bool {
        guard read(&state, connection) else { return false }
        state.beginStopping()
        return settle(&state, connection)
    }
}
