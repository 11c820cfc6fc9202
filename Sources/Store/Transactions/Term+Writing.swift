import SookeModel

/// Access to the terms of a vocabulary, and to the records that use them.
public protocol WritableVocabulary: Vocabulary {
    /// The table of the terms.
    static var table: TablePath<TermRecord<Self>> { get }
    /// The records that use a term, with another one in its place.
    static func uses(of slug: Slug, in town: Town, replacedBy other: Slug) -> [AnyRecord]
}

extension WritableVocabulary {
    /// The terms of the vocabulary.
    public static func table(of town: Town) -> TermTable<Self> { town.storage[0][keyPath: table] }
}

extension CategoryVocabulary: WritableVocabulary {
    /// The categories.
    public static var table: TablePath<TermRecord<Self>> { \.categories }
    /// The businesses of a category.
    public static func uses(of slug: Slug, in town: Town, replacedBy other: Slug) -> [AnyRecord] {
        town.businesses.inOrderOfID.filter { $0.category == slug }.map { record in
            var business = record.value
            business.category = other
            return AnyRecord(business)
        }
    }
}

extension EventTypeVocabulary: WritableVocabulary {
    /// The event types.
    public static var table: TablePath<TermRecord<Self>> { \.eventTypes }
    /// The events of a type.
    public static func uses(of slug: Slug, in town: Town, replacedBy other: Slug) -> [AnyRecord] {
        town.events.inOrderOfID.filter { $0.value.eventType == slug }.map { record in
            var event = record.value
            event.eventType = other
            return AnyRecord(event)
        }
    }
}

extension Term: WritableRecord, SluggedRecord where Vocabulary: WritableVocabulary {
    /// The form in which its table stores it.
    public typealias Stored = TermRecord<Vocabulary>

    /// The term with a slug.
    public static func find(_ slug: Slug, in town: Town) -> Self? {
        Vocabulary.table(of: town)[slug]?.value
    }

    /// The ID of another term of the vocabulary with the same name.
    public func otherOfSameName(in town: Town) -> Int? {
        Vocabulary.table(of: town).ids(named: name).first { $0 != id }
    }

    /// The records that use the term. A used term cannot be deleted, so nil leaves them unchanged.
    public func mentions(in town: Town, after slug: Slug?) -> [AnyRecord] {
        Vocabulary.uses(of: self.slug, in: town, replacedBy: slug ?? self.slug)
    }
}
