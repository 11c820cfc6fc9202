import Bytes
import Journal
import Platform
import SookeModel

/// A page of the changes of a town, commit by commit, the newest first, as far back as the log is stored.
package struct CommitHistory: Sendable {
    package let commits: [ChangeSet]
    /// The value of `before` for the next page, which may have commits although this one has none; nil on the last one.
    package let next: Int?

    /// Searches the newest part of the log of a data folder, without commits that change only what is private.
    ///
    /// - Parameter through: while a server runs it must be a published commit.
    init(
        in directory: String, fileSystem: any FileSystem = POSIXFileSystem(), through: Int, before: Int? = nil,
        limit: Int, deletes: Bool = false, reading bytes: Int = LogPage<LoggedCommit>.bytesAtATime,
        isWanted: () -> Bool = { true }
    ) throws {
        let page = try LogPage(
            in: directory, fileSystem: fileSystem, through: through, before: before, limit: limit,
            with: Self.marks(deletes: deletes), reading: bytes, isWanted: isWanted, \.copied)
        (commits, next) = (try page.found.map { try ChangeSet($0) }, page.next)
    }

    /// What a commit has that changes something shared, or decides on a proposal.
    private static func marks(deletes: Bool) -> [String] {
        let kinds = deletes ? Town.sharedKinds : Town.sharedKinds + [.proposal]
        let deletions = Town.sharedKinds.map { "{\"deleted\":\"\($0.name)\"" }
        return deletes ? deletions : kinds.map { "{\"\($0.name)\":{" } + deletions
    }
}

extension CommitHistory {
    /// With some of the changes, without commits that have none of these.
    package func filtered(_ isIncluded: (ChangeSet.Item) -> Bool) -> CommitHistory {
        CommitHistory(commits.map { $0.filtered(isIncluded) }.filter { !$0.items.isEmpty }, next: next)
    }

    private init(_ commits: [ChangeSet], next: Int?) { (self.commits, self.next) = (commits, next) }
}

extension ChangeSet {
    fileprivate static func logged(
        _ sequence: Int, in directory: String, fileSystem: any FileSystem, through: Int, isWanted: () -> Bool
    ) throws -> ChangeSet? {
        guard 1...max(1, through) ~= sequence else { return nil }
        var reader: CommitReader
        do throws(JournalError) {
            reader = try CommitReader(directory, fileSystem: fileSystem, after: sequence - 1, through: sequence)
        } catch {
            if error.kind == .historyDropped { return nil }
            throw error
        }
        guard let commit = try reader.next().map({ try ChangeSet($0) }) else { return nil }
        let decided = Set(commit.items.filter { $0.kind == .proposal && $0.after != nil }.map(\.id))
        if decided.isEmpty { return commit }
        let before = try lastProposals(decided, in: directory, fileSystem: fileSystem, through: sequence - 1, isWanted)
        return commit.replacing { item in
            guard item.kind == .proposal, let known = before[item.id] else { return item }
            return Item(kind: item.kind, id: item.id, before: known, after: item.after)
        }
    }

    /// The log has no before-images of private records.
    private static func lastProposals(
        _ ids: Set<Int>, in directory: String, fileSystem: any FileSystem, through: Int, _ isWanted: () -> Bool
    ) throws -> [Int: Proposal] {
        guard through > 0 else { return [:] }
        var found: [Int: Proposal] = [:]
        let mark = ByteSearch(for: Array("{\"\(RecordKind.proposal.name)\":{".utf8))
        var reader = try CommitReader(directory, fileSystem: fileSystem, after: nil, through: through)
        try reader.forEach(while: isWanted) { commit in
            guard mark.firstMatch(in: commit.payload.span) != nil else { return }
            try forEachItem(in: Commit.object(of: commit.payload), of: [.proposal]) { item in
                if ids.contains(item.id) { found[item.id] = item.after as? Proposal }
            }
        }
        return found
    }
}

extension Store {
    /// A page of the history of the town; see `CommitHistory`. The log is read on a thread of its own.
    package nonisolated func commits(
        before: Int? = nil, limit: Int, deletes: Bool = false, isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> CommitHistory {
        let (folder, fileSystem, through) = (folder, fileSystem, current.sequence)
        return try await histories.run {
            try CommitHistory(
                in: folder, fileSystem: fileSystem, through: through, before: before, limit: limit, deletes: deletes,
                isWanted: isWanted)
        }
    }

    /// The commit with a sequence number, with what its proposals were before; nil when the log does not have it.
    package nonisolated func commit(
        _ sequence: Int, isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> ChangeSet? {
        let (folder, fileSystem, through) = (folder, fileSystem, current.sequence)
        return try await histories.run {
            try ChangeSet.logged(sequence, in: folder, fileSystem: fileSystem, through: through, isWanted: isWanted)
        }
    }
}
