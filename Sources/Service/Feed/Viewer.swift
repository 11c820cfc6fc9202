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
        /// The session or API token.
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
