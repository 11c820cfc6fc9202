import SookeModel

/// What the API says of one member of a JSON object.
///
/// What routes accept and what descriptions of the API say both come from it.
struct FieldDescription: Sendable, Hashable {
    /// What the value is. All but `list` may be null where the field is not required.
    enum Kind: Sendable, Hashable {
        case text, number, integer, flag
        /// A date and time (RFC 3339).
        case moment
        /// A time of day, `09:30:00`.
        case time
        /// An amount of money as a text, `"14.25"`.
        case price
        /// One of some texts.
        case choice([String])
        /// An object of a kind.
        case one(Shape.Noun)
        /// An object of a kind, or a text in its place.
        case oneOrText(Shape.Noun)
        /// Objects of a kind.
        case list(Shape.Noun)
        /// Whatever a record holds.
        case any
    }

    /// Where the field stands.
    enum Use: Sendable, Hashable {
        /// In answers.
        case shown
        /// In requests.
        case given
        /// In both.
        case both
    }

    /// What it is called.
    let name: String
    /// What its value is.
    let kind: Kind
    /// Where it stands.
    let use: Use
    /// Whether a request that makes such an object must have it.
    let isRequired: Bool
    /// What it means, in a line without a full stop.
    let explanation: String

    /// Whether a request may have it.
    var isGiven: Bool { use != .shown }
    /// Whether an answer may have it.
    var isShown: Bool { use != .given }

    /// A field; by default one that stands in both.
    init(_ name: String, _ kind: Kind, use: Use = .both, required: Bool = false, _ explanation: String) {
        (self.name, self.kind, self.use) = (name, kind, use)
        (isRequired, self.explanation) = (required, explanation)
    }

    /// A field that the dataset has, too.
    init(
        _ field: some RecordField, _ kind: Kind, use: Use = .both, required: Bool = false, _ explanation: String
    ) {
        self.init(field.rawValue, kind, use: use, required: required, explanation)
    }
}

extension Shape.Noun {
    /// The fields that a request may give, as fields of the dataset.
    func given<Field: RecordField>(_ type: Field.Type = Field.self) -> FieldSet<Field> {
        FieldSet(fields.filter(\.isGiven).compactMap { Field(rawValue: $0.name) })
    }
}
