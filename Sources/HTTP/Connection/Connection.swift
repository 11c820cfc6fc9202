import Platform

/// A connection of an event loop: its state and its socket. Used on the thread of the loop only.
final class Connection {
    let descriptor: CInt
    let slot: Int
    let generation: UInt32
    let ticket: Admission.Ticket
    var state: ConnectionState
    /// Input that waits until responses have been sent.
    var carry: [UInt8] = []
    /// What the poller watches.
    var interest: FileDescriptor.Events = .readable

    init(_ accepted: AcceptedConnection, slot: Int, generation: UInt32, settings: ConnectionSettings, now: Int) {
        descriptor = accepted.descriptor
        ticket = accepted.ticket
        (self.slot, self.generation) = (slot, generation)
        state = ConnectionState(settings: settings, peer: accepted.peer, refusal: accepted.ticket.refusal, now: now)
    }

    /// The token of the connection in the poller.
    var pollToken: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    /// The token of one of its requests, for handlers.
    func responseToken(_ number: UInt32) -> ResponseToken {
        ResponseToken(slot: UInt32(truncatingIfNeeded: slot), generation: generation, number: number)
    }
}
