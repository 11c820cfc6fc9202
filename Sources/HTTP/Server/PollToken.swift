import Platform

/// What an event's token says when it is not about a connection.
enum PollToken {
    static let mailbox: UInt64 = 0xFFFF_FFFF
    /// The first listener; the next ones follow.
    static let listener: UInt64 = 0xFFFF_FF00
}

extension EpollPoller {
    /// Watches what every loop watches, before its first turn.
    mutating func watch(_ mailbox: Mailbox, _ acceptor: Acceptor?) throws(SystemError) {
        try add(mailbox.descriptor.number, token: PollToken.mailbox, .read)
        guard let acceptor else { return }
        for (index, listener) in acceptor.listeners.enumerated() {
            try add(listener.descriptor, token: PollToken.listener + UInt64(index), .read)
        }
    }
}
