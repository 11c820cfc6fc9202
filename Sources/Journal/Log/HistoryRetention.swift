import Bytes

/// How long the history in a folder is stored, how large it may be, and its age while a server runs. A command that
/// opens the folder briefly has none: it drops nothing.
struct HistoryRetention {
    /// Unless the administrator sets another period.
    static let defaultSeconds = 30 * 86_400
    /// Or a tenth of the disk, unless the administrator sets another size.
    static let leastDefaultBytes = 256 << 20

    private var age: HistoryAge
    /// nil when the stored period cannot be read: then nothing is dropped, and the file is not changed.
    let retentionSeconds: Int?
    let limitBytes: Int
    /// nil when there is earlier history, or there never was in the folder.
    var reason: HistoryExtent.Reason? { age.reason }
    private let start: (elapsed: Int, counter: Int)
    private let counter: @Sendable () -> Int

    /// nil for a journal that drops nothing. `warn` receives a warning when the file is damaged.
    init?(
        in folder: StoreFolder, _ options: JournalOptions, now: Timestamp, warn: (RecoveryReport.Warning) -> Void
    ) throws(JournalError) {
        guard case .olderThan(let wanted, let wantedBytes) = options.pruning else { return nil }
        let (found, fault) = try HistoryAge.read(folder)
        if let fault {
            let consequence =
                wanted == nil ? "; all history is kept until `sooke serve --keep-history` says for how long" : ""
            warn(.init(kind: .history, file: FileName.history, message: fault + consequence))
        }
        age = found ?? HistoryAge()
        age.resume(at: now)
        age.retentionSeconds = wanted ?? age.retentionSeconds
        age.limitBytes = wantedBytes ?? age.limitBytes
        retentionSeconds = age.retentionSeconds ?? (fault == nil ? Self.defaultSeconds : nil)
        let isKnown = retentionSeconds != nil
        limitBytes = isKnown ? age.limitBytes ?? Self.defaultBytes(in: folder) : .max
        counter = options.elapsedSeconds
        start = (age.elapsed, counter())
    }

    /// Returns the names of the files. After `neededAfter` the log is stored anyway.
    mutating func drop(from manifest: inout Manifest, now: Timestamp, neededAfter: Int) -> [String] {
        advance(to: now)
        age.adopt(manifest.snapshots.map(\.sequence))
        let retention = Manifest.Retention(isOld: isOld, limitBytes: limitBytes, neededAfter: neededAfter)
        let (names, reason) = manifest.dropUnneeded(retention)
        age.reason = reason ?? age.reason
        return names
    }

    func hasOld(in manifest: Manifest, now: Timestamp, neededAfter: Int) -> Bool {
        var (history, manifest) = (self, manifest)
        return !history.drop(from: &manifest, now: now, neededAfter: neededAfter).isEmpty
    }

    func isOld(_ snapshot: Manifest.Snapshot) -> Bool {
        retentionSeconds.map { age.isOld(snapshot.sequence, retentionSeconds: $0) } ?? false
    }

    private static func defaultBytes(in folder: StoreFolder) -> Int {
        max(leastDefaultBytes, ((try? folder.diskBytes().total) ?? 0) / 10)
    }

    /// For a manifest of many segments.
    private static let spareBytes = 16 << 10

    /// Also creates the spare file, unless there is one; nil lists the folder. On a full disk the stored age stays
    /// lower than the actual one.
    mutating func store(in folder: StoreFolder, now: Timestamp, hasSpare: Bool? = nil) throws(JournalError) {
        guard retentionSeconds != nil else { return }
        advance(to: now)
        do throws(JournalError) {
            try folder.replace(FileName.history, with: age.bytes)
            let hasSpare = if let hasSpare { hasSpare } else { try folder.list().contains(FileName.spare) }
            if hasSpare { return }
            try folder.replace(FileName.spare, with: [UInt8](repeating: 0, count: Self.spareBytes))
        } catch {
            if error.isFatal { throw error }
        }
    }

    private mutating func advance(to now: Timestamp) {
        age.elapsed = start.elapsed + max(0, counter() - start.counter)
        age.clock = now
    }
}
