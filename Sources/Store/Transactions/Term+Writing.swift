import SookeModel

/// A vocabulary whose terms are in a table of the town.
public protocol WritableVocabulary: Vocabulary {
    /// The table of the terms.
    static var table: TablePath<TermRecord<Self>> { get }
}

extension WritableVocabulary {
    /// The terms of the vocabulary.
    public static func table(of town: Town) -> TermTable<Self> { town.storage[0][keyPath: table] }
}

extension CategoryVocabulary: WritableVocabulary {
    /// The categories.
    public static var table: TablePath<TermRecord<Self>> { \.categories }
}

extension EventTypeVocabulary: WritableVocabulary {
    /// The event types.
    public static var table: TablePath<TermRecord<Self>> { \.eventTypes }
}

extension Term: WritableRecord, SluggedRecord where Vocabulary: WritableVocabulary {
    /// The form in which its table stores it.
    public typealias Stored = TermRecord<Vocabulary>

    /// A term is no more than its name.
    public static func term(named name: String) -> Patch<Self>? {
        var patch = Patch<Self>()
        patch.values.name = name
        patch.fields = ["name"]
        return patch
    }

    /// The term with a slug.
    public static func find(_ slug: Slug, in town: Town) -> Self? {
        Vocabulary.table(of: town)[slug]?.value
    }

    /// All terms by name, from the index.
    public static func inOrderOfName(in town: Town) -> [Self] {
        Vocabulary.table(of: town).inOrderOfName().map(\.value)
    }

    /// The ID of another term of the vocabulary with the same name.
    public func otherOfSameName(in town: Town) -> Int? {
        Vocabulary.table(of: town).ids(named: name).first { $0 != id }
    }
}
