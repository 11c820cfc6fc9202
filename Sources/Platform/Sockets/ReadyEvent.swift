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
