import Dispatcher
import HTTP
import JSON
import Service

/// `/invitations`, `/setup` and `/password-reset`: one-time links and their use.
enum InvitationRoutes {
    static func add(to routes: inout RouteList) {
        routes.post(
            "/api/v1/invitations",
            .async(
                "Issues a link for creating an account", .superAdmin, takes: .one(.invitation),
                gives: .one(.invitation), status: .created, invite
            ).audited(as: .invitation))
        routes.post(
            "/api/v1/invitations/accept",
            .async(
                "Creates the account of an invitation, and logs in", .anyone, takes: .one(.acceptance),
                gives: .one(.session), status: .created, accept
            ).audited(as: .invitationAccepted))
        routes.post(
            "/api/v1/setup",
            .async(
                "Creates the first account, a super admin's, and logs in", .anyone, takes: .one(.setup),
                gives: .one(.session), status: .created, setUp
            ).audited(as: .setup))
        routes.post(
            "/api/v1/password-reset",
            .async(
                "Sets a new password by a link, and logs in", .anyone, takes: .one(.passwordReset),
                gives: .one(.session), status: .created, reset
            ).audited(as: .passwordReset))
    }

    private static func invite(_ call: Call) async throws -> Response {
        .link(try await call.town.invite(call.patch(), for: call.context()), call.town)
    }

    private static func accept(_ call: Call) async throws -> Response {
        let given = try call.fields(.acceptance)
        let session = try await call.town.acceptInvitation(
            given["token"] ?? "", password: given["password"] ?? "", displayName: given["display_name"],
            given.problems, for: call.context(hasKey: false))
        return .session(session)
    }

    private static func setUp(_ call: Call) async throws -> Response {
        let given = try call.fields(.setup)
        let session = try await call.town.setUp(
            given["token"] ?? "", email: given["email"] ?? "", password: given["password"] ?? "",
            displayName: given["display_name"], given.problems, for: call.context(hasKey: false))
        return .session(session)
    }

    private static func reset(_ call: Call) async throws -> Response {
        let given = try call.fields(.passwordReset)
        let session = try await call.town.resetPassword(
            given["token"] ?? "", to: given["new_password"] ?? "", keepingTokens: given.isSet("keep_tokens"),
            given.problems, for: call.context(hasKey: false))
        return .session(session)
    }
}

extension Response {
    /// The response that issues a one-time link. Its token is not shown again.
    static func link(_ issued: IssuedCredential, _ town: Town) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", issued.credential.id)
        writer.member("email", issued.credential.email)
        writer.member("role", issued.credential.role?.rawValue)
        writer.member("token", issued.token.reveal())
        writer.member("link", town.link(for: issued.token))
        writer.member("expires_at", issued.credential.expiresAt?.rfc3339)
        writer.endObject()
        return .plainJSON(writer.bytes, status: .created)
    }
}
