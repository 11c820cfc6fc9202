/// What is known of a member of a JSON object: of a field of a record, or of what a response adds.
///
/// What routes accept, what the description of the API says and what columns tables have all come from it.
public struct FieldDescription: Sendable, Hashable {
    /// What a value is. All but `list` may be null where the field is not required.
    public enum Kind: Sendable, Hashable {
        /// A text.
        case text
        /// A number.
        case number
        /// A whole number.
        case integer
        /// True or false.
        case flag
        /// A date and time (RFC 3339).
        case moment
        /// A time of day, `09:30:00`.
        case time
        /// An amount of money as a text, `"14.25"`.
        case price
        /// One of some texts.
        case choice([String])
        /// An object, by the name of its kind.
        case object(String)
        /// An object, or a text in its place.
        case objectOrText(String)
        /// A list of objects.
        case list(String)
        /// Whatever a record holds.
        case any
    }

    /// What it is called.
    public let name: String
    /// What its value is.
    public let kind: Kind
    /// Who sees and sets it.
    public let options: FieldOptions
    /// What it means, in a line without a full stop.
    public let explanation: String

    /// A field.
    public init(_ name: String, _ kind: Kind, _ options: FieldOptions, _ explanation: String) {
        (self.name, self.kind, self.options, self.explanation) = (name, kind, options, explanation)
    }

    /// Whether a request that makes such an object must have it.
    public var isRequired: Bool { options.contains(.required) }
    /// Whether a request may have it.
    public var isGiven: Bool { options.isGiven }
    /// Whether a response may have it.
    public var isShown: Bool { options.contains(.shown) }
}
