/// Why a text is not a recurrence rule that this server understands.
public struct RecurrenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message for people, as what follows the name of the field: `has BYHOUR=9, which is not supported: …`.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
