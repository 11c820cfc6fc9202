import Bytes
import Credentials
import HTTP
import JSON
import SookeModel
import Store

/// `/session` and `/me`: logging in and out.
enum SessionRoutes {
    static func add(to routes: inout RouterBuilder<Route>) {
        routes.post(
            "/api/v1/session",
            .write(
                "Logs in", .anyone, takes: .one(.credentials), gives: .one(.session), status: .created, logIn
            ).audited(as: .login))
        routes.delete(
            "/api/v1/session",
            .write("Logs out", .member, gives: .nothing, status: .noContent, logOut).audited(
                as: .logout))
        routes.get(
            "/api/v1/me",
            .read("Tells who asks", .member, gives: .one(.user)) { call throws(HTTPError) in
                guard let person = call.caller.person(in: call.community) else { throw .noAccount }
                return .plainJSON(person.shown)
            })
        routes.post(
            "/api/v1/me/password",
            .write(
                "Changes one's password and ends all other sessions", .member, takes: .one(.passwordChange),
                gives: .nothing, status: .noContent, changePassword
            ).audited(as: .passwordChange))
    }

    /// An unknown address costs as much, and is answered the same, as a wrong password.
    private static func logIn(_ call: Call) async throws -> Response {
        let given = try call.texts(.credentials)
        let email = given["email"] ?? ""
        guard let checked = try await call.verify(given["password"] ?? "", of: email) else {
            throw HTTPError.wrongPassword
        }
        let token = try Token(.session)
        return try await call.town.store.write(by: .person(checked.id)) { edit in
            // A password that was changed meanwhile opens nothing: the change has ended all sessions.
            guard edit.community.passwords[checked.id] == checked,
                let person = edit.community.people[checked.id]
            else { throw HTTPError.wrongPassword }
            return edit.openSession(for: person, token, at: call.now)
        }.result
    }

    private static func logOut(_ call: Call) async throws -> Response {
        guard case .token(let grant, _, _) = call.caller.proof else { throw HTTPError.noAccount }
        return try await call.change { edit in
            edit.deleteGrant(grant)
            return Response(.noContent)
        }
    }

    private static func changePassword(_ call: Call) async throws -> Response {
        let given = try call.texts(.passwordChange)
        guard let person = call.caller.person(in: call.community),
            case .token(let session, _, _) = call.caller.proof
        else { throw HTTPError.noAccount }
        guard let checked = try await call.verify(given["password"] ?? "", of: person.email) else {
            throw HTTPError.notYourPassword
        }
        let password = try await call.newPassword(given["new_password"] ?? "", "new_password", of: person.email)
        return try await call.change(keeping: .nothing) { edit in
            guard edit.community.passwords[person.id] == checked else { throw HTTPError.notYourPassword }
            edit.setPassword(password, of: person.id, at: call.now, keepingGrant: session)
            return Response(.noContent)
        }
    }
}

extension Call {
    /// Compares a password with that of an account, as often as the throttle lets it be tried.
    ///
    /// - Returns: the password as it is kept; nil when it is another one, or when there is no such account.
    /// - Throws: 429 after too many wrong ones; 503 when too many wait.
    fileprivate func verify(_ text: String, of email: String) async throws(HTTPError) -> PasswordRecord? {
        let accounts = town.accounts
        let hasher = try accounts.hasher()
        let person = community.people[email: email]
        if let person { subject?.note(person) }
        try accounts.admitLogin(from: request.peer, email: email)
        let stored = person.flatMap { community.passwords[$0.id] }
        do throws(PasswordHashError) {
            let hash = stored.flatMap { try? PasswordHash(stored: $0.hash) }
            guard try await hasher.verify(Password(text), against: hash) else { return nil }
        } catch {
            if error == .unusablePassword { return nil }
            accounts.loginAbandoned(from: request.peer, email: email)
            throw HTTPError(error)
        }
        accounts.loginSucceeded(from: request.peer, email: email)
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
                .unprocessableContent, code: "invalid_input", message: "some fields are not right",
                fields: [(field, "\(problem)")])
        }
        return try await town.accounts.hasher().hash(password)
    }
}

extension Edit {
    /// Opens a session, and answers with its token: the only time that it is shown.
    mutating func openSession(for person: Person, _ token: Token, at now: Timestamp) -> Response {
        dropGrants(expiredAt: now)
        var grant = Grant(.session, token, at: now, lasting: Accounts.sessionSeconds)
        grant.person = person.id
        put(grant)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("token", token.reveal())
        writer.member("expires_at", grant.expiresAt?.rfc3339)
        writer.key("user")
        person.show(to: &writer)
        writer.endObject()
        return .plainJSON(writer.bytes, status: .created)
    }

    /// Sets a password, and ends all sessions and resets that came before it.
    mutating func setPassword(_ hash: PasswordHash, of person: Int, at now: Timestamp, keepingGrant kept: Int? = nil) {
        put(PasswordRecord(of: person, hash: hash.stored, setAt: now))
        for grant in community.grants.of(person: person)
        where grant.id != kept && (grant.purpose == .session || grant.purpose == .passwordReset) {
            deleteGrant(grant.id)
        }
    }

    /// Forgets what is no good any more.
    private mutating func dropGrants(expiredAt now: Timestamp) {
        for grant in community.grants.expired(at: now) { deleteGrant(grant.id) }
    }

    /// Forgets answers that are too old to be asked for again.
    mutating func dropReceipts(before moment: Timestamp) {
        for receipt in Array(community.receipts.before(moment)) { deleteReceipt(receipt.id) }
    }
}

extension Person {
    /// The account as the API shows it: to its owner and to administrators.
    func show(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("email", email)
        writer.member("display_name", displayName)
        writer.member("role", role.rawValue)
        writer.endObject()
    }

    /// The same as a body of its own.
    var shown: [UInt8] {
        var writer = JSONWriter()
        show(to: &writer)
        return writer.bytes
    }
}

extension HTTPError {
    /// 401 `wrong_password`: there is no such account, or its password is another.
    fileprivate static let wrongPassword = HTTPError(
        .unauthorized, code: "wrong_password", message: "there is no account with this e-mail address and password",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\""])

    /// 422: the password that proves who asks is another.
    fileprivate static let notYourPassword = HTTPError(
        .unprocessableContent, code: "invalid_input", message: "some fields are not right",
        fields: [("password", "is not your password")])

    /// 403 `no_account`: the caller is the owner of the folder, who has none.
    fileprivate static let noAccount = HTTPError(
        .forbidden, code: "no_account", message: "the socket of the data folder has no account of its own")
}
