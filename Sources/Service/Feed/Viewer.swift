import SookeModel
import Store

/// A client of the feed: what decides which records it may see.
///
/// It stays the same while the client follows the feed. A commit that changes it ends the stream, or starts it anew; see
/// `effect(of:)`.
public struct Viewer: Sendable, Hashable {
    /// What a client may see.
    public enum Scope: Sendable, Hashable {
        /// What is public.
        case anyone
        /// Also what a person owns, manages or has submitted.
        case person(Int)
        /// Everything.
        case all
    }

    /// What the client may see.
    public let scope: Scope
    /// The account; nil without one.
    let person: Int?
    /// The session or API token; nil without one.
    let credential: Int?
    /// The slugs of the businesses that the person manages.
    private let managed: Set<Slug>

    /// A client without an account.
    public static let anyone = Viewer(scope: .anyone, person: nil, credential: nil, managed: [])

    private init(scope: Scope, person: Int?, credential: Int?, managed: Set<Slug>) {
        (self.scope, self.person, self.credential, self.managed) = (scope, person, credential, managed)
    }

    /// A caller in a version of the town.
    public init(_ caller: Caller, in community: Community) {
        let isAdmin = caller.isSuperAdmin(in: community)
        guard case .token(let credential, _, _) = caller.proof, let person = caller.person(in: community) else {
            self.init(scope: isAdmin ? .all : .anyone, person: nil, credential: nil, managed: [])
            return
        }
        let manages = !isAdmin && person.role != .generalUser
        self.init(
            scope: isAdmin ? .all : .person(person.id), person: person.id, credential: credential,
            managed: manages ? community.slugs(ofBusinessesOf: person.id) : [])
    }

    /// Whether the client may see a record.
    func sees(_ record: any StoredRecord) -> Bool {
        switch record {
        case let business as Business: business.category != nil || scope == .all || managed.contains(business.slug)
        case let event as Event:
            event.status.isPublic || scope == .all || event.submittedBy == person && person != nil
                || event.business.map(managed.contains) == true
        case is SookeModel.Category, is EventType: true
        default: false
        }
    }

    /// The effect of a commit on the rights of a client.
    public enum Effect: Sendable {
        /// None.
        case none
        /// The client sees the same records under another condition: it must begin anew with a whole version.
        case reset
        /// The client's role, ownership or session has changed.
        case revoked
    }

    /// The effect of a commit on the rights of the client.
    public func effect(of commit: ChangeSet) -> Effect {
        guard let person else { return .none }
        var effect = Effect.none
        for item in commit.items {
            switch item.kind {
            case .person where item.id == person:
                let (before, after) = (item.before as? Person, item.after as? Person)
                if before?.role != after?.role { return .revoked }
            case .credential where item.id == credential:
                if item.after == nil { return .revoked }
            case .business:
                let (before, after) = (item.before as? Business, item.after as? Business)
                let (owned, owns) = (before?.ownerID == person, after?.ownerID == person)
                if owned != owns { return .revoked }
                if owns, before?.slug != after?.slug { effect = .reset }
            default: break
            }
        }
        return effect
    }
}

extension Community {
    fileprivate func slugs(ofBusinessesOf person: Int) -> Set<Slug> {
        Set(self.businesses.owned(by: person).compactMap { self.businesses[$0]?.slug })
    }
}
