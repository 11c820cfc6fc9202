/// A term of one of the town's two vocabularies: a category or an event type.
public struct Term<Vocabulary: SookeModel.Vocabulary>: NamedRecord {
    /// The kind of record, from the vocabulary.
    public static var kind: RecordKind { Vocabulary.kind }

    /// The unique ID; 0 until the store has assigned it.
    public var id = 0
    /// Its name.
    public var name = ""
    /// Its slug; empty until it is made from the name.
    public var slug = Slug("")
    /// The times of creation and of the last change.
    public var times = RecordTimes()

    /// An empty term.
    public init() {}

    /// Its fields.
    public static var fields: FieldTable { Vocabulary.fields }

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Self>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.reserved, .required],
            "What people read; at most 500 characters")
        try visitor.field(
            "slug", \.slug, .own, .reserved, "What stands in addresses; made from the name when it is left out")
    }
}

/// The vocabulary of a term.
public protocol Vocabulary: Sendable {
    /// The kind of record of its terms.
    static var kind: RecordKind { get }
    /// The fields of its terms.
    static var fields: FieldTable { get }
}

/// The vocabulary of categories.
public enum CategoryVocabulary: Vocabulary {
    /// Categories.
    public static var kind: RecordKind { .category }
    /// The fields of a category.
    public static let fields = FieldTable(of: Category.self)
}

/// The vocabulary of event types.
public enum EventTypeVocabulary: Vocabulary {
    /// Event types.
    public static var kind: RecordKind { .eventType }
    /// The fields of an event type.
    public static let fields = FieldTable(of: EventType.self)
}

/// A category of businesses, such as restaurants.
public typealias Category = Term<CategoryVocabulary>
/// A type of events, such as live music.
public typealias EventType = Term<EventTypeVocabulary>

extension RecordKind {
    /// A category of businesses.
    public static let category = RecordKind("category", collection: "categories", reach: .feed)
    /// A type of events.
    public static let eventType = RecordKind("event_type", collection: "event_types", reach: .feed)
}
