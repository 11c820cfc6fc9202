import Bytes
import Journal
import SookeModel

/// The deletion of a business, found in the log, so that it can be undone.
package struct BusinessDeletion: Sendable {
    struct MovedEvent: Sendable {
        let id: Int
        let business: Slug?
        let coordinates: Coordinates?
    }

    package let business: Business
    let events: [MovedEvent]

    /// The newest deletion of the business with an ID; nil when it was never deleted, or so long ago that the log does
    /// not have it.
    init?(of id: Int, in directory: String, through: Int, isWanted: () -> Bool) throws {
        let history = try History(
            of: .business, id: id, in: directory, through: through, limit: 1, isWanted: isWanted)
        guard let entry = history.entries.first, entry.action == .deleted else { return nil }
        var commits = try CommitReader(directory, after: entry.sequence - 1, through: entry.sequence)
        guard let changes = try commits.next().map(ChangeSet.init),
            let business = changes.items.first(where: { $0.kind == .business && $0.id == id })?.before as? Business
        else { return nil }
        self.business = business
        events = changes.items.compactMap { item in
            guard let before = item.before as? Event, let after = item.after as? Event,
                before.business == business.slug, after.business != business.slug
            else { return nil }
            return MovedEvent(id: item.id, business: after.business, coordinates: after.coordinates)
        }
    }
}

extension Store {
    /// The newest deletion of a business, found on a thread of its own.
    package nonisolated func deletion(
        ofBusiness id: Int, isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> BusinessDeletion? {
        let (folder, through) = (folder, current.sequence)
        return try await histories.run {
            try BusinessDeletion(of: id, in: folder, through: through, isWanted: isWanted)
        }
    }
}
