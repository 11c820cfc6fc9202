import Bytes
import JSON
import Journal
import SookeModel

/// A recent commit in memory: the records before and after it or, if it is from before this process, its line in the
/// log, which is read when it is needed.
package final class RecentCommit: Sendable {
    private enum Content: Sendable {
        case commit(Commit)
        case line(LoggedCommit)
    }

    package let position: CommitPosition
    package let changeCount: Int
    let subjects: [RightsSubject]
    let memory: Int
    private let content: Content

    /// The longest line that a start holds, in bytes: it would take long to read.
    static let longestLine = 4 << 20

    init(position: CommitPosition, _ commit: Commit, logBytes: Int) {
        let changes = commit.changes
        (self.position, content, changeCount) = (position, .commit(commit), changes.count)
        subjects = changes.flatMap(RightsSubject.of)
        // The records after it are in the town or, if they have changed since, counted by a later commit.
        let held = changes.reduce(0) { $0 + ($1.before?.memory ?? 0) + ($1.was?.count ?? 0) }
        // After a start it is the line that is held: what is in memory before a start must be there after it.
        memory = Self.fixedMemory + changes.count * Self.memoryOfChange + max(held, logBytes)
    }

    /// Nil when its line is too long.
    init?(_ commit: LoggedCommit) throws(StoredRecordError) {
        guard commit.payload.count <= Self.longestLine else { return nil }
        let summary = try ChangeSummary(of: commit)
        (position, content) = (commit.position, .line(commit))
        (changeCount, subjects) = (summary.changeCount, summary.subjects)
        memory = Self.fixedMemory + commit.payload.count
    }

    static let fixedMemory = 256
    private static let memoryOfChange = MemoryLayout<RecordChange>.stride

    /// Its changes, each record once; nil when they cannot be read.
    package var changeSet: ChangeSet? {
        switch content {
        case .commit(let commit): ChangeSet(position, commit)
        case .line(let commit): try? ChangeSet(commit)
        }
    }

    /// The payload of its line in the log. One that an earlier version of the program wrote may differ from it.
    var payload: ArraySlice<UInt8> {
        switch content {
        case .commit(let commit):
            var payload: [UInt8] = []
            commit.appendPayload(to: &payload)
            return payload[...]
        case .line(let commit): return commit.payload
        }
    }

    /// Its changes in order; a record may occur several times. Nil for a commit from before this process.
    var changes: [RecordChange]? {
        if case .commit(let commit) = content { commit.changes } else { nil }
    }

    /// Whether it is of an author, in this process, and changed something shared or a proposal.
    func isShared(by author: Author) -> Bool {
        guard case .commit(let commit) = content, commit.by == author else { return false }
        return commit.changes.contains { $0.kind.isShared || $0.kind == .proposal }
    }

    /// Whether reading its changes takes longer than an event loop may work.
    package var isLarge: Bool {
        if case .line(let commit) = content, commit.payload.count > Self.longLine { return true }
        return changeCount > Self.manyChanges
    }

    private static let manyChanges = 128
    private static let longLine = 64 << 10
}

/// Someone whose rights in the feed a commit may change.
enum RightsSubject: Hashable, Sendable {
    /// A person whose role has changed, or a business of theirs, or its slug.
    case person(Int)
    /// A session or an API token that has ended.
    case credential(Int)

    static func of(_ change: RecordChange) -> [RightsSubject] {
        of(
            change.kind, change.id, change.before?.value.rights, change.after?.value.rights,
            isDeleted: change.after == nil)
    }

    static func of(_ item: ChangeSet.Item) -> [RightsSubject] {
        of(item.kind, item.id, item.before?.rights, item.after?.rights, isDeleted: item.after == nil)
    }

    private static func of(
        _ kind: RecordKind, _ id: Int, _ before: Rights?, _ after: Rights?, isDeleted: Bool
    ) -> [RightsSubject] {
        if kind == .credential { return isDeleted ? [.credential(id)] : [] }
        return before == after ? [] : Set([before?.person, after?.person]).compactMap { $0.map(RightsSubject.person) }
    }
}

/// What a start needs of a commit in the log, without reading its records: nearly all commits change nobody's rights.
private struct ChangeSummary {
    private(set) var changeCount = 0
    private(set) var subjects: [RightsSubject] = []

    init(of commit: LoggedCommit) throws(StoredRecordError) {
        var mayChangeRights = false
        _ = try Commit.read(commit.payload) { reader, _ in
            try reader.beginArray()
            while try reader.nextElement() {
                changeCount += 1
                if try Self.mayChangeRights(&reader) { mayChangeRights = true }
            }
        }
        if mayChangeRights { subjects = try ChangeSet(commit).items.flatMap(RightsSubject.of) }
    }

    private static let kinds =
        Town.Tables.all.filter(\.hasRights).map(\.kind.name)
    private static let members = [Array("\"role\":".utf8), Array("\"owner_id\":".utf8), Array("\"slug\":".utf8)]
        .map { ByteSearch(for: $0) }

    /// Reads a change; whether it is one of a role, an owner or a slug, or a deletion.
    private static func mayChangeRights(_ reader: inout JSONReader) throws(JSONError) -> Bool {
        var (isRelevant, wasExisting, hasChanged) = (false, false, false)
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch name {
            case "deleted":
                (isRelevant, hasChanged) = (true, true)
                try reader.skipValue()
            case "was":
                wasExisting = true
                let was = try reader.readRawSlice()
                if members.contains(where: { $0.firstMatch(in: was.span) != nil }) { hasChanged = true }
            default:
                if kinds.contains(name) { isRelevant = true }
                try reader.skipValue()
            }
        }
        return isRelevant && (hasChanged || !wasExisting)
    }
}
