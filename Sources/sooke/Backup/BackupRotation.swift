import Bytes
import Journal
import Platform

/// The backups of one store under names of one pattern, as `sooke backup --keep` sees them.
struct BackupRotation {
    fileprivate struct File {
        let path: String
        /// When it was written. Sequence numbers would not do: those of a restored town begin again at an older one.
        let time: FileStatus.Time
    }

    private let files: [File]

    /// Looks for them. What is no file, has another name, or does not begin as a backup of the store is none.
    init(_ name: BackupName, of store: String) throws(CommandError) {
        let names: [String]
        do throws(SystemError) {
            names = try FileDescriptor.names(in: name.folder)
        } catch {
            throw CommandError(.inputOutput, "cannot list \(name.folder): \(error)")
        }
        files = names.filter(name.matches).compactMap { File(name.path(ofFile: $0), of: store) }
    }

    /// Removes the oldest but for some, counting one that is spared, which was written last.
    ///
    /// - Returns: the paths of those that are gone.
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
    /// A file that begins as a backup of a store; nil when it is anything else.
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

    /// Whether one was written after the other.
    fileprivate static func isNewer(_ left: Self, _ right: Self) -> Bool {
        (left.time, left.path) > (right.time, right.path)
    }
}
