import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/session` and `/me`: logging in and out, and the sessions of the caller's account.
enum SessionRoutes {
    static func add(to routes: inout RouteList) {
        routes.post(
            "/api/v1/session",
            .async(
                "Logs in", .anyone, takes: .one(.credentials), gives: .one(.session), status: .created, logIn
            ).audited(as: .login).limited { (try? $0.validFields(.credentials))?["email"] })
        routes.delete(
            "/api/v1/session",
            .async("Logs out", .member, gives: .nothing, status: .noContent, logOut).audited(
                as: .logout))
        routes.get(
            "/api/v1/me",
            .read("Shows the caller's account", .member, gives: .one(.user)) { call throws(HTTPError) in
                let person = try call.translatingErrors { () throws(ServiceError) in
                    try call.service.account(of: call.caller, in: call.town)
                }
                return .plainJSON(person.shown)
            })
        routes.post(
            "/api/v1/me/password",
            .async(
                "Changes the caller's password and ends all other sessions", .member, takes: .one(.passwordChange),
                gives: .nothing, status: .noContent, changePassword
            ).audited(as: .passwordChange))
        addOwnSessions(to: &routes)
    }

    private static func addOwnSessions(to routes: inout RouteList) {
        let path = "/api/v1/me/sessions"
        routes.get(path, .read("Lists the sessions of the caller", .member, gives: .items(.openSession), list))
        routes.delete(
            path,
            .async(
                "Ends all sessions of the caller except that of the request", .member, gives: .nothing,
                status: .noContent, endOthers
            ).audited(as: .logout))
        routes.delete(
            path + "/{id}",
            .async("Ends a session of the caller", .member, gives: .nothing, status: .noContent, end).audited(
                as: .logout))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let sessions = try call.translatingErrors { () throws(ServiceError) in
            try call.service.ownSessions(of: call.caller, in: call.town)
        }
        return .plainJSON(
            .items(sessions) { bytes, session in
                var writer = JSONWriter()
                writer.beginObject()
                writer.member("id", session.credential.id)
                writer.member("created_at", session.credential.createdAt)
                writer.member("last_used_at", session.lastUsedAt)
                writer.member("expires_at", session.expiresAt)
                writer.member("stay_signed_in", session.credential.staysSignedIn)
                writer.member("is_current", session.isCurrent)
                writer.endObject()
                bytes.append(contentsOf: writer.bytes)
            } + [UInt8(ascii: "}")])
    }

    private static func endOthers(_ call: Call) async throws -> Response {
        call.response(try await call.service.endOtherSessions(for: call.context()))
    }

    private static func end(_ call: Call) async throws -> Response {
        call.response(try await call.service.endSession(call.id(), for: call.context()))
    }

    private static func logIn(_ call: Call) async throws -> Response {
        let given = try call.validFields(.credentials)
        let session = try await call.service.logIn(
            given["email"] ?? "", password: given["password"] ?? "", staysSignedIn: given.isSet("stay_signed_in"),
            for: call.context(hasKey: false))
        return .session(session)
    }

    private static func logOut(_ call: Call) async throws -> Response {
        call.response(try await call.service.logOut(for: call.context()))
    }

    private static func changePassword(_ call: Call) async throws -> Response {
        let given = try call.fields(.passwordChange)
        try await call.service.changePassword(
            from: given["password"] ?? "", to: given["new_password"] ?? "", given.problems,
            for: call.context(hasKey: false))
        return Response(.noContent)
    }
}

extension Response {
    /// The response that opens a session. Its token is not shown again.
    static func session(_ session: OpenedSession) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("token", session.token.reveal())
        writer.member("expires_at", session.expiresAt?.rfc3339)
        writer.key("user")
        session.person.show(to: &writer)
        writer.endObject()
        return .plainJSON(writer.bytes, status: .created)
    }
}

extension Person {
    /// Writes the account as in responses to its person and to administrators.
    func show(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("email", email)
        writer.member("display_name", displayName)
        writer.member("role", role.rawValue)
        writer.endObject()
    }

    /// The same as a body.
    var shown: [UInt8] {
        var writer = JSONWriter()
        show(to: &writer)
        return writer.bytes
    }
}
