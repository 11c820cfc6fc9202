import Bytes
import JSON
import SookeModel

/// The kinds of records in the feed and in a replica. What is said of each kind is here alone.
extension Change.Kind {
    var replica: ReplicaKind {
        switch self {
        case .category: ReplicaKind(\.categories)
        case .eventType: ReplicaKind(\.eventTypes)
        case .business: ReplicaKind(\.businesses)
        case .event: ReplicaKind(\.events)
        case .notice: ReplicaKind(\.notices)
        case .settings: ReplicaKind(\.settings)
        }
    }
}

/// How the records of a kind are decoded, and stored in their table.
struct ReplicaKind {
    let name: String
    let decode: (JSONValue) throws -> any ReplicaRecord
    let apply: (Change, inout TownReplica.Tables) -> Void
    let fill: (inout TownReplica.Tables, [Change]) -> Void
    let read: (inout JSONReader, inout TownReplica.Tables) throws(JSONError) -> Void
    let write: (TownReplica.Tables, inout JSONWriter) -> Void

    init<Record: ReplicaRecord>(_ table: WritableKeyPath<TownReplica.Tables, ReplicaTable<Record>>) {
        name = Record.kind.collection
        decode = { try Record.read($0).value }
        apply = { change, tables in
            if let record = change.record as? Record {
                tables[keyPath: table].insert(record)
            } else {
                tables[keyPath: table].remove(Int(change.id))
            }
        }
        fill = { tables, changes in
            tables[keyPath: table] = ReplicaTable(changes.compactMap { $0.record as? Record })
        }
        read = { (reader, tables) throws(JSONError) in tables[keyPath: table] = try ReplicaTable(from: &reader) }
        write = { tables, writer in tables[keyPath: table].write(to: &writer) }
    }
}

protocol ReplicaRecord: SookeModel.Record, ResponseValue {
    /// Orders the list, before the ID.
    associatedtype Key: Comparable & Sendable

    var name: String { get }
    var slug: Slug { get }

    /// Computed once.
    var sortKey: Key { get }
}

struct NameOrder: Comparable, Sendable {
    private let bytes: [UInt8]

    init(_ name: String) {
        bytes = Collation.sortKey(name)
    }

    static func < (left: NameOrder, right: NameOrder) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension Term: ReplicaRecord {
    var sortKey: NameOrder { NameOrder(name) }
}

extension SookeModel.Business: ReplicaRecord {
    var sortKey: NameOrder { NameOrder(name) }
}

extension SookeModel.Event: ReplicaRecord {
    /// The start in microseconds since 1970.
    var sortKey: Int { startsAt?.microseconds ?? .min }
}

extension SookeModel.Notice: ReplicaRecord {
    var sortKey: Int { id }
}

extension SookeModel.Settings: ReplicaRecord {
    var slug: Slug { Slug("") }
    var sortKey: Int { id }
}

/// The records of a kind, in the order of their list.
struct ReplicaTable<Record: ReplicaRecord>: Sendable {
    private struct Entry: Sendable {
        let record: Record
        let key: Record.Key
        let foldedName: [UInt8]

        init(_ record: Record) {
            (self.record, key, foldedName) = (record, record.sortKey, CaseFolding.fold(record.name))
        }

        func isBefore(_ other: Entry) -> Bool {
            key == other.key ? record.id < other.record.id : key < other.key
        }
    }

    private var entries: [Int: Entry] = [:]
    private var ids: [Slug: Int] = [:]

    init() {}

    /// A table of records in any order. Of records with the same ID the last one is stored.
    init(_ records: [Record]) {
        for record in records { insert(record) }
    }

    var records: [Record] { Self.sorted(entries.values) }

    /// The records whose name contains a text, ignoring case, in their order.
    func records(named text: String) -> [Record] {
        let text = CaseFolding.fold(text)
        return text.isEmpty ? records : Self.sorted(entries.values.filter { CaseFolding.contains($0.foldedName, text) })
    }

    private static func sorted(_ entries: some Sequence<Entry>) -> [Record] {
        entries.sorted { $0.isBefore($1) }.map(\.record)
    }

    subscript(id: Int) -> Record? { entries[id]?.record }

    subscript(slug slug: String) -> Record? { ids[Slug(slug)].flatMap { self[$0] } }

    mutating func insert(_ record: Record) {
        remove(record.id)
        entries[record.id] = Entry(record)
        ids[record.slug] = record.id
    }

    mutating func remove(_ id: Int) {
        // Another record may have its slug already.
        if let slug = entries.removeValue(forKey: id)?.record.slug, ids[slug] == id { ids[slug] = nil }
    }
}

extension ReplicaTable: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.records == right.records }
}

/// The table in a file: its records as in a dataset of the server.
extension ReplicaTable {
    init(from reader: inout JSONReader) throws(JSONError) {
        var records: [Record] = []
        try reader.beginArray()
        while try reader.nextElement() {
            var (record, problems) = (Record(), FieldProblems())
            _ = try record.readFields(from: &reader, unknown: .refused, &problems)
            guard problems.isEmpty else { throw reader.error("an invalid record") }
            records.append(record)
        }
        self.init(records)
    }

    func write(to writer: inout JSONWriter) {
        writer.array(Record.kind.collection, records) { $0.write(to: &$1) }
    }
}
