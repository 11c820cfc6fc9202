import Bytes
import Credentials
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/invitations`, `/setup` and `/password-reset`: one-time links and their use; `/admin/tokens`: API tokens.
enum CredentialRoutes {
    static func addLinks(to routes: inout RouteList) {
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
            "/api/v1/admin/setup-link",
            .async(
                "Issues a link for the first account, which ends the one before", .folderOwner, gives: .one(.setupLink),
                status: .created, { call in try makeSetupLink(call) }
            ).audited(as: .setup))
        routes.post(
            "/api/v1/password-reset",
            .async(
                "Sets a new password by a link, and logs in", .anyone, takes: .one(.passwordReset),
                gives: .one(.session), status: .created, reset
            ).audited(as: .passwordReset))
    }

    /// The link of the first start, for the owner of the server.
    private static func makeSetupLink(_ call: Call) throws(HTTPError) -> Response {
        let link = try call.translatingErrors { () throws(ServiceError) in try call.service.makeSetupLink() }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("link", link)
        writer.endObject()
        return .plainJSON(writer.bytes, status: .created)
    }

    private static func invite(_ call: Call) async throws -> Response {
        .link(try await call.service.invite(call.patch(), for: call.context()), call.service)
    }

    private static func accept(_ call: Call) async throws -> Response {
        let given = try call.fields(.acceptance)
        let session = try await call.service.acceptInvitation(
            given["token"] ?? "", password: given["password"] ?? "", displayName: given["display_name"],
            given.problems, for: call.context(hasKey: false))
        return .session(session)
    }

    private static func setUp(_ call: Call) async throws -> Response {
        let given = try call.fields(.setup)
        let session = try await call.service.setUp(
            given["token"] ?? "", email: given["email"] ?? "", password: given["password"] ?? "",
            displayName: given["display_name"], given.problems, for: call.context(hasKey: false))
        return .session(session)
    }

    private static func reset(_ call: Call) async throws -> Response {
        let given = try call.fields(.passwordReset)
        let session = try await call.service.resetPassword(
            given["token"] ?? "", to: given["new_password"] ?? "", keepingTokens: given.isSet("keep_tokens"),
            given.problems, for: call.context(hasKey: false))
        return .session(session)
    }

    static func addTokens(to routes: inout RouteList) {
        let path = "/api/v1/admin/tokens"
        routes.get(
            path, .read("Lists API tokens without their secrets", .superAdmin, gives: .items(.token), listTokens))
        routes.post(
            path,
            .async(
                "Issues an API token, which is shown only once", .superAdmin, takes: .one(.token),
                gives: .one(.token), status: .created, createToken
            ).audited(as: .tokenMade))
        routes.delete(
            path + "/{id}",
            .async("Revokes a token, a session or a link", .superAdmin, gives: .nothing, status: .noContent) {
                call in
                call.response(try await call.service.revokeCredential(call.id(), for: call.context()))
            }.audited(as: .tokenRevoked))
    }

    private static func listTokens(_ call: Call) throws(HTTPError) -> Response {
        let tokens = call.service.tokens(in: call.town)
        return .plainJSON(.items(tokens) { $0.append(contentsOf: $1.shown()) } + [UInt8(ascii: "}")])
    }

    private static func createToken(_ call: Call) async throws -> Response {
        let given = try call.fields(.token)
        let input = TokenInput(
            name: given["name"], scope: given["scope"], email: given["email"], expiresAt: given["expires_at"],
            problems: given.problems)
        let issued = try await call.service.issueToken(input, for: call.context())
        return .plainJSON(issued.credential.shown(issued.token), status: .created)
    }
}

extension Response {
    /// The response that issues a one-time link. Its token is not shown again.
    static func link(_ issued: IssuedCredential, _ service: TownService) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", issued.credential.id)
        writer.member("email", issued.credential.email)
        writer.member("role", issued.credential.role?.rawValue)
        writer.member("token", issued.token.reveal())
        writer.member("link", service.link(for: issued.token))
        writer.member("expires_at", issued.credential.expiresAt?.rfc3339)
        writer.endObject()
        return .plainJSON(writer.bytes, status: .created)
    }
}

extension Credential {
    /// The credential as in responses to administrators; with the token only when it was just issued.
    fileprivate func shown(_ token: Token? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("scope", scope?.rawValue)
        writer.member("user_id", person)
        writer.member("created_at", createdAt.rfc3339)
        writer.member("created_by", createdBy)
        writer.member("created_by_token", createdByToken)
        writer.member("expires_at", expiresAt?.rfc3339)
        if let token { writer.member("token", token.reveal()) }
        writer.endObject()
        return writer.bytes
    }
}
