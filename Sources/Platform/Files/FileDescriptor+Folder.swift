import Glibc

/// Calls on an open folder. Paths are relative to it.
extension FileDescriptor {
    /// Without `.` and `..`, in no particular order.
    package func names(in path: String = ".") throws(SystemError) -> [String] {
        // It opens the folder again: reading it moves a position that copies of a descriptor share.
        let copy = try OwnedDescriptor.open(path, in: self, [.read, .folder]).release()
        guard let stream = fdopendir(copy) else {
            let error = SystemError.last
            _ = close(copy)
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            // The name is a C array inside the entry, which Swift imports as a tuple.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        let error = SystemError.last
        guard error.code == 0 else { throw error }
        return names
    }

    package static func realPath(of path: String) throws(SystemError) -> String {
        guard let real = realpath(path, nil) else { throw .last }
        defer { free(real) }
        return String(cString: real)
    }

    package static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &target, target.count)
        guard count >= 0 else { return nil }
        return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Atomic; replaces a file that has the new name.
    package func rename(_ path: String, to target: String) throws(SystemError) {
        try SystemError.check(renameat(number, path, number, target))
    }

    package func remove(_ path: String) throws(SystemError) {
        try SystemError.check(unlinkat(number, path, 0))
    }

    package func removeAny(_ path: String) throws(SystemError) {
        if unlinkat(number, path, 0) == 0 { return }
        let error = SystemError.last
        if error.code == EISDIR, unlinkat(number, path, AT_REMOVEDIR) == 0 { return }
        throw error
    }

    /// With mode 0700.
    package func createFolder(_ path: String) throws(SystemError) {
        try SystemError.check(mkdirat(number, path, 0o700))
    }

    package func exists(_ path: String) -> Bool {
        faccessat(number, path, F_OK, 0) == 0
    }

    package func isWritable(_ path: String) -> Bool {
        faccessat(number, path, W_OK, 0) == 0
    }

    package static func createTemporaryFolder(_ prefix: String) throws(SystemError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .last }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
