#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A new folder for this process alone, removed with the files in it when its owner goes away.
struct TemporaryFolder: ~Copyable {
    /// Its path.
    let path: String

    /// Makes a folder in `$TMPDIR`, else in memory where the system has a place for that, else in `/tmp`.
    init() throws(CommandError) {
        let inMemory = "/dev/shm"
        let parent = Environment.process["TMPDIR"] ?? (access(inMemory, W_OK) == 0 ? inMemory : "/tmp")
        var template = Array("\(parent)/sooke-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandError(.inputOutput, "cannot make a folder in \(parent): \(SystemError.last)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        for name in (try? FolderListing.names(in: path)) ?? [] where unlink("\(path)/\(name)") != 0 {
            remove("\(path)/\(name)")
        }
        rmdir(path)
    }
}
