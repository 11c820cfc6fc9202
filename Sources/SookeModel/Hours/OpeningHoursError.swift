/// Why a text is not opening hours.
public struct OpeningHoursError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position of the first character that is not understood, from 1.
    public let position: Int
    /// What would be right there.
    public let expected: String

    /// The message for people.
    public var description: String { "character \(position): \(expected) is expected" }
}
