import Bytes

/// How long the history in a folder is kept, and how old it is by now, while a server runs on it.
///
/// A command that opens the folder for a moment has none of this: it drops nothing.
struct HistoryRetention {
    /// 30 days, where nobody has said anything else.
    static let usualSeconds = 30 * 86_400

    private var age: HistoryAge
    /// nil when a number was stored that cannot be read: then all is kept, and the file stays as it is.
    private let retentionSeconds: Int?
    /// The elapsed seconds at the start, and what the counting clock said.
    private let start: (elapsed: Int, counter: Int)
    private let counter: @Sendable () -> Int

    /// Goes on with the history of a folder; nil for a journal that drops nothing.
    ///
    /// - Parameter warn: is called with what is wrong with the file.
    init?(
        in folder: DataFolder, _ options: JournalOptions, now: Timestamp, warn: (RecoveryReport.Warning) -> Void
    ) throws(JournalError) {
        guard case .olderThan(let wanted) = options.pruning else { return nil }
        let (found, fault) = try Self.read(folder)
        if let fault {
            let consequence =
                wanted == nil ? "; all history is kept until `sooke serve --keep-history` says for how long" : ""
            warn(.init(kind: .history, file: FileName.history, message: fault + consequence))
        }
        age = found ?? HistoryAge()
        age.resume(at: now)
        age.retentionSeconds = wanted ?? age.retentionSeconds
        retentionSeconds = age.retentionSeconds ?? (fault == nil ? Self.usualSeconds : nil)
        counter = options.elapsedSeconds
        start = (age.elapsed, counter())
    }

    /// The names of what can be dropped from a manifest, which are taken out of it.
    mutating func drop(from manifest: inout Manifest, now: Timestamp) -> [String] {
        advance(to: now)
        age.adopt(manifest.snapshots.map(\.sequence))
        return manifest.dropUnneeded { snapshot in
            retentionSeconds.map { age.isOld(snapshot.sequence, retentionSeconds: $0) } ?? false
        }
    }

    /// Whether anything can be dropped from a manifest.
    func hasOld(in manifest: Manifest, now: Timestamp) -> Bool {
        var (history, manifest) = (self, manifest)
        return !history.drop(from: &manifest, now: now).isEmpty
    }

    /// Room for a manifest of many segments.
    private static let spareBytes = 16 << 10

    /// Stores it, and the spare room. Where there is no room for it, what the file says is only less than what is.
    mutating func store(in folder: DataFolder, now: Timestamp) throws(FileSystemError) {
        guard retentionSeconds != nil else { return }
        advance(to: now)
        do throws(FileSystemError) {
            try folder.replace(FileName.history, with: age.bytes)
            guard try !folder.list().contains(FileName.spare) else { return }
            try folder.replace(FileName.spare, with: [UInt8](repeating: 0, count: Self.spareBytes))
        } catch {
            if error.isFatal { throw error }
        }
    }

    private mutating func advance(to now: Timestamp) {
        age.elapsed = start.elapsed + max(0, counter() - start.counter)
        age.clock = now
    }

    /// What the file of a folder says: nil when there is none, or none that can be read, and then what is wrong with
    /// it.
    static func read(_ folder: DataFolder) throws(JournalError) -> (age: HistoryAge?, fault: String?) {
        let bytes: [UInt8]
        do throws(FileSystemError) {
            let file = try folder.open(FileName.history)
            bytes = try file.read(at: 0, count: file.length())
        } catch {
            guard error.isMissing else { throw .system(error, in: folder.path) }
            return (nil, nil)
        }
        do throws(CheckedDocumentError) {
            return (try HistoryAge(bytes), nil)
        } catch {
            return (nil, error.description)
        }
    }
}
