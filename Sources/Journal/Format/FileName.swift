/// The number has twenty digits, so that a listing by name is in the order of the commits.
package enum FileName: Hashable {
    /// `wal-<first sequence>.log`.
    case segment(first: Int)
    /// `snapshot-<sequence>.json`.
    case snapshot(sequence: Int)
    /// Was being written when the process ended.
    case temporary

    /// nil for a name that the journal never assigns.
    init?(_ name: String) {
        if name.hasSuffix(Self.temporarySuffix) {
            let target = String(name.dropLast(Self.temporarySuffix.count))
            guard
                [Self.manifest, Self.history, Self.spare, Self.durable, Self.readOnly, Self.formatBackup]
                    .contains(target)
                    || FileName(target) != nil
            else {
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
    static let readOnly = "read-only.json"
    /// Made before the current disk format was first written.
    package static let formatBackup = "before-format-\(CheckedDocument.version).json"
    static let lock = "lock"
    static let durable = "durable"
    /// Zeros. Removing it makes room on a full disk for the manifest that drops old history.
    static let spare = "spare"
    static let quarantine = "quarantine"
    static let temporarySuffix = ".tmp"

    static func segment(_ first: Int) -> String {
        "wal-\(padded(first)).log"
    }

    static func snapshot(_ sequence: Int) -> String {
        "snapshot-\(padded(sequence)).json"
    }

    /// Exists from before the first to after the last file of a restore or a repair is written.
    static let unfinished = "restore-in-progress"

    /// An old socket, or `lost+found` at the root of every ext4 volume.
    static func isHarmless(_ name: String) -> Bool {
        name == lock || name == "lost+found" || name == "admin.sock"
    }

    /// Also the first file of an interrupted attempt. Other temporary files are the remains of a store.
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
