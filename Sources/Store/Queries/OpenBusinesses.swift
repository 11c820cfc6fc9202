import Bytes
import SookeModel
import Synchronization

/// The listed businesses that are open now, in the order of their names.
///
/// Hours have no seconds, so the list stays the same during a minute of the clock. The first request of a minute
/// evaluates all businesses; after a commit, a request evaluates only those that it changed.
public final class OpenBusinesses: Sendable {
    fileprivate struct State {
        /// Minutes since 1970.
        let minute: Int
        var version: Version
        var records: [BusinessRecord]
    }

    private let state = Mutex<State?>(nil)

    /// Nothing is evaluated yet.
    public init() {}

    /// The open businesses of a version.
    public func list(in version: Version, at clock: OpenHoursClock) -> [BusinessRecord] {
        let minute = clock.moment.timestamp.seconds / 60
        return state.withLock { state in
            if var current = state, current.minute == minute {
                // Moved, because a second reference to the records would make a change copy them.
                state = nil
                if current.move(to: version, at: clock) {
                    state = current
                    return current.records
                }
            }
            let records = version.community.openBusinesses(at: clock)
            state = State(minute: minute, version: version, records: records)
            return records
        }
    }
}

extension OpenBusinesses.State {
    /// Applies the commits up to a version; false when they are not known, or too many.
    fileprivate mutating func move(to later: Version, at clock: OpenHoursClock) -> Bool {
        if version === later { return true }
        guard let commits = later.commits(after: version.position),
            commits.reduce(0, { $0 + $1.changes.count }) <= OpenBusinesses.mostChanges
        else { return false }
        for change in commits.lazy.flatMap(\.changes) where change.kind == .business {
            if let before = change.before as? BusinessRecord { remove(before) }
            if let after = change.after as? BusinessRecord, after.categoryID != nil, after.isOpen(at: clock) {
                records.insert(after, at: index(of: after))
            }
        }
        version = later
        return true
    }

    private mutating func remove(_ record: BusinessRecord) {
        let index = index(of: record)
        if index < records.count, records[index].id == record.id { records.remove(at: index) }
    }

    /// The index of the first record that is not before another.
    private func index(of record: BusinessRecord) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].nameKey < record.nameKey { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension OpenBusinesses {
    /// With more changes, evaluating all businesses is not slower.
    fileprivate static let mostChanges = 1000
}

extension Community {
    /// The listed businesses, by name.
    public var listedBusinesses: some Sequence<BusinessRecord> { self.businesses.listed.values }

    /// The listed businesses that are open, by name; evaluates all of them.
    public func openBusinesses(at clock: OpenHoursClock) -> [BusinessRecord] {
        self.businesses.listed.values.filter { $0.isOpen(at: clock) }
    }
}
