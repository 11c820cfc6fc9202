/// The names of the files in a data folder.
///
/// The number has twenty digits, so that a listing by name is in the order of the commits.
enum FileName: Hashable {
    /// A segment of the log, `wal-<first sequence>.log`.
    case segment(first: Int)
    /// A snapshot, `snapshot-<sequence>.json`.
    case snapshot(sequence: Int)
    /// A file that was being written under another name when the process ended.
    case temporary

    /// The kind of a file; nil for a name that the journal never gives.
    init?(_ name: String) {
        if name.hasSuffix(Self.temporarySuffix) {
            let target = String(name.dropLast(Self.temporarySuffix.count))
            guard [Self.manifest, Self.history, Self.spare].contains(target) || FileName(target) != nil else {
                return nil
            }
            self = .temporary
        } else if let number = Self.number(in: name, after: "wal-", before: ".log") {
            self = .segment(first: number)
        } else if let number = Self.number(in: name, after: "snapshot-", before: ".json") {
            self = .snapshot(sequence: number)
        } else {
            return nil
        }
    }

    static let manifest = "manifest.json"
    static let history = "history.json"
    static let lock = "lock"
    /// Zeros, whose room is given up where a full disk has none left for the manifest that drops old history.
    static let spare = "spare"
    static let quarantine = "quarantine"
    static let temporarySuffix = ".tmp"

    static func segment(_ first: Int) -> String {
        "wal-\(padded(first)).log"
    }

    static func snapshot(_ sequence: Int) -> String {
        "snapshot-\(padded(sequence)).json"
    }

    /// It stands in a folder that a restore or a repair has not finished, from before the first file to after the last.
    static let unfinished = "restore-in-progress"

    /// What an empty folder may hold besides: the lock, an old socket, the folder that every ext4 volume has at its
    /// root.
    static func isHarmless(_ name: String) -> Bool {
        name == lock || name == "lost+found" || name == "admin.sock"
    }

    /// What a folder may hold that becomes a new store: as well the first file of one that did not come further. Other
    /// temporaries are what is left of a store.
    static func mayBeInNewStore(_ name: String) -> Bool {
        isHarmless(name) || name == manifest + temporarySuffix
    }

    private static let zeros = "00000000000000000000"

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return zeros.dropLast(digits.utf8.count) + digits
    }

    private static func number(in name: String, after prefix: String, before suffix: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix),
            name.utf8.count == prefix.utf8.count + 20 + suffix.utf8.count,
            let number = Int(name.dropFirst(prefix.count).prefix(20)), number >= 0, number < 1 << 62
        else { return nil }
        return name == prefix + padded(number) + suffix ? number : nil
    }
}
