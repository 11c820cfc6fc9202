import Platform
import SookeModel

/// Decides which entries of a period are stored individually, and counts the others.
struct AuditRepeats {
    /// Similar entries: of the same account, or of the same network without an account.
    private struct Kind: Hashable {
        let person: Int?
        let network: ClientNetwork?
        let action: AuditEntry.Action
        let status: Int
        let user: Int?

        init(_ entry: AuditEntry) {
            person = entry.caller.personID
            network = person == nil ? entry.network : nil
            (action, status, user) = (entry.action, entry.status, entry.subject.user)
        }
    }

    private let linesPerKind: Int
    private let kindLimit: Int
    private var kinds: [Kind: (count: Int, last: AuditEntry)] = [:]
    /// Entries of kinds beyond `kindLimit`.
    private(set) var uncounted = 0

    /// No entries yet, with the number of entries that are stored individually for each kind, and of kinds.
    init(linesPerKind: Int, kindLimit: Int) {
        (self.linesPerKind, self.kindLimit) = (linesPerKind, kindLimit)
    }

    /// Whether an entry is stored individually.
    mutating func isStored(_ entry: AuditEntry) -> Bool {
        let kind = Kind(entry)
        guard let seen = kinds[kind] else {
            guard kinds.count < kindLimit else {
                uncounted += 1
                return false
            }
            kinds[kind] = (1, entry)
            return true
        }
        kinds[kind] = (seen.count + 1, entry)
        return seen.count < linesPerKind
    }

    /// Ends the period. Returns an entry with a count for each kind with entries that were not stored, by time.
    mutating func takeCounts() -> [AuditEntry] {
        let counted = kinds.values.filter { $0.count > linesPerKind }.map { seen in
            var entry = seen.last
            entry.count = seen.count - linesPerKind
            return entry
        }
        kinds = [:]
        uncounted = 0
        return counted.sorted { $0.at < $1.at }
    }
}
