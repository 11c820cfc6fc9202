import SookeModel
import Store

/// A client of the feed: what decides which records it may see.
///
/// It stays the same while the client follows the feed. A commit that changes it ends the stream, or starts it anew;
/// see `effect(of:)`.
package struct Viewer: Sendable, Hashable {
    /// What a client may see.
    package enum Scope: Sendable, Hashable {
        /// What is public.
        case anyone
        /// Also what a person owns, manages or has submitted.
        case person(Int)
        /// Everything in the feed.
        case all
    }

    /// What a client may see and do, whatever the slugs of its businesses are.
    private struct Rights: Sendable, Hashable {
        var scope = Scope.anyone
        var person: Int?
        var role: Person.Role?
        /// The session or API token; nil without one.
        var credential: Int?
        var owned: [Int] = []
    }

    private let rights: Rights
    /// The slugs of the businesses that the person manages.
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

    /// Whether the client may know the chain of the commits, which also covers private records.
    package var mayKnowChain: Bool { scope == .all && rights.role != .editor }

    /// Whether the client has an account, so that commits can change its rights.
    package var hasAccount: Bool { rights.person != nil }

    /// Whether two clients have the same account with the same role and businesses, whatever the slugs of those are.
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

    /// The effect of a commit on the rights of a client.
    package enum Effect: Sendable {
        case none
        /// The client sees the same records under another condition: it must begin anew with a whole version.
        case reset
        /// The client's role, ownership or session has changed.
        case revoked
    }

    /// Whether no commit after a position, up to a version, changed the rights of the client, or the slugs that decide
    /// what it sees. Otherwise it would see earlier commits with rights that it did not have then.
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
