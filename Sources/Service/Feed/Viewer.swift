import SookeModel
import Store

/// A client of the feed: what decides which records it may see.
///
/// It stays the same while the client follows the feed. A commit that changes it ends the stream, or starts it again;
/// see `effect(of:)`.
package struct Viewer: Sendable, Hashable {
    package enum Scope: Sendable, Hashable {
        case anyone
        /// Also what a person owns, manages or has submitted.
        case person(Int)
        case all
    }

    /// Without the slugs of its businesses.
    private struct Rights: Sendable, Hashable {
        var scope = Scope.anyone
        var person: Int?
        var role: Person.Role?
        var credential: Int?
        var owned: [Int] = []
    }

    private let rights: Rights
    private let managed: Set<Slug>

    package static let anyone = Viewer(Rights(), managed: [])

    private init(_ rights: Rights, managed: Set<Slug>) {
        (self.rights, self.managed) = (rights, managed)
    }

    package init(_ caller: Caller, in town: Town) {
        let seesAll = caller.isEditor(in: town)
        guard case .token(let credential, _, _) = caller.proof, let person = caller.person(in: town) else {
            self.init(Rights(scope: seesAll ? .all : .anyone), managed: [])
            return
        }
        let owned = town.businesses.owned(by: person.id)
        let manages = !seesAll && person.role != .generalUser
        self.init(
            Rights(
                scope: seesAll ? .all : .person(person.id), person: person.id, role: person.role,
                credential: credential, owned: owned),
            managed: manages ? Set(owned.compactMap { town.businesses[$0]?.slug }) : [])
    }

    package var scope: Scope { rights.scope }

    /// It also covers private records.
    package var mayKnowChain: Bool { scope == .all && rights.role != .editor }

    package var hasAccount: Bool { rights.person != nil }

    /// Except for the slugs of their businesses.
    package func hasSameRights(as other: Viewer) -> Bool { rights == other.rights }

    func sees(_ record: any StoredRecord) -> Bool {
        guard type(of: record).kind.isInFeed else { return false }
        if scope == .all { return true }
        switch record.audience {
        case .everyone: return true
        case .only(let person, let business):
            return rights.person != nil && person == rights.person || business.map(managed.contains) == true
        }
    }

    package enum Effect: Sendable {
        case none
        /// It sees the same records under another condition, and must be sent a snapshot.
        case reset
        case revoked
    }

    /// Or the slugs that decide what it sees. Otherwise it would see earlier commits with rights that it did not have
    /// then.
    func hasSteadyRights(in version: Version, after position: HistoryPosition) -> Bool {
        version.hasSteadyRights(person: rights.person, credential: rights.credential, after: position)
    }

    package func effect(of commit: ChangeSet) -> Effect {
        guard let person = rights.person else { return .none }
        var effect = Effect.none
        for item in commit.items {
            if item.kind == .credential, item.id == rights.credential, item.after == nil { return .revoked }
            let (before, after) = (item.before?.rights, item.after?.rights)
            let (isBefore, isAfter) = (before?.person == person, after?.person == person)
            if isBefore != isAfter || isAfter && before?.role != after?.role { return .revoked }
            if isAfter, !managed.isEmpty, before?.business != after?.business { effect = .reset }
        }
        return effect
    }
}

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
