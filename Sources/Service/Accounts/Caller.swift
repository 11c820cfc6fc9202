import SookeModel
import Store

/// The sender of a request, as far as the request proves it.
///
/// It holds IDs, not records: permissions are looked up in the version that is read or changed.
public struct Caller: Sendable, Equatable {
    /// The proof in the request.
    public enum Proof: Sendable, Equatable {
        /// None.
        case none
        /// The request came over the local socket, from the user that runs the server.
        case socket
        /// The token of a session, or of the API with its scope.
        case token(credential: Int, person: Int, scope: Credential.Scope)
    }

    /// The proof in the request.
    public let proof: Proof

    /// A client without an account.
    public static let anonymous = Caller(proof: .none)
    /// The owner of the data folder.
    public static let owner = Caller(proof: .socket)

    /// Whether the caller is authenticated.
    public var isKnown: Bool { proof != .none }

    /// The ID of the caller's account.
    public var personID: Int? {
        if case .token(_, let person, _) = proof { person } else { nil }
    }

    /// The ID of the caller's API token; nil without one. What is created in a session outlives the session.
    func apiTokenID(in community: Community) -> Int? {
        guard case .token(let credential, _, _) = proof, community.credentials[credential]?.purpose == .apiToken else {
            return nil
        }
        return credential
    }

    /// The caller's account; nil when it was deleted or the token revoked.
    public func person(in community: Community) -> Person? {
        validPersonID(in: community).flatMap { community.people[$0] }
    }

    /// The ID of the caller's account, unless the token was revoked.
    private func validPersonID(in community: Community) -> Int? {
        guard case .token(let credential, let person, _) = proof, community.credentials.has(id: credential) else {
            return nil
        }
        return person
    }

    /// Whether the caller has all permissions.
    public func isSuperAdmin(in community: Community) -> Bool {
        isSuperAdmin(as: validPersonID(in: community).flatMap(community.people.role(of:)))
    }

    /// Whether the caller has all permissions if their account has a role.
    public func isSuperAdmin(as role: Person.Role?) -> Bool {
        switch proof {
        case .none: false
        case .socket: true
        case .token(_, _, let scope): scope == .admin && role == .superAdmin
        }
    }

    /// Whether the scope of the caller's token includes changes.
    public var mayWrite: Bool {
        if case .token(_, _, let scope) = proof { scope == .write || scope == .admin } else { true }
    }

    /// Whether the scope of the caller's token is the metrics only.
    public var isForMetrics: Bool {
        if case .token(_, _, .metrics) = proof { true } else { false }
    }

    /// The author of the caller's changes in the log.
    var author: Author { personID.map(Author.person) ?? .local }
}
