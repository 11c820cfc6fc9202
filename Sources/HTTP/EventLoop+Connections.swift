/// Moving the bytes of one connection.
extension EventLoop {
    /// Takes a connection in.
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
            try poller.add(connection.descriptor, token: connection.pollToken, .read)
        } catch {
            close(connection)
            return
        }
        watchDeadline(connection)
        if stopDeadline != nil { stop(connection) }
    }

    /// Reads what a client sent, once, and acts on it.
    mutating func readable(_ connection: Connection) {
        guard connection.state.wantsInput else {
            // Not wanted before, but switching that off costs a call, so it waits until something comes indeed.
            watch(connection, wanted(connection))
            return
        }
        switch Socket.receive(connection.descriptor, into: &input) {
        case .bytes(let count):
            if connection.state.phase == .lingering {
                if !connection.state.discard(count) { close(connection) }
                return
            }
            take(count, for: connection)
            settle(connection)
        case .end:
            connection.state.inputEnded()
            settle(connection)
        case .wouldBlock: break
        case .failed: close(connection)
        }
    }

    /// Gives the first `count` bytes of the input buffer to a connection.
    private mutating func take(_ count: Int, for connection: Connection) {
        lend(connection)
        var buffer: [UInt8] = []
        swap(&buffer, &input)
        var offset = 0
        advance(connection, buffer.span.extracting(0..<count), &offset)
        if offset < count { connection.carry.append(buffer.span, offset..<count) }
        swap(&buffer, &input)
    }

    /// Goes on with the input that had to wait.
    private mutating func resume(_ connection: Connection) {
        var carry: [UInt8] = []
        swap(&carry, &connection.carry)
        var offset = 0
        advance(connection, carry.span, &offset)
        if offset < carry.count { connection.carry.append(carry.span, offset..<carry.count) }
    }

    private mutating func advance(_ connection: Connection, _ input: Span<UInt8>, _ offset: inout Int) {
        while true {
            switch connection.state.step(input, &offset, now: now) {
            case .respond(let request, let exchange): respond(connection, request, exchange)
            case .reject(let error, let request, let exchange):
                answer(connection, exchange, core.renderError(error, request))
            case .needInput, .wait, .ended: return
            }
        }
    }

    private mutating func respond(_ connection: Connection, _ request: borrowing Request, _ exchange: Exchange) {
        let token = connection.answerToken(exchange.number)
        mailbox.expect(token)
        core.responder(copy request, ResponseWriter(mailbox, token))
        if let response = mailbox.takeAnswer() {
            answer(connection, exchange, response)
        } else {
            connection.state.deferAnswer(exchange)
        }
    }

    /// Answers the request at hand.
    mutating func answer(_ connection: Connection, _ exchange: Exchange, _ response: consuming Response) {
        record(connection, exchange, response)
        connection.state.answer(exchange, response, encoder)
    }

    /// Answers an earlier request; a client that has left misses it.
    mutating func deliver(_ response: consuming Response, for token: AnswerToken) {
        guard Int(token.slot) < connections.count, let connection = connections[Int(token.slot)],
            connection.generation == token.generation,
            let exchange = connection.state.exchange(numbered: token.number)
        else { return }
        lend(connection)
        record(connection, exchange, response)
        connection.state.answer(numbered: token.number, response, encoder)
        settle(connection)
    }

    private func record(_ connection: Connection, _ exchange: Exchange, _ response: borrowing Response) {
        guard let observe = core.observe else { return }
        let sendsBody = exchange.method != .head && !response.status.forbidsBody
        observe(
            AccessRecord(
                method: exchange.method, target: exchange.target, status: response.status,
                bytes: sendsBody ? response.body.count : 0,
                duration: core.clock.monotonic() - exchange.start, peer: connection.state.peer))
    }

    /// After anything happened to a connection: sends, goes on with what waited, and sees what it waits for now.
    mutating func settle(_ connection: Connection) {
        guard flush(connection) else { return close(connection) }
        while connection.state.canResume {
            resume(connection)
            guard flush(connection) else { return close(connection) }
        }
        if connection.state.isFinished, connection.state.phase != .lingering {
            guard connection.state.needsLinger, !connection.state.inputHasEnded else { return close(connection) }
            Socket.closeOutput(connection.descriptor)
            connection.state.beginLingering(now: now)
        }
        takeBack(connection)
        // Reading stays on until something comes that is not wanted; see `readable`.
        watch(connection, wanted(connection).union(connection.interest.intersection(.read)))
        watchDeadline(connection)
    }

    /// Sends what the system takes; false when the connection is broken.
    private func flush(_ connection: Connection) -> Bool {
        while !connection.state.output.isEmpty {
            let descriptor = connection.descriptor
            let (offered, sent) = connection.state.output.sendFirst { bytes, moreFollows in
                Socket.send(descriptor, bytes, moreFollows: moreFollows)
            }
            if sent < -1 { return false }
            if sent > 0 { connection.state.sent(sent, now: now) }
            if sent < offered {
                connection.state.outputStalled(now: now)
                return true
            }
        }
        return true
    }

    /// Lends the loop's buffers to a connection that has none.
    private mutating func lend(_ connection: Connection) {
        connection.state.parser.borrowStorage(&lentHead)
        connection.state.output.borrowStorage(&lentOutput)
    }

    /// Takes the buffers back when nothing is left in them.
    private mutating func takeBack(_ connection: Connection) {
        connection.state.parser.returnStorage(&lentHead)
        connection.state.output.returnStorage(&lentOutput)
    }

    private func wanted(_ connection: Connection) -> Interest {
        var interest: Interest = connection.state.wantsInput ? .read : []
        if !connection.state.output.isEmpty { interest.insert(.write) }
        return interest
    }

    private mutating func watch(_ connection: Connection, _ interest: Interest) {
        guard interest != connection.interest else { return }
        connection.interest = interest
        poller.modify(connection.descriptor, token: connection.pollToken, interest)
    }

    /// Closes a connection and forgets it.
    mutating func close(_ connection: Connection) {
        if connection.state.hasPending {
            mailbox.abandon(connection.state.unanswered.map(connection.answerToken))
        }
        wheel.clear(connection.slot)
        poller.remove(connection.descriptor)
        Socket.close(connection.descriptor)
        connections[connection.slot] = nil
        generations[connection.slot] &+= 1
        freeSlots.append(connection.slot)
        openCount -= 1
        mailbox.connectionCount.subtract(1, ordering: .relaxed)
        core.admission.release(connection.ticket)
        if acceptor?.resumption != nil, core.admission.hasRoom { resumeAccepting() }
    }

    /// Lets a connection finish what runs.
    mutating func stop(_ connection: Connection) {
        readable(connection)
        guard connections[connection.slot] === connection else { return }
        connection.state.beginStopping()
        settle(connection)
    }
}
