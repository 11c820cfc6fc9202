import BTree
import JSON
import SookeModel

/// The terms of one vocabulary.
public typealias TermTable<Vocabulary: WritableVocabulary> = Table<TermRecord<Vocabulary>>

/// The indexes of the terms of one vocabulary.
public struct TermIndexes<Vocabulary: WritableVocabulary>: TableIndexes {
    /// The records of the table.
    public typealias Record = TermRecord<Vocabulary>

    var bySlug = RecordIndex<BySlug>()
    var byName = RecordIndex<ByName>()

    /// Indexes of no terms.
    public init() {}

    /// Visits each index once.
    public mutating func visit(_ visitor: inout some IndexVisitor<TermRecord<Vocabulary>>) {
        visitor.visit(&bySlug)
        visitor.visit(&byName)
    }

    enum BySlug: IndexKey {
        static func key(of record: TermRecord<Vocabulary>) -> Slug? { record.value.slug }
    }

    enum ByName: IndexKey {
        static func key(of record: TermRecord<Vocabulary>) -> NameKey? { record.nameKey }
    }
}

extension Table {
    /// The term with a slug.
    public subscript<Vocabulary>(slug: Slug) -> Record? where Record == TermRecord<Vocabulary> {
        indexes.bySlug[slug]
    }

    /// The IDs of the terms with a name, byte for byte; several only if they are older than the rule that names are
    /// unique.
    func ids<Vocabulary>(named name: String) -> [Int] where Record == TermRecord<Vocabulary> {
        let key = Collation.sortKey(name)
        let same = indexes.byName.tree.elements(
            in: NameKey(sortKey: key, id: .min)..<NameKey(sortKey: key, id: .max))
        return same.map(\.key.id)
    }

    /// All terms in the order of their names.
    public func inOrderOfName<Vocabulary>() -> [Record] where Record == TermRecord<Vocabulary> {
        indexes.byName.tree.elements.values
    }
}

extension TermRecord: TableRecord {
    /// The table.
    public static var table: TablePath<TermRecord> { Vocabulary.table }

    /// The indexes of the table.
    public typealias Indexes = TermIndexes<Vocabulary>

    /// The unique ID.
    public var id: Int { value.id }

    /// Its slug.
    public var address: String { value.slug.text }

    /// The slug by which businesses and events refer to the term.
    public var referenceSlug: Slug? { value.slug }

    /// Terms are public.
    public var isPublic: Bool { true }

    /// About how many bytes of memory the term takes.
    public var memory: Int { 512 + 2 * reference.count }

    /// A term as a table stores it.
    public static func make(
        _ value: Term<Vocabulary>, in town: Town, after existing: TermRecord?
    ) -> TermRecord {
        TermRecord(value)
    }
}
