import Foundation
import Observation

/// The session of a person: logging in and out.
///
/// It is the only owner of the token. Other models send their requests with `client`, which changes with the session.
@MainActor @Observable
public final class SessionViewModel {
    /// The client of the server, without an account; without one nothing is done.
    public var apiClient: APIClient?
    /// The token, to be stored where only the app can read it; nil while nobody is logged in.
    public private(set) var token: String?
    /// The account; nil while nobody is logged in, and until it is known.
    public private(set) var account: Account?

    private let loader = Loader(())

    /// Continues an earlier login with its token; see `fetchAccount()`.
    public init(token: String? = nil) {
        self.token = token
    }

    /// The client that sends requests for the account; without an account while nobody is logged in.
    public var client: APIClient? { token == nil ? apiClient : apiClient?.authenticated(with: token) }
    /// Whether somebody is logged in.
    public var isLoggedIn: Bool { token != nil }
    /// Whether a request is in flight.
    public var isLoading: Bool { loader.isLoading }
    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? { loader.error }

    /// Logs in. A failed login does not end the session before it.
    public func logIn(email: String, password: String, staySignedIn: Bool = false) async {
        guard let apiClient else { return }
        let login = Login(email: email, password: password, staySignedIn: staySignedIn)
        await loader.load {
            try await apiClient.send(APIRequest(.post, APIPath.session, body: login)).value as SessionResponse
        } show: { [self] in
            (token, account) = ($1.token, $1.user)
        }
    }

    /// Fetches the account of the token. A token that is not valid any more ends the session.
    public func fetchAccount() async {
        guard let client, let token else { return }
        await loader.load {
            do {
                return try await client.get(APIPath.account) as Account?
            } catch let error as APIError where error.statusCode == 401 {
                return nil
            }
        } show: { [self] in
            if $1 == nil { end(token) } else if token == self.token { account = $1 }
        }
    }

    /// Ends the session here at once. If the server cannot be reached, it expires there, and `error` says why.
    public func logOut() async {
        guard let client, let token else { return }
        end(token)
        await loader.load {
            do {
                try await client.data(for: APIRequest(.delete, APIPath.session))
            } catch let error as APIError where error.statusCode == 401 {
                // The session has ended there, too.
            }
        } show: { _, _ in
        }
    }

    /// Ends the session here, because the server revoked it.
    public func end() {
        (token, account) = (nil, nil)
    }

    private func end(_ token: String) {
        if token == self.token { end() }
    }

    private struct Login: Encodable {
        let email: String
        let password: String
        let staySignedIn: Bool

        enum CodingKeys: String, CodingKey {
            case email, password
            case staySignedIn = "stay_signed_in"
        }
    }
}

/// The account of a person.
public struct Account: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// The e-mail address with which the person logs in.
    public let email: String
    /// The name of the person.
    public let displayName: String?
    /// What the person may do: `general_user`, `business_owner`, `editor` or `super_admin`. Later servers
    /// may have others.
    public let role: String

    private enum CodingKeys: String, CodingKey {
        case id, email, role
        case displayName = "display_name"
    }
}

/// The response to a login.
public struct SessionResponse: Codable, Sendable, Hashable {
    /// The token of the session, which the server shows only once.
    public let token: String
    /// When the session expires at the latest, RFC 3339 in UTC.
    public let expiresAt: String?
    /// The account.
    public let user: Account

    private enum CodingKeys: String, CodingKey {
        case token, user
        case expiresAt = "expires_at"
    }
}
