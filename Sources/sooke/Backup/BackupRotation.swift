import Bytes
import HTTP
import Journal
import Platform

/// The backups of a store whose names match one pattern, for `sooke backup --if-changed` and `--keep`.
struct BackupRotation {
    private let name: BackupName
    private let names: [String]
    /// The newest states first. In one history the times never go back, and a branch that was left has earlier ones
    /// than what followed it; of one state the file that was written last is first.
    private let files: [File]

    fileprivate struct File {
        let path: String
        /// The state in it. The time of the file is that of a copy, if it was copied.
        let origin: CheckedDocument.Origin
        let time: Int
    }

    /// How many backups are left of the changes that the town had before an older backup of it was restored.
    private static let branchCount = 2

    init(_ name: BackupName, of store: String) throws(CommandError) {
        self.name = name
        names = try CommandError.mapped("cannot list \(name.folder)", .inputOutput) {
            try FileDescriptor.workingFolder.names(in: name.folder)
        }
        files = names.filter(name.matches).compactMap { File(name.path(ofFile: $0), of: store) }.sorted {
            ($0.origin.at, $0.origin.sequence, $0.time, $0.path) > ($1.origin.at, $1.origin.sequence, $1.time, $1.path)
        }
    }

    /// Whether a backup without damage has a state, or the newest one before it has what counts of it.
    func has(
        _ newest: CommitPosition, orElse isGoodEnough: (CommitPosition) throws(CommandError) -> Bool
    ) throws(CommandError) -> Bool {
        if files.contains(where: { $0.origin.position == newest && $0.damage == nil }) { return true }
        let last = files.first { $0.origin.sequence < newest.sequence && $0.damage == nil }
        guard let position = last?.origin.position else { return false }
        return try isGoodEnough(position)
    }

    /// Removes the backups with the oldest states and leaves `count`, including the one that was just written. Only
    /// backups without damage count.
    ///
    /// A backup with more changes than that one, or with as many others, is of another branch: the town went on from an
    /// older backup. It does not count, and the newest two are kept aside.
    func remove(
        allBut count: Int, sparing written: String, at newest: CheckedDocument.Origin,
        remark: (_ path: String, _ isDamaged: Bool, _ reason: String) -> Void
    ) throws(CommandError) -> [String] {
        var (room, branchRoom) = (count - 1, Self.branchCount)
        var old: [String] = []
        for file in files where file.path != written {
            let isBranch = file.isOfAnotherBranch(than: newest)
            if (isBranch ? branchRoom : room) == 0 {
                old.append(file.path)
            } else if let reason = file.damage {
                remark(file.path, true, reason)
            } else if isBranch {
                branchRoom -= 1
                let state = "it has the town \(file.origin.words), which is not in the history of this town"
                remark(file.path, false, state)
            } else {
                room -= 1
            }
        }
        return try Self.remove(old.reversed())
    }

    /// Removes the temporary files of backups that were killed more than a day ago.
    func removeAbandoned(at now: Timestamp = TimeSource.system.wall()) throws(CommandError) -> [String] {
        let abandoned = names.filter { file in
            guard let final = ReplacedFile.finalName(ofTemporary: file), name.matches(final),
                let status = try? FileDescriptor.workingFolder.status(
                    of: name.path(ofFile: file), followingLinks: false)
            else { return false }
            return status.isRegularFile && status.user == UserIdentity.current
                && status.modified / 1_000_000_000 < now.seconds - 86_400
        }
        return try Self.remove(abandoned.sorted().map(name.path(ofFile:)))
    }

    private static func remove(_ paths: [String]) throws(CommandError) -> [String] {
        for path in paths {
            do throws(SystemError) {
                try FileDescriptor.workingFolder.remove(path)
            } catch {
                if error.isMissing { continue }
                throw CommandError(.inputOutput, "the backup is written, but cannot remove \(path): \(error)")
            }
        }
        return paths
    }
}

extension BackupRotation.File {
    /// A regular file that begins as a backup of a store and was not cut off; nil for any other file.
    fileprivate init?(_ path: String, of store: String) {
        guard let file = try? OwnedDescriptor.open(path, [.read, .noFollow, .nonBlocking]),
            let status = try? file.descriptor.status(), status.isRegularFile,
            let start = try? file.descriptor.read(at: 0, count: 1024), let end = start.firstIndex(of: ASCII.lineFeed),
            let tail = try? file.descriptor.read(at: max(0, status.length - 256), count: 256),
            tail.last == ASCII.lineFeed
        else { return nil }
        let lines = tail.dropLast().split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        guard lines.count > 1, CheckedDocumentReader.isEnd(lines[lines.count - 1]) else { return nil }
        var reader = CheckedDocumentReader()
        guard case .start(let origin?) = try? reader.read(start[..<end]), origin.store == store else { return nil }
        (self.path, self.origin, self.time) = (path, origin, status.modified)
    }

    fileprivate var damage: String? {
        do throws(JournalError) {
            let found = try FolderCopy.origin(ofSnapshot: path)
            return found == origin ? nil : "it changed while it was read"
        } catch {
            return "\(error)"
        }
    }

    fileprivate func isOfAnotherBranch(than newest: CheckedDocument.Origin) -> Bool {
        origin.sequence > newest.sequence
            || origin.sequence == newest.sequence && origin.chain != newest.chain
    }
}
