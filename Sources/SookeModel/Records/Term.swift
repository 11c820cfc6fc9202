/// A word of one of the town's two vocabularies: what a business is, or what an event is.
public struct Term<Vocabulary: SookeModel.Vocabulary>: Record {
    /// Which of the two vocabularies the term belongs to.
    public static var kind: RecordKind { Vocabulary.kind }

    /// The term's number; 0 until the store has given it one.
    public var id = 0
    /// What people read.
    public var name = ""
    /// What stands in an address; empty until it is made from the name.
    public var slug = Slug("")
    /// When it was created and changed.
    public var times = RecordTimes()

    /// An empty term.
    public init() {}

    /// Its fields.
    public static var fields: FieldTable { Vocabulary.fields }

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Self>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Its number, which is never given again")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.reserved, .required],
            "What people read; at most 500 characters")
        try visitor.field(
            "slug", \.slug, .own, .reserved, "What stands in addresses; made from the name when it is left out")
    }
}

/// Names the vocabulary that a term belongs to.
public protocol Vocabulary: Sendable {
    /// The kind of record its terms are.
    static var kind: RecordKind { get }
    /// The fields of its terms.
    static var fields: FieldTable { get }
}

/// The vocabulary of what a business is.
public enum CategoryVocabulary: Vocabulary {
    /// Categories.
    public static var kind: RecordKind { .category }
    /// The fields of a category.
    public static let fields = FieldTable(of: Category.self)
}

/// The vocabulary of what an event is.
public enum EventTypeVocabulary: Vocabulary {
    /// Event types.
    public static var kind: RecordKind { .eventType }
    /// The fields of an event type.
    public static let fields = FieldTable(of: EventType.self)
}

/// What a business is, such as a restaurant.
public typealias Category = Term<CategoryVocabulary>
/// What an event is, such as live music.
public typealias EventType = Term<EventTypeVocabulary>
