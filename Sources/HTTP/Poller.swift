/// What a connection waits for.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}

/// A descriptor that is ready.
package struct ReadyEvent {
    /// What the descriptor was added with.
    package let token: UInt64
    package let isReadable: Bool
    package let isWritable: Bool
    /// The connection is broken in both directions.
    package let hasFailed: Bool
}

/// The operating system's way to wait for many descriptors; level-triggered.
package protocol Poller: Sendable {
    /// Watches a descriptor; its events carry `token`.
    mutating func add(_ descriptor: CInt, token: UInt64, _ interest: Interest) throws(SystemError)
    /// Changes what a watched descriptor waits for.
    mutating func modify(_ descriptor: CInt, token: UInt64, _ interest: Interest)
    /// Watches a descriptor no longer; before it is closed.
    mutating func remove(_ descriptor: CInt)
    /// Waits until something is ready or `timeout` milliseconds are over (-1: for ever). The number of events.
    mutating func wait(timeout: CInt) -> Int
    /// An event of the last `wait`.
    func event(_ index: Int) -> ReadyEvent
    /// Gives back what the poller holds.
    mutating func close()
}

/// What an event's token says when it is not about a connection.
enum PollToken {
    static let mailbox: UInt64 = 0xFFFF_FFFF
    /// The first listener; the next ones follow.
    static let listener: UInt64 = 0xFFFF_FF00
}

extension Poller {
    /// Watches what every loop watches, before its first turn.
    mutating func watch(_ mailbox: Mailbox, _ acceptor: Acceptor?) throws(SystemError) {
        try add(mailbox.descriptor, token: PollToken.mailbox, .read)
        guard let acceptor else { return }
        for (index, listener) in acceptor.listeners.enumerated() {
            try add(listener.descriptor, token: PollToken.listener + UInt64(index), .read)
        }
    }
}

/// Which `Poller` a server uses.
public enum PollerKind: Sendable, CaseIterable {
    #if os(Linux)
        /// `epoll(7)`: the cost of waiting does not grow with the number of connections.
        case epoll
    #endif
    /// `poll(2)`: everywhere; fit for some hundred connections.
    case poll

    /// The best that the system has.
    public static var best: PollerKind { allCases[0] }
}

/// A failed system call.
package struct SystemError: Error {
    package let call: StaticString
    package let code: CInt
}
