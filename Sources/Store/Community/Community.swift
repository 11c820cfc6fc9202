import Bytes
import SookeModel

/// A version of the town: all its records, with every index that queries use.
///
/// A community is a value, and one reference: a copy costs O(1) and is not affected by changes of the original. So a
/// page, an export and a snapshot each work on one version from start to end.
///
/// ```swift
/// let diner = community.businesses[Slug("zeds-diner")]
/// let page = community.page(PageRequest(), of: BusinessQuery(search: "zed"))
/// ```
@dynamicMemberLookup
public struct Community: Sendable {
    /// The tables of all kinds of record.
    public struct Tables: Sendable {
        /// The categories of businesses.
        public internal(set) var categories = Table<TermRecord<CategoryVocabulary>>()
        /// The types of events.
        public internal(set) var eventTypes = Table<TermRecord<EventTypeVocabulary>>()
        /// The people with accounts.
        public internal(set) var people = Table<Person>()
        /// The businesses.
        public internal(set) var businesses = Table<BusinessRecord>()
        /// The events.
        public internal(set) var events = Table<EventRecord>()
        /// The passwords, each by the ID of its person.
        public internal(set) var passwords = Table<PasswordRecord>()
        /// The sessions, API tokens and one-time links.
        public internal(set) var credentials = Table<Credential>()
        /// The responses to requests that may be repeated.
        public internal(set) var receipts = Table<Receipt>()

        /// All of them, in the order in which a record may refer to another.
        static let all = [
            AnyTable(\.categories), AnyTable(\.eventTypes), AnyTable(\.people), AnyTable(\.businesses),
            AnyTable(\.events), AnyTable(\.passwords), AnyTable(\.credentials), AnyTable(\.receipts),
        ]

        /// The table of a kind of record.
        static func table(of kind: RecordKind) -> AnyTable {
            guard let table = byKind[kind] else { preconditionFailure("there is no table of \(kind)") }
            return table
        }

        private static let byKind = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })
    }

    /// One element: an array is one reference, and copies the element before a change only if another array has it.
    @usableFromInline var storage: ContiguousArray<Tables> = [Tables()]
    /// The highest IDs ever assigned.
    public internal(set) var sequences = IDSequences()

    /// A town with no records.
    public init() {}

    /// One of the tables.
    @inlinable
    public subscript<Table>(dynamicMember table: KeyPath<Tables, Table>) -> Table { storage[0][keyPath: table] }

    /// Whether there is no record at all.
    public var isEmpty: Bool { Tables.all.allSatisfy { $0.count(self) == 0 } }

    /// How many records of a kind there are.
    public func count(of kind: RecordKind) -> Int { Tables.table(of: kind).count(self) }

    /// Applies a change.
    ///
    /// Every change goes through here, that of a commit and that of a line read back at start, but for the businesses of
    /// a snapshot.
    /// - Parameter at: the time of the commit; nil for the line of a snapshot, which says when its record was changed.
    /// - Returns: the record before and after the change.
    /// - Throws: what the change refers to and the town does not have.
    @discardableResult
    mutating func apply(_ change: Change, at: Timestamp?) throws(InapplicableChange) -> RecordChange {
        switch change {
        case .put(let record): try Tables.table(of: record.kind).put(record, at, &self)
        case .delete(let kind, let id): Tables.table(of: kind).remove(id, &self)
        }
    }

    /// Inserts many businesses whose IDs were recorded as assigned; into a town that has none yet all at once.
    mutating func add(_ records: [BusinessRecord]) {
        if self.businesses.count == 0 {
            storage[0].businesses = Table(records)
        } else {
            for record in records { storage[0].businesses.put(record) }
        }
    }

    /// Checks that no record refers to another one by a slug that is not its own any more.
    ///
    /// References go by slug: a record that others refer to can only change its slug, or go, in one commit with them.
    /// - Throws: which record does.
    func checkReferences(to target: ReferenceTarget) throws(InapplicableChange) {
        for table in Tables.all { try table.checkReferences(target, self) }
    }

    /// The ID of the category with a slug.
    ///
    /// - Throws: when the town has none.
    func categoryID(of slug: Slug) throws(InapplicableChange) -> Int {
        try known(self.categories[slug]?.id, .category, slug)
    }

    /// The ID of a record that another one refers to.
    ///
    /// - Throws: when there is none.
    func known(_ id: Int?, _ kind: RecordKind, _ slug: Slug) throws(InapplicableChange) -> Int {
        guard let id else {
            throw InapplicableChange(description: "there is no \(kind.rawValue) \"\(slug.text.excerpt())\"")
        }
        return id
    }
}
