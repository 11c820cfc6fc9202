import Platform

/// A new folder for this process alone, removed with its files when the value is destroyed.
///
/// The process holds a lock on the folder, so that another process can tell whether its owner is still running: a
/// killed process leaves its folder behind, and the next one removes it.
struct TemporaryFolder: ~Copyable {
    let path: String

    private let lock: OwnedDescriptor

    private static let prefix = "sooke-demo-"

    /// Creates a folder in `$TMPDIR`, else in memory if the system has a file system for that, else in `/tmp`, and
    /// removes those that killed processes have left there.
    init() throws(CommandError) {
        let inMemory = "/dev/shm"
        let hasMemory = FileDescriptor.workingFolder.isWritable(inMemory)
        try self.init(in: Environment.process["TMPDIR"] ?? (hasMemory ? inMemory : "/tmp"))
    }

    init(in parent: String) throws(CommandError) {
        Self.removeAbandoned(in: parent)
        do throws(SystemError) {
            while true {
                let path = try FileDescriptor.createTemporaryFolder("\(parent)/\(Self.prefix)")
                // Until it is locked, another process may take it for abandoned.
                if let lock = try Self.locked(path, orUnlocked: true) {
                    self.path = path
                    self.lock = lock
                    return
                }
            }
        } catch {
            throw CommandError(error.codeForOpening, "cannot make a folder in \(parent): \(error)")
        }
    }

    deinit {
        Self.remove(path, lock.descriptor)
    }

    /// Opens and locks a folder; nil when another process has locked or removed it.
    /// `orUnlocked`: it may stay unlocked where folders cannot be locked, as on NFS; none is removed as abandoned.
    private static func locked(_ path: String, orUnlocked: Bool = false) throws(SystemError) -> OwnedDescriptor? {
        do throws(SystemError) {
            let folder = try OwnedDescriptor.open(path, [.read, .folder, .noFollow])
            do throws(SystemError) {
                try folder.descriptor.lock()
            } catch {
                guard orUnlocked, error.isUnsupported else { throw error }
            }
            guard FileDescriptor.workingFolder.leads(path, to: try folder.descriptor.status().identity) else {
                return nil
            }
            return folder
        } catch {
            if error.isMissing || error.wouldBlock { return nil }
            throw error
        }
    }

    private static func removeAbandoned(in parent: String) {
        for name in (try? FileDescriptor.workingFolder.names(in: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let folder = try? locked(path), let status = try? folder.descriptor.status(),
                status.user == UserIdentity.current, !isUsed(folder.descriptor)
            else { continue }
            remove(path, folder.descriptor)
        }
    }

    /// Whether a command uses a data folder in an open folder, although its server is gone.
    private static func isUsed(_ folder: FileDescriptor) -> Bool {
        for name in (try? folder.names()) ?? [] {
            guard let inner = try? OwnedDescriptor.open(name, in: folder, [.read, .folder, .noFollow]) else { continue }
            do throws(SystemError) {
                try inner.descriptor.lock()
            } catch {
                return true
            }
        }
        return false
    }

    static func remove(_ path: String) {
        guard let folder = try? OwnedDescriptor.open(path, [.read, .folder, .noFollow]) else { return }
        remove(path, folder.descriptor)
    }

    private static func remove(_ path: String, _ folder: FileDescriptor) {
        removeContents(of: folder)
        try? FileDescriptor.workingFolder.removeAny(path)
    }

    /// A symbolic link is removed and not followed.
    private static func removeContents(of folder: FileDescriptor) {
        for name in (try? folder.names()) ?? [] {
            if let inner = try? OwnedDescriptor.open(name, in: folder, [.read, .folder, .noFollow]) {
                removeContents(of: inner.descriptor)
            }
            try? folder.removeAny(name)
        }
    }
}
