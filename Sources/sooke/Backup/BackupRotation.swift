import Bytes
import Journal
import Platform

/// Removes old backups of a store whose names match one pattern, for `sooke backup --keep`.
struct BackupRotation {
    fileprivate struct File {
        let path: String
        /// The time of the last write. Sequence numbers are not suitable: those of a restored town begin again at an
        /// older one.
        let time: FileStatus.Time
    }

    private let files: [File]

    /// Finds the backups: regular files with a matching name that begin as a backup of the store.
    init(_ name: BackupName, of store: String) throws(CommandError) {
        let names: [String]
        do throws(SystemError) {
            names = try FileDescriptor.names(in: name.folder)
        } catch {
            throw CommandError(.inputOutput, "cannot list \(name.folder): \(error)")
        }
        files = names.filter(name.matches).compactMap { File(name.path(ofFile: $0), of: store) }
    }

    /// Removes the oldest backups and leaves `count`, including the one that was just written.
    ///
    /// - Returns: the paths of the removed files.
    func remove(allBut count: Int, sparing newest: String) throws(CommandError) -> [String] {
        let others = files.filter { $0.path != newest }
        let old = others.sorted(by: File.isNewer).dropFirst(count - 1)
        for file in old.reversed() {
            do throws(SystemError) {
                try FileDescriptor.workingFolder.remove(file.path)
            } catch {
                if error.isMissing { continue }
                throw CommandError(.inputOutput, "the backup is written, but cannot remove \(file.path): \(error)")
            }
        }
        return old.reversed().map(\.path)
    }
}

extension BackupRotation.File {
    /// A file that begins as a backup of a store; nil for any other file.
    fileprivate init?(_ path: String, of store: String) {
        guard let file = try? OwnedDescriptor.open(path, [.read, .noFollow, .nonBlocking]),
            let status = try? file.descriptor.status(), status.isRegularFile,
            let start = try? file.descriptor.read(upTo: 1024),
            let end = start.firstIndex(of: ASCII.lineFeed)
        else { return nil }
        var reader = CheckedDocumentReader()
        guard case .start(let origin?) = try? reader.read(start[..<end]), origin.store == store else { return nil }
        (self.path, self.time) = (path, status.modified)
    }

    /// Whether one backup is newer than the other.
    fileprivate static func isNewer(_ left: Self, _ right: Self) -> Bool {
        (left.time, left.path) > (right.time, right.path)
    }
}
