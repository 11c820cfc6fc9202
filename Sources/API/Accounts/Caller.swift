import SookeModel
import Store

/// Who asks, as far as the request proves it.
///
/// It holds numbers, not records: what somebody may do is looked up in the version that answers or is changed.
struct Caller: Sendable, Equatable {
    /// What the request has shown.
    enum Proof: Sendable, Equatable {
        /// Nothing.
        case none
        /// It came over the socket in the data folder: from the user that runs the server.
        case socket
        /// The token of a session, or of the API with its scope.
        case token(grant: Int, person: Int, scope: Grant.Scope)
    }

    let proof: Proof

    /// Somebody without an account.
    static let anonymous = Caller(proof: .none)
    /// The owner of the data folder.
    static let owner = Caller(proof: .socket)

    /// Whether it is somebody at all.
    var isKnown: Bool { proof != .none }

    /// The number of the caller's account.
    var personID: Int? {
        if case .token(_, let person, _) = proof { person } else { nil }
    }

    /// The ID of the caller's API token; nil without one. What is made in a session outlives the session.
    func apiTokenID(in community: Community) -> Int? {
        guard case .token(let grant, _, _) = proof, community.grants[grant]?.purpose == .apiToken else { return nil }
        return grant
    }

    /// The caller's account; nil when there is none any more, or when the token was ended.
    func person(in community: Community) -> Person? {
        validPersonID(in: community).flatMap { community.people[$0] }
    }

    /// The number of the caller's account, unless the token was ended.
    private func validPersonID(in community: Community) -> Int? {
        guard case .token(let grant, let person, _) = proof, community.grants.has(id: grant) else { return nil }
        return person
    }

    /// Whether the caller may do everything.
    func isSuperAdmin(in community: Community) -> Bool {
        isSuperAdmin(as: validPersonID(in: community).flatMap(community.people.role(of:)))
    }

    /// Whether the caller may do everything when their account has this role.
    func isSuperAdmin(as role: Person.Role?) -> Bool {
        switch proof {
        case .none: false
        case .socket: true
        case .token(_, _, let scope): scope == .admin && role == .superAdmin
        }
    }

    /// Whether the caller's token is meant for changes.
    var mayWrite: Bool {
        if case .token(_, _, let scope) = proof { scope == .write || scope == .admin } else { true }
    }

    /// Whether the caller's token is for the metrics, and so for nothing else.
    var isForMetrics: Bool {
        if case .token(_, _, .metrics) = proof { true } else { false }
    }

    /// Who the log says it was.
    var author: Author { personID.map(Author.person) ?? .local }
}
