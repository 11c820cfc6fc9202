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
        let given = try call.fields(.credentials)
        let email = given["email"] ?? ""
        guard let checked = try await call.verify(given["password"] ?? "", of: email) else {
            throw HTTPError.wrongPassword
        }
        let token = try Token(.session)
        return try await call.change(by: .person(checked.id), keeping: .nothing) { edit in
            // A password that was changed meanwhile opens nothing: the change has ended all sessions.
            guard let stored = edit.community.passwords[checked.id], stored.isSamePassword(as: checked),
                let person = edit.community.people[checked.id]
            else { throw HTTPError.wrongPassword }
            return edit.openSession(for: person, token, call, staysSignedIn: given.isSet("stay_signed_in"))
        }
    }

    private static func logOut(_ call: Call) async throws -> Response {
        guard case .token(let grant, _, _) = call.caller.proof else { throw HTTPError.noAccount }
        return try await call.change { edit in
            edit.deleteGrant(grant)
            return Response(.noContent)
        }
    }

    private static func changePassword(_ call: Call) async throws -> Response {
        let given = try call.fields(.passwordChange)
        guard let person = call.caller.person(in: call.community),
            case .token(let session, _, _) = call.caller.proof
        else { throw HTTPError.noAccount }
        guard let checked = try await call.verify(given["password"] ?? "", of: person.email) else {
            throw HTTPError.notYourPassword
        }
        let password = try await call.newPassword(given["new_password"] ?? "", "new_password", of: person.email)
        return try await call.change(keeping: .nothing) { edit in
            guard let stored = edit.community.passwords[person.id], stored.isSamePassword(as: checked) else {
                throw HTTPError.notYourPassword
            }
            edit.setPassword(password, of: person.id, at: call.steadyNow, revokingTokens: false, keepingGrant: session)
            edit.remember(call, as: person.id)
            return Response(.noContent)
        }
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
        .unprocessableContent, code: "invalid_input", message: "some fields are invalid",
        fields: [("password", "is not your password")])

    /// 403 `no_account`: the caller is the owner of the folder, who has none.
    static let noAccount = HTTPError(
        .forbidden, code: "no_account", message: "the socket of the data folder has no account of its own")
}
