import Bytes
import JSON
import Journal
import SookeModel

/// A position in the history of the town.
public typealias HistoryPosition = CommitPosition

/// A commit for readers of changes: each record that it changed, before and after it.
///
/// It is the same whether the commit comes from memory or from the log.
public struct ChangeSet: Sendable {
    /// A record that the commit changed.
    public struct Item: Sendable {
        /// Its kind.
        public let kind: RecordKind
        /// Its ID.
        public let id: Int
        /// The record before the commit; nil for a new one, and for private kinds in the log.
        public let before: (any StoredRecord)?
        /// The record after the commit; nil for a deletion.
        public let after: (any StoredRecord)?
    }

    /// The position of the commit.
    public let position: CommitPosition
    /// The changed records, each once.
    public let items: [Item]

    /// A commit in memory.
    public init(_ commit: RecentCommit) {
        position = commit.position
        items = Self.merged(
            commit.changes.map { Item(kind: $0.kind, id: $0.id, before: $0.before?.value, after: $0.after?.value) })
    }

    /// A commit in the log; nil when its changes have no before-images.
    ///
    /// - Throws: for content that the store does not write.
    public init?(_ commit: LoggedCommit) throws(StoredRecordError) {
        guard commit.hasBeforeImages, let position = commit.position else { return nil }
        var items: [Item] = []
        _ = try Commit.read(commit.payload) { reader, _ in
            try reader.beginArray()
            while try reader.nextElement() { items.append(try Item(from: &reader)) }
        }
        (self.position, self.items) = (position, Self.merged(items))
    }

    /// Joins the changes of each record: a transaction may change one several times.
    private static func merged(_ items: [Item]) -> [Item] {
        if items.count < 2 { return items }
        var merged: [Item] = []
        var places: [ReferenceTarget: Int] = [:]
        for item in items {
            let target = ReferenceTarget(kind: item.kind, id: item.id)
            guard let place = places[target] else {
                places[target] = merged.count
                merged.append(item)
                continue
            }
            merged[place] = Item(kind: item.kind, id: item.id, before: merged[place].before, after: item.after)
        }
        return merged
    }
}

extension ChangeSet.Item {
    /// Reads a change in the form of the log; see `Change`.
    fileprivate init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        let name = try reader.nextKey()
        if let kind = name.flatMap(Community.kind(named:)) {
            let record = try reader.readRaw()
            let after = try AnyRecord(kind, record).value
            let was = try Self.readBefore(from: &reader)
            let before = try was.map { try AnyRecord(kind, Self.replacing($0, in: record)).value }
            self.init(kind: kind, id: after.id, before: before, after: after)
            return
        }
        guard name == "deleted", let kind = Community.kind(named: try reader.readString()), try reader.nextKey() == "id"
        else { throw reader.error("a change names no known kind of record") }
        let id = try reader.readInt()
        let before = try Self.readBefore(from: &reader).map { try AnyRecord(kind, $0).value }
        self.init(kind: kind, id: id, before: before, after: nil)
    }

    /// Reads the member `was` and the end of the change.
    private static func readBefore(from reader: inout JSONReader) throws -> [UInt8]? {
        var was: [UInt8]?
        while let name = try reader.nextKey() {
            guard name == "was" else { throw reader.error("a change has a member too many") }
            was = try reader.readRaw()
        }
        return was
    }

    /// A record with the members of another object instead of its own; those that are null are left out.
    private static func replacing(_ others: [UInt8], in record: [UInt8]) throws(JSONError) -> [UInt8] {
        var replaced: [(name: String, value: [UInt8])] = []
        var reader = JSONReader(others, limits: .trusted)
        try reader.beginObject()
        while let name = try reader.nextKey() { replaced.append((name, try reader.readRaw())) }
        var writer = JSONWriter(reservingCapacity: record.count)
        writer.beginObject()
        var own = JSONReader(record, limits: .trusted)
        try own.beginObject()
        while let name = try own.nextKey() {
            let value = try own.readRaw()
            if !replaced.contains(where: { $0.name.hasSameBytes(as: name) }) {
                writer.key(name)
                writer.raw(value)
            }
        }
        for (name, value) in replaced where value != Array("null".utf8) {
            writer.key(name)
            writer.raw(value)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension AnyRecord {
    fileprivate init(_ kind: RecordKind, _ bytes: [UInt8]) throws {
        var reader = JSONReader(bytes, limits: .trusted)
        try self.init(kind, from: &reader)
        try reader.finish()
    }
}
