import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/session` and `/me`: logging in and out, and the sessions of the caller's account.
enum SessionRoutes {
    static func add(to routes: inout RouteList) {
        routes.add(
            .post, "/api/v1/session", "Logs in", .anyone, takes: .one(.credentials),
            gives: .one(OpenedSession.body.schema), status: .created, audit: .login,
            loginAddress: { (try? $0.validFields(.credentials))?["email"] }, .async(logIn))
        routes.add(
            .delete, "/api/v1/session", "Logs out", .member, gives: .nothing, status: .noContent, audit: .logout,
            .outcome { try await $0.service.logOut(for: $0.context()) })
        routes.add(
            .get, "/api/v1/me", "Shows the caller's account", .member, gives: .one(.user),
            .read { .plainJSON(try $0.service.account(of: $0.caller, in: $0.town).shown) })
        routes.add(
            .post, "/api/v1/me/password", "Changes the caller's password and ends all other sessions", .member,
            takes: .one(.passwordChange), gives: .nothing, status: .noContent, audit: .passwordChange,
            .async(changePassword))
        addOwnSessions(to: &routes)
    }

    private static func addOwnSessions(to routes: inout RouteList) {
        let path = "/api/v1/me/sessions"
        routes.add(
            .get, path, "Lists the sessions of the caller", .member, gives: .items(OpenSession.body.schema),
            .read { .plainJSON(.sessions(try $0.service.ownSessions(of: $0.caller, in: $0.town))) })
        routes.add(
            .delete, path, "Ends all sessions of the caller except that of the request", .member, gives: .nothing,
            status: .noContent, audit: .logout,
            .outcome { try await $0.service.endOtherSessions(for: $0.context()) })
        routes.add(
            .delete, path + "/{id}", "Ends a session of the caller", .member, gives: .nothing, status: .noContent,
            audit: .logout,
            .outcome { try await $0.service.endSession($0.id(), for: $0.context()) })
    }

    private static func logIn(_ call: Call) async throws -> Response {
        let given = try call.validFields(.credentials)
        let session = try await call.service.logIn(
            given["email"] ?? "", password: given["password"] ?? "", staysSignedIn: given.isSet("stay_signed_in"),
            for: call.context(hasKey: false))
        return session.response
    }

    private static func changePassword(_ call: Call) async throws -> Response {
        let given = try call.fields(.passwordChange)
        try await call.service.changePassword(
            from: given["password"] ?? "", to: given["new_password"] ?? "", given.problems,
            for: call.context(hasKey: false))
        return Response(.noContent)
    }
}

extension Schema {
    static let credentials = Schema(
        "credentials",
        .required("email", "The address of the account"),
        .required("password", "Its password"),
        .given(
            "stay_signed_in",
            "Whether the session lasts 90 days after each use, rather than 30 minutes and 12 hours in all", kind: .flag)
    )

    static let passwordChange = Schema(
        "password_change", .required("password", "The old password"), .newPassword("new_password"))
}

extension OpenedSession {
    static let body = Body<OpenedSession>(
        "session",
        Member("token", "The token, to be sent as Authorization: Bearer; shown only once") { $0.token.reveal() },
        Member(
            "expires_at",
            "When it expires at the latest; unused, after 30 minutes. With stay_signed_in: unused, then"
        ) { $0.expiresAt },
        Member("user", .object(Schema.user.name), "Who has logged in") { $0.person.show(to: &$1) })

    var response: Response { .plainJSON(Self.body.json(self), status: .created) }
}

extension OpenSession {
    static let body = Body<OpenSession>(
        "open_session",
        Member("id", "The ID by which it can be revoked") { $0.credential.id },
        Member("created_at", "When its person logged in") { $0.credential.createdAt },
        Member("last_used_at", "When it was last used") { $0.lastUsedAt },
        Member("expires_at", "When it expires if it is not used again") { $0.expiresAt },
        Member("stay_signed_in", "Whether it lasts 90 days after each use") { $0.credential.staysSignedIn },
        Member("is_current", "Whether it is the session of this request") { $0.isCurrent },
        Member("device", "What its person logged in with, as far as the browser says it") { $0.credential.name })
}

extension [UInt8] {
    static func sessions(_ sessions: [OpenSession]) -> [UInt8] {
        .items(sessions) { OpenSession.body.write($0, to: &$1) }
    }
}

extension Person {
    /// As in responses to its person and to administrators.
    func show(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("email", email)
            writer.member("display_name", displayName)
            writer.member("role", role.rawValue)
        }
    }

    var shown: [UInt8] {
        var writer = JSONWriter()
        show(to: &writer)
        return writer.bytes
    }
}
