import SookeModel
import Store

/// Who makes a request, as far as the request proves it.
///
/// It holds IDs, not records: permissions are looked up in the version that is read or changed.
public struct Caller: Sendable, Equatable {
    /// What the request proves.
    public enum Proof: Sendable, Equatable {
        /// Nothing.
        case none
        /// It came over the local socket: from the user that runs the server.
        case socket
        /// The token of a session, or of the API with its scope.
        case token(credential: Int, person: Int, scope: Credential.Scope)
    }

    /// What the request proves.
    public let proof: Proof

    /// Somebody without an account.
    public static let anonymous = Caller(proof: .none)
    /// The owner of the data folder.
    public static let owner = Caller(proof: .socket)

    /// Whether the caller is known at all.
    public var isKnown: Bool { proof != .none }

    /// The ID of the caller's account.
    public var personID: Int? {
        if case .token(_, let person, _) = proof { person } else { nil }
    }

    /// The ID of the caller's API token; nil without one. What is made in a session outlives the session.
    func apiTokenID(in community: Community) -> Int? {
        guard case .token(let credential, _, _) = proof, community.credentials[credential]?.purpose == .apiToken else {
            return nil
        }
        return credential
    }

    /// The caller's account; nil when there is none any more, or when the token was ended.
    public func person(in community: Community) -> Person? {
        validPersonID(in: community).flatMap { community.people[$0] }
    }

    /// The ID of the caller's account, unless the token was ended.
    private func validPersonID(in community: Community) -> Int? {
        guard case .token(let credential, let person, _) = proof, community.credentials.has(id: credential) else {
            return nil
        }
        return person
    }

    /// Whether the caller may do everything.
    public func isSuperAdmin(in community: Community) -> Bool {
        isSuperAdmin(as: validPersonID(in: community).flatMap(community.people.role(of:)))
    }

    /// Whether the caller may do everything when their account has this role.
    public func isSuperAdmin(as role: Person.Role?) -> Bool {
        switch proof {
        case .none: false
        case .socket: true
        case .token(_, _, let scope): scope == .admin && role == .superAdmin
        }
    }

    /// Whether the caller's token is meant for changes.
    public var mayWrite: Bool {
        if case .token(_, _, let scope) = proof { scope == .write || scope == .admin } else { true }
    }

    /// Whether the caller's token is for the metrics, and so for nothing else.
    public var isForMetrics: Bool {
        if case .token(_, _, .metrics) = proof { true } else { false }
    }

    /// The author of the caller's changes in the log.
    var author: Author { personID.map(Author.person) ?? .local }
}
