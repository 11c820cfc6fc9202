import SookeModel
import Store

/// A change of a record, as a client sees it.
package struct FeedEvent: Sendable {
    package enum Action: String, ChoiceValue {
        /// For the first time: it is new, or has become visible.
        case created
        case updated
        /// It was deleted, or is no longer visible.
        case deleted
    }

    package let kind: RecordKind
    package let id: Int
    package let action: Action
    package let before: (any StoredRecord)?
    package let after: (any StoredRecord)?

    /// Nil when the client sees the record neither before nor after.
    package init?(_ item: ChangeSet.Item, for viewer: Viewer) {
        self.init(
            item.kind, item.id, before: item.before.flatMap { viewer.sees($0) ? $0 : nil },
            after: item.after.flatMap { viewer.sees($0) ? $0 : nil })
    }

    /// Of a snapshot.
    package init?(_ record: any StoredRecord, of kind: RecordKind, for viewer: Viewer) {
        guard viewer.sees(record) else { return nil }
        self.init(kind, record.id, before: nil, after: record)
    }

    private init?(_ kind: RecordKind, _ id: Int, before: (any StoredRecord)?, after: (any StoredRecord)?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, _?): action = .created
        case (_?, _?): action = .updated
        case (_?, nil): action = .deleted
        }
        (self.kind, self.id, self.before, self.after) = (kind, id, before, after)
    }

    /// For a client that wants only some records: one that becomes wanted is created for it, one that is no longer
    /// wanted is deleted.
    package func narrowed(to isWanted: (any StoredRecord) -> Bool) -> FeedEvent? {
        FeedEvent(
            kind, id, before: before.flatMap { isWanted($0) ? $0 : nil },
            after: after.flatMap { isWanted($0) ? $0 : nil })
    }
}
