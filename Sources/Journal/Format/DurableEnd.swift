import Bytes

/// How far the log was on stable storage: the file `durable`.
///
/// ```
/// 5d0f3c21 {"durable":1202,"first":1201,"store":"8c…","file":"2049-131"}
/// ```
///
/// It has one line of a fixed length, with a checksum as in the log. After each sync of a batch, and before the batch
/// is acknowledged, it is overwritten, without a sync of its own. So it is exact after the process was killed; after a
/// loss of power it is older, unreadable or absent, but never says too much. A log that ends before it has lost
/// commits, also where the last lines and their mark have become zeros, which `DurabilityProof` cannot find.
///
/// It counts only for the segment that begins with `first`, while that is the last one, and only in the file that was
/// written: `file` is its device and inode. A copy of a folder, whose files were read one after the other while a
/// server wrote to them, may have a log that is older than its `durable`; and a folder with hard links to the files of
/// another goes on with other segments. Anything else than this line is as good as no file.
struct DurableEnd: Equatable, Sendable {
    /// Less than a sector, so that no write is torn.
    static let length = 256

    var sequence: Int
    var first: Int

    func line(store: String, file: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let checksum = bytes.appendLogLine(continuing: 0) { text in
            text.append("{\"durable\":")
            text.append(decimal: sequence)
            text.append(",\"first\":")
            text.append(decimal: first)
            text.append(",\"store\":\"")
            text.append(utf8: store)
            text.append("\",\"file\":\"")
            text.append(utf8: file)
            text.append("\"}")
        }
        _ = bytes.padLastLine(from: 0, checksum: checksum, with: Self.length - bytes.count)
        return bytes
    }

    /// nil when the line is not that of this store and file.
    init?(_ bytes: [UInt8], store: String, file: String) {
        var cursor = TextCursor(bytes.dropFirst(LogLine.prefixLength))
        guard cursor.take("{\"durable\":"), let sequence = cursor.decimal(), cursor.take(",\"first\":"),
            let first = cursor.decimal()
        else { return nil }
        self.init(sequence: sequence, first: first)
        guard bytes == line(store: store, file: file) else { return nil }
    }

    init(sequence: Int, first: Int) {
        (self.sequence, self.first) = (sequence, first)
    }

    /// nil when the file says nothing about the last segment, and after a clean stop, when the manifest contains its
    /// end.
    static func read(from folder: StoreFolder, _ manifest: Manifest) throws(JournalError) -> DurableEnd? {
        guard manifest.closed == nil else { return nil }
        do throws(JournalError) {
            let file = try folder.open(FileName.durable)
            let end = try file.identity.flatMap { identity throws(JournalError) in
                DurableEnd(try file.read(at: 0, count: length + 1), store: manifest.store, file: identity)
            }
            return end?.first == manifest.segments.last?.first ? end : nil
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The file was written elsewhere, for the same store: the folder is a copy of one that was not closed.
    static func isCopied(in folder: StoreFolder, _ manifest: Manifest) -> Bool {
        guard manifest.closed == nil, let file = try? folder.open(FileName.durable),
            let bytes = try? file.read(at: 0, count: length + 1)
        else { return false }
        let texts = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        guard texts.count == 13 else { return false }
        let written = String(decoding: texts[11], as: UTF8.self)
        return file.identity != written && DurableEnd(bytes, store: manifest.store, file: written) != nil
    }

    var reason: String {
        "the file \(FileName.durable) says that all commits up to sequence \(sequence) were written, unless this is a "
            + "copy that was made while a server wrote to it"
    }
}

/// Each start makes a new file with its first batch: the old one may have a second name, in a copy of the folder with
/// hard links.
struct DurableFile {
    private let file: FolderFile
    private let store: String
    private let identity: String

    /// nil when nothing distinguishes the file from its copies.
    init?(in folder: StoreFolder, store: String, _ end: DurableEnd) throws(JournalError) {
        let pending = try folder.begin(FileName.durable)
        do throws(JournalError) {
            guard let identity = pending.file.identity else {
                pending.discard()
                return nil
            }
            try pending.file.append(end.line(store: store, file: identity))
            // Not synced, and neither is its name: after a loss of power there may be another file, or none.
            try folder.rename(pending.temporary, to: pending.name)
            (file, self.store, self.identity) = (pending.file, store, identity)
        } catch {
            pending.discard()
            throw error
        }
    }

    func write(_ end: DurableEnd) throws(JournalError) {
        try file.overwrite(end.line(store: store, file: identity))
    }
}
