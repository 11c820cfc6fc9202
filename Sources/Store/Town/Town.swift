import Bytes
import SookeModel
import Synchronization

/// A version of the town: all records, with every index that queries use.
///
/// A town is a value that holds one reference: a copy costs O(1), and changes of the original do not affect it. So
/// a page, an export and a snapshot each work on one version from start to end.
///
/// ```swift
/// let diner = town.businesses[Slug("zeds-diner")]
/// let page = town.page(PageRequest(), of: BusinessQuery(search: "zed"))
/// ```
@dynamicMemberLookup
package struct Town: Sendable {
    /// The tables of all kinds of record, in the order in which records may refer to each other.
    package struct Tables: Sendable {
        /// What the town says of itself: no record or one.
        package internal(set) var settings = Table<Settings>()
        package internal(set) var categories = Table<TermRecord<CategoryVocabulary>>()
        package internal(set) var eventTypes = Table<TermRecord<EventTypeVocabulary>>()
        package internal(set) var people = Table<Person>()
        package internal(set) var businesses = Table<BusinessRecord>()
        package internal(set) var events = Table<EventRecord>()
        package internal(set) var notices = Table<Notice>()
        package internal(set) var calendars = Table<PulledCalendar>()
        package internal(set) var passwords = Table<PasswordRecord>()
        package internal(set) var credentials = Table<Credential>()
        package internal(set) var receipts = Table<Receipt>()
        package internal(set) var proposals = Table<Proposal>()
        package internal(set) var mails = Table<Mail>()

        private var added = Self.added

        /// All tables, in the order of the properties, then those that were added. The list is made once, by
        /// reflection, so that no kind of record can be missing in it.
        static let all =
            Mirror(reflecting: Tables()).children.compactMap { ($0.value as? any ErasableTable)?.erased }
            + added.values.map(\.erased).sorted { $0.kind.name < $1.kind.name }

        static func table(of kind: RecordKind) -> AnyTable {
            guard let table = byKind[kind] else { preconditionFailure("there is no table of \(kind)") }
            return table
        }

        private static let byKind = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

        private struct Additions {
            var tables: [RecordKind: any ErasableTable] = [:]
            var isComplete = false
        }

        private static let additions = Mutex(Additions())
        private static let added = additions.withLock { additions in
            additions.isComplete = true
            return additions.tables
        }

        /// Adds a kind of record that another module declares; it must be called before the first town is made.
        package static func add<Record: TableRecord>(_ type: Record.Type) {
            additions.withLock { additions in
                precondition(!additions.isComplete, "a town has been made without \(Record.Value.kind.collection)")
                additions.tables[Record.Value.kind] = Table<Record>()
            }
        }

        subscript<Record: TableRecord>(kind: RecordKind) -> Table<Record> {
            get { Self.typed(added[kind], kind) }
            _modify {
                // Taken out, because a second reference would make a change copy it.
                var table: Table<Record> = Self.typed(added.removeValue(forKey: kind), kind)
                defer { added[kind] = table }
                yield &table
            }
        }

        private static func typed<Record>(_ table: (any ErasableTable)?, _ kind: RecordKind) -> Table<Record> {
            guard let table = table as? Table<Record> else { preconditionFailure("there is no table of \(kind)") }
            return table
        }
    }

    /// An array with one element, because it is one reference, and copies the element before a change only if it is
    /// shared.
    @usableFromInline var storage: ContiguousArray<Tables> = [Tables()]
    package internal(set) var sequences = IDSequences()
    package internal(set) var zones = TownZones.none

    package init() {}

    @inlinable
    package subscript<Table>(dynamicMember table: KeyPath<Tables, Table>) -> Table { storage[0][keyPath: table] }

    /// While it is true, the indexes that only queries read are left out.
    var isLoading: Bool {
        get { self.businesses.isLoading }
        set { (storage[0].businesses.isLoading, storage[0].events.isLoading) = (newValue, newValue) }
    }

    package var isEmpty: Bool { Tables.all.allSatisfy { $0.count(self) == 0 } }

    package func count(of kind: RecordKind) -> Int { Tables.table(of: kind).count(self) }

    /// In the dataset form, by ID.
    package func written(_ kind: RecordKind) -> AnySequence<[UInt8]> { Tables.table(of: kind).lines(self, false) }

    package func record(of kind: RecordKind, _ id: Int) -> (any TableRecord)? { Tables.table(of: kind).find(id, self) }

    /// In the order of their IDs: a reader of all can pause.
    package func records(of kind: RecordKind, above id: Int, limit: Int) -> [any StoredRecord] {
        Tables.table(of: kind).slice(self, id, limit)
    }

    /// All changes pass here, those of commits and of lines read at start.
    ///
    /// - Parameter at: the time of the commit; nil for a line of a snapshot, which contains the times of its record.
    /// - Throws: when the change refers to a record that does not exist.
    @discardableResult
    mutating func apply(_ change: Change, at: Timestamp?) throws(InapplicableChange) -> RecordChange {
        switch change {
        case .put(let record): try Tables.table(of: record.kind).put(record, at, &self)
        case .delete(let kind, let id): Tables.table(of: kind).remove(id, &self)
        }
    }

    /// References are slugs: a record that others refer to can change its slug, or be deleted, only in one commit with
    /// them.
    ///
    /// - Throws: the record that refers to one that has lost its slug.
    func checkReferences(to kind: RecordKind, _ slug: Slug) throws(InapplicableChange) {
        guard Self.recordType(of: kind)?.id(of: slug, in: self) == nil else { return }
        for table in Tables.all { try table.checkReferences(kind, slug, self) }
    }

    func known(_ id: Int?, _ kind: RecordKind, _ slug: Slug) throws(InapplicableChange) -> Int {
        guard let id else {
            throw InapplicableChange(description: "there is no \(kind.name) \"\(slug.text.excerpt())\"")
        }
        return id
    }
}

extension Town {
    package static let kinds = Tables.all.map(\.kind)

    package static let sharedKinds = kinds.filter(\.isShared)

    package static let recordTypes = Tables.all.compactMap(\.recordType)

    package static func recordType(of kind: RecordKind) -> (any WritableRecord.Type)? {
        Tables.table(of: kind).recordType
    }

    package static func kind(named name: String) -> RecordKind? { kinds.first { $0.name.hasSameBytes(as: name) } }
}
