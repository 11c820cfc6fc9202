import SookeModel

/// Tells an edit where the terms of a vocabulary are kept.
public protocol EditableVocabulary: Vocabulary {
    /// The terms of the vocabulary.
    static func table(of community: Community) -> TermTable<Self>
    /// A term as a record of any kind.
    static func wrap(_ term: Term<Self>) -> AnyRecord
}

extension CategoryVocabulary: EditableVocabulary {
    /// The categories.
    public static func table(of community: Community) -> TermTable<Self> { community.categories }
    /// A category as a record of any kind.
    public static func wrap(_ term: Category) -> AnyRecord { .category(term) }
}

extension EventTypeVocabulary: EditableVocabulary {
    /// The event types.
    public static func table(of community: Community) -> TermTable<Self> { community.eventTypes }
    /// An event type as a record of any kind.
    public static func wrap(_ term: EventType) -> AnyRecord { .eventType(term) }
}
