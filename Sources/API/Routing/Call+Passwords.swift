import Credentials
import HTTP
import SookeModel
import Store

/// Comparing passwords, and choosing new ones.
extension Call {
    /// The person whom a request to log in means, when it comes from a network from which they have logged in.
    var knownPersonLoggingIn: Int? {
        guard let email = try? fields(.credentials)["email"], let person = community.people[email: email],
            community.passwords[person.id]?.knows(ClientNetwork(request.peer)) ?? false
        else { return nil }
        return person.id
    }

    /// Compares a password with that of an account, as often as the throttle admits it.
    ///
    /// - Returns: the password as it is stored; nil when it is another one, or when there is no such account.
    /// - Throws: 429 after too many wrong ones; 503 when too many wait.
    func verify(_ text: String, of email: String) async throws(HTTPError) -> PasswordRecord? {
        let accounts = town.accounts
        let hasher = try accounts.hasher()
        let person = community.people[email: email]
        if let person { subject?.note(person) }
        let stored = person.flatMap { community.passwords[$0.id] }
        let network = ClientNetwork(request.peer)
        let isKnown = stored?.knows(network) ?? false
        let attempt = Accounts.attempt(on: email, from: network, isKnown: isKnown)
        try accounts.admit(attempt)
        do throws(PasswordHashError) {
            let hash = stored.flatMap { try? PasswordHash(stored: $0.hash) }
            let lane = isKnown ? PasswordLane.known(network.bytes) : passwordLane
            guard try await hasher.verify(Password(text), against: hash, in: lane, isWanted: isWanted) else {
                return nil
            }
        } catch {
            if error == .unusablePassword { return nil }
            accounts.loginAbandoned(attempt)
            throw HTTPError(error)
        }
        accounts.loginSucceeded(attempt)
        return stored
    }

    /// Checks and hashes a new password.
    ///
    /// - Parameter field: what the field is called.
    /// - Throws: 422 when it is too easy to guess; 503 when too many wait.
    func newPassword(_ text: String, _ field: String, of email: String) async throws -> PasswordHash {
        let password = Password(text)
        let words = [email, email.split(separator: "@").first.map(String.init) ?? "", "sooke"].filter { $0.count > 3 }
        if let problem = PasswordPolicy.problem(with: password, knowing: words) {
            throw HTTPError(
                .unprocessableContent, code: "invalid_input", message: "some fields are invalid",
                fields: [(field, "\(problem)")])
        }
        // Whoever comes here has shown a token, a link or a password.
        let lane = PasswordLane.known(ClientNetwork(request.peer).bytes)
        return try await town.accounts.hasher().hash(password, in: lane, isWanted: isWanted)
    }

    /// Where the caller waits for a hash: somebody with a token goes before strangers.
    private var passwordLane: PasswordLane {
        let network = ClientNetwork(request.peer)
        return caller.isKnown ? .known(network.bytes) : .stranger(network.site.bytes)
    }
}
