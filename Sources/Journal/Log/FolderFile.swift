struct FolderFile {
    let file: any OpenFile
    private let folder: String
    /// In errors, when it was opened under another name.
    private var path: String?

    init(_ file: any OpenFile, in folder: String) {
        (self.file, self.folder) = (file, folder)
    }

    /// It has got another name since.
    func named(_ path: String) -> FolderFile {
        var file = self
        file.path = path
        return file
    }

    var identity: String? { file.identity }

    func read(at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        try call { () throws(FileSystemError) in try file.read(at: offset, count: count) }
    }

    func length() throws(JournalError) -> Int { try call(file.length) }

    func append(_ bytes: [UInt8]) throws(JournalError) {
        try call { () throws(FileSystemError) in try file.append(bytes) }
    }

    func overwrite(_ bytes: [UInt8]) throws(JournalError) {
        try call { () throws(FileSystemError) in try file.overwrite(bytes) }
    }

    func truncate(to length: Int) throws(JournalError) {
        try call { () throws(FileSystemError) in try file.truncate(to: length) }
    }

    func sync() throws(JournalError) { try call(file.sync) }

    private func call<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        do throws(FileSystemError) {
            return try call()
        } catch {
            throw .system(FileSystemError(error.operation, path: path ?? error.path, code: error.code), in: folder)
        }
    }

    func append(_ source: FolderFile, from start: Int, to end: Int) throws(JournalError) {
        try source.forEachPiece(from: start, to: end) { piece throws(JournalError) in try append(piece) }
    }

    /// In pieces of at most 1 MiB.
    func forEachPiece(
        from start: Int, to end: Int, _ body: ([UInt8]) throws(JournalError) -> Void
    ) throws(JournalError) {
        var offset = start
        while offset < end {
            let piece = try read(at: offset, count: min(1 << 20, end - offset))
            // The file became shorter meanwhile; the check of the copy detects that.
            guard !piece.isEmpty else { return }
            try body(piece)
            offset += piece.count
        }
    }

    /// Without the zeros at its end, which begin at `start` or later.
    func lengthWithoutReserve(from start: Int) throws(JournalError) -> Int {
        var (end, offset) = (start, start)
        try forEachPiece(from: start, to: length()) { piece in
            if let last = piece.lastIndex(where: { $0 != 0 }) { end = offset + last + 1 }
            offset += piece.count
        }
        return end
    }
}

/// A new file that is being added to a data folder. Whenever the power fails, the folder contains either the old file
/// of that name (if there was one) or the complete new one:
///
/// 1. The bytes are appended to `file`, which has a temporary name.
/// 2. `sync()` writes them to stable storage.
/// 3. The caller may read them back.
/// 4. `install()` renames the file and syncs the folder. It does neither if the folder was moved or replaced, or the
///    manifest that it would replace is not the one that this process read or wrote.
///
/// After an error that `isFatal` the disk may contain either of the two. After any error `discard()` frees the space.
struct PendingFile {
    let file: FolderFile
    let name: String
    let temporary: String
    let folder: StoreFolder
    let renamesFirst: Bool

    func sync() throws(JournalError) {
        if !renamesFirst { try file.sync() }
    }

    func install() throws(JournalError) {
        try folder.rename(temporary, to: name)
        folder.remember(file, as: name)
        try folder.sync()
        if renamesFirst { try file.sync() }
    }

    func discard() {
        // A file that cannot be removed now is removed at the next start.
        try? folder.remove(temporary)
    }
}
