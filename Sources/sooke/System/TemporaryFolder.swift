import Platform

/// A new folder for this process alone, removed with its files when the value is destroyed.
struct TemporaryFolder: ~Copyable {
    /// Its path.
    let path: String

    /// Creates a folder in `$TMPDIR`, else in memory if the system has a file system for that, else in `/tmp`.
    init() throws(CommandError) {
        let files = FileDescriptor.workingFolder
        let inMemory = "/dev/shm"
        let parent = Environment.process["TMPDIR"] ?? (files.isWritable(inMemory) ? inMemory : "/tmp")
        do throws(SystemError) {
            path = try FileDescriptor.createTemporaryFolder("\(parent)/sooke-demo-")
        } catch {
            throw CommandError(.inputOutput, "cannot make a folder in \(parent): \(error)")
        }
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        for name in (try? FileDescriptor.names(in: path)) ?? [] {
            do throws(SystemError) {
                try FileDescriptor.workingFolder.remove("\(path)/\(name)")
            } catch {
                remove("\(path)/\(name)")
            }
        }
        try? FileDescriptor.workingFolder.removeAny(path)
    }
}
