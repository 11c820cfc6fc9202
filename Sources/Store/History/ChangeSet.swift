import Bytes
import JSON
import Journal
import SookeModel

package typealias HistoryPosition = CommitPosition

/// A commit for readers of changes: each record that it changed, before and after it. It is the same from memory and
/// from the log.
package struct ChangeSet: Sendable {
    package struct Item: Sendable {
        package let kind: RecordKind
        package let id: Int
        /// Nil for a new record, and for private kinds in the log.
        package let before: (any StoredRecord)?
        package let after: (any StoredRecord)?

        package var target: ReferenceTarget { ReferenceTarget(kind: kind, id: id) }
    }

    package let position: CommitPosition
    /// What the clock of the machine said.
    package let at: Timestamp
    package let by: Author
    package let act: CommitAct?
    package let items: [Item]

    init(_ position: CommitPosition, _ commit: Commit) {
        self.init(
            position, commit,
            commit.changes.map { Item(kind: $0.kind, id: $0.id, before: $0.before?.value, after: $0.after?.value) })
    }

    package init(_ commit: LoggedCommit) throws(StoredRecordError) {
        try self.init(commit.position, reading: Commit.object(of: commit.payload))
    }

    package init(_ line: CommitLineReader.LineOfCommit) throws(StoredRecordError) {
        try self.init(line.position, reading: line.bytes)
    }

    private init(_ position: CommitPosition, reading object: [UInt8]) throws(StoredRecordError) {
        var items: [Item] = []
        self.init(position, try Self.forEachItem(in: object) { items.append($0) }, items)
    }

    private init(_ position: CommitPosition, _ commit: Commit, _ items: [Item]) {
        (self.position, at, by, act) = (position, commit.time.clock, commit.by, commit.act)
        self.items = Self.merged(items)
    }

    /// Reads the changes in a line of `CommitLines` one after another. A record may occur several times.
    @discardableResult
    package static func forEachItem(
        in line: [UInt8], of kinds: Set<RecordKind>? = nil, _ body: (Item) throws -> Void
    ) throws(StoredRecordError) -> Commit {
        try Commit.read(object: line) { reader, _ in
            try reader.beginArray()
            while try reader.nextElement() {
                if let item = try Item(from: &reader, of: kinds) { try body(item) }
            }
        }
    }

    func replacing(_ body: (Item) -> Item) -> ChangeSet { ChangeSet(self, items.map(body)) }

    package func filtered(_ isIncluded: (Item) -> Bool) -> ChangeSet { ChangeSet(self, items.filter(isIncluded)) }

    private init(_ commit: ChangeSet, _ items: [Item]) {
        (position, at, by, act, self.items) = (commit.position, commit.at, commit.by, commit.act, items)
    }

    /// Joins the changes of each record: a transaction may change one several times.
    package static func merged(_ items: [Item]) -> [Item] {
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
    /// Whether a session began, went on or ended, or its network was stored with the password.
    var isOfSession: Bool {
        if let before = before as? PasswordRecord, let after = after as? PasswordRecord {
            return after.isSamePassword(as: before)
        }
        return ((before ?? after) as? Credential)?.purpose == .session
    }

    /// Reads a change in the form of the log; see `Change`. Nil when it is of none of the kinds.
    fileprivate init?(from reader: inout JSONReader, of kinds: Set<RecordKind>?) throws {
        var before: (any StoredRecord)?
        let change = try Change.read(from: &reader, of: kinds) { change, reader in
            switch change {
            case .put(let after): before = try after.value.readingEarlier(from: &reader)
            case .delete(let kind, _): before = try AnyRecord(kind, from: &reader).value
            }
        }
        switch change {
        case .put(let after): self.init(kind: after.kind, id: after.id, before: before, after: after.value)
        case .delete(let kind, let id): self.init(kind: kind, id: id, before: before, after: nil)
        case nil: return nil
        }
    }
}

extension StoredRecord {
    /// Reads the fields that differed before a change of this record, and returns the record as it was.
    fileprivate func readingEarlier(from reader: inout JSONReader) throws(JSONError) -> any StoredRecord {
        var (values, before) = (Self(), self)
        // A null is a problem for some fields here, and represents one that was left out.
        var nulls = FieldProblems()
        let fields = try values.readFields(from: &reader, unknown: .refused, &nulls)
        before.take(fields, from: values)
        return before
    }
}
