/// Why a text is not opening hours.
public struct OpeningHoursError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position of the first character that is not understood, from 1.
    public let position: Int
    /// What would be right there.
    public let expected: String
    /// What to do instead, where that says more than what would be right at the position.
    public var advice: String?

    /// The message for people.
    public var description: String { advice ?? "character \(position): \(expected) is expected" }
}
