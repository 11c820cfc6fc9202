import Bytes
import JSON
import Journal
import Platform
import SookeModel

/// A page of the history of a record: the author, time and fields of each change, the newest first, as far back as the
/// log is stored.
///
/// ```swift
/// let history = try await store.history(of: .business, id: 17)
/// let older = try await store.history(of: .business, id: 17, before: history.next)
/// ```
package struct History: Sendable {
    package enum Action: String, Sendable {
        case created
        case updated
        case deleted
    }

    package struct Field: Sendable, Equatable {
        package let name: String
        /// As JSON, like `after`; nil for no value, which is equivalent to null.
        package let before: [UInt8]?
        package let after: [UInt8]?

        /// Those that differ between two states of a record, of which one may be absent; in the order of the record.
        package static func changed(
            from before: (any StoredRecord)?, to after: (any StoredRecord)?
        ) throws(StoredRecordError) -> [Field] {
            let (before, after) = try (values(of: before), values(of: after))
            let gone = before.filter { old in !after.contains { $0.name == old.name } }
            return (after + gone).compactMap { name, _ in
                let field = Field(
                    name: name, before: before.first { $0.name == name }?.value,
                    after: after.first { $0.name == name }?.value)
                return field.before == field.after ? nil : field
            }
        }

        /// Of the fields that have one, without the ID and the times.
        private static func values(
            of record: (any StoredRecord)?
        ) throws(StoredRecordError) -> [(name: String, value: [UInt8])] {
            guard let record else { return [] }
            do throws(JSONError) {
                var values: [(name: String, value: [UInt8])] = []
                var reader = JSONReader(record.written, limits: .trusted)
                try reader.beginObject()
                while let name = try reader.nextKey() {
                    let value = try reader.readRaw()
                    if name != "id", !RecordTimes.names.contains(name), value != null { values.append((name, value)) }
                }
                return values
            } catch {
                throw StoredRecordError(error)
            }
        }

        private static let null = [UInt8]("null")
    }

    package struct Entry: Sendable, Equatable {
        package let position: CommitPosition
        package let at: Timestamp
        package let by: Author
        package let action: Action
        package fileprivate(set) var fields: [Field]

        /// Nil for a commit that leaves the record as it was.
        fileprivate init?(_ commit: LoggedCommit, _ kind: RecordKind, _ id: Int) throws(StoredRecordError) {
            var (before, after): ((any StoredRecord)?, (any StoredRecord)?) = (nil, nil)
            var isFirst = true
            let read = try ChangeSet.forEachItem(in: Commit.object(of: commit.payload), of: [kind]) { item in
                guard item.id == id else { return }
                if isFirst { (before, isFirst) = (item.before, false) }
                after = item.after
            }
            (position, at, by) = (commit.position, read.time.clock, read.by)
            fields = try Field.changed(from: before, to: after)
            if fields.isEmpty { return nil }
            action = before == nil ? .created : after == nil ? .deleted : .updated
        }
    }

    package private(set) var entries: [Entry]
    /// The value of `before` for the next page, which may have entries although this one has none; nil on the last one.
    package let next: Int?

    /// Searches the newest part of the log of a data folder.
    ///
    /// - Parameters:
    ///   - kind: one that is private (see `RecordKind.isShared`) has no public history.
    ///   - through: the last commit to search. While a server runs it must be a published one.
    /// - Throws: as `LogPage.init`; `StoredRecordError` when the log has content that the store does not write.
    package init(
        of kind: RecordKind, id: Int, in directory: String, fileSystem: any FileSystem = POSIXFileSystem(),
        through: Int, limit: Int, before: Int? = nil, reading bytes: Int = LogPage<Entry>.bytesAtATime,
        isWanted: () -> Bool = { true }
    ) throws {
        let marks = ["{\"\(kind.name)\":{\"id\":\(id),", "{\"deleted\":\"\(kind.name)\",\"id\":\(id)"]
        let page = try LogPage(
            in: directory, fileSystem: fileSystem, through: through, before: before, limit: kind.isShared ? limit : 0,
            with: marks, reading: bytes, isWanted: isWanted
        ) { try Entry($0, kind, id) }
        (entries, next) = (page.found, page.next)
    }

    package func mappingFields(_ body: ([Field]) -> [Field]) -> History {
        var history = self
        for index in entries.indices { history.entries[index].fields = body(entries[index].fields) }
        return history
    }
}

extension Store {
    /// The history of a record, which may be deleted, up to the newest version; see `History.init`. The log is read on
    /// a thread of its own, for one caller at a time.
    package nonisolated func history(
        of kind: RecordKind, id: Int, limit: Int = PageRequest.defaultSize, before: Int? = nil,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> History {
        let (folder, fileSystem, through) = (folder, fileSystem, current.sequence)
        return try await histories.run {
            try History(
                of: kind, id: id, in: folder, fileSystem: fileSystem, through: through, limit: limit, before: before,
                isWanted: isWanted)
        }
    }
}
