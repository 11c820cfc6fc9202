import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/invitations`, `/setup` and `/password-reset`: one-time links and their use; `/admin/tokens`: API tokens.
enum CredentialRoutes {
    static func addLinks(to routes: inout RouteList) {
        routes.add(
            .post, "/api/v1/invitations", "Issues a link for creating an account", .superAdmin,
            takes: .one(IssuedLink.invitation.schema), gives: .one(IssuedLink.invitation.schema), status: .created,
            audit: .invitation,
            .async { .invitation(try await $0.service.invite($0.patch(), for: $0.context()), $0) })
        routes.add(
            .post, "/api/v1/invitations/accept", "Creates the account of an invitation, and logs in", .anyone,
            takes: .one(.acceptance), gives: .one(OpenedSession.body.schema), status: .created,
            audit: .invitationAccepted, .async(accept))
        routes.add(
            .post, "/api/v1/setup", "Creates the first account, a super admin's, and logs in", .anyone,
            takes: .one(.setup), gives: .one(OpenedSession.body.schema), status: .created, audit: .setup, .async(setUp))
        routes.add(
            .post, "/api/v1/admin/setup-link", "Issues a link for the first account, which ends the one before",
            .folderOwner, gives: .one(Schema.setupLink.schema), status: .created, audit: .setup,
            .async { call in
                .plainJSON(Schema.setupLink.json(try call.service.makeSetupLink()), status: .created)
            })
        routes.add(
            .post, "/api/v1/password-reset", "Sets a new password by a link, and logs in", .anyone,
            takes: .one(.passwordReset), gives: .one(OpenedSession.body.schema), status: .created,
            audit: .passwordReset, .async(reset))
    }

    private static func accept(_ call: Call) async throws -> Response {
        let given = try call.fields(.acceptance)
        let session = try await call.service.acceptInvitation(
            given["token"] ?? "", password: given["password"] ?? "", displayName: given["display_name"],
            given.problems, for: call.context(hasKey: false))
        return session.response
    }

    private static func setUp(_ call: Call) async throws -> Response {
        let given = try call.fields(.setup)
        let session = try await call.service.setUp(
            given["token"] ?? "", email: given["email"] ?? "", password: given["password"] ?? "",
            displayName: given["display_name"], given.problems, for: call.context(hasKey: false))
        return session.response
    }

    private static func reset(_ call: Call) async throws -> Response {
        let given = try call.fields(.passwordReset)
        let session = try await call.service.resetPassword(
            given["token"] ?? "", to: given["new_password"] ?? "", keepingTokens: given.isSet("keep_tokens"),
            given.problems, for: call.context(hasKey: false))
        return session.response
    }

    static func addTokens(to routes: inout RouteList) {
        let path = "/api/v1/admin/tokens"
        routes.add(
            .get, path, "Lists API tokens without their secrets", .superAdmin, gives: .items(IssuedToken.body.schema),
            .read { call in
                .plainJSON(.items(call.service.tokens(in: call.town)) { IssuedToken.body.write(($0, nil), to: &$1) })
            })
        routes.add(
            .post, path, "Issues an API token, which is shown only once", .superAdmin,
            takes: .one(IssuedToken.body.schema), gives: .one(IssuedToken.body.schema), status: .created,
            audit: .tokenMade, .async(createToken))
        routes.add(
            .delete, path + "/{id}", "Revokes a token, a session or a link", .superAdmin, gives: .nothing,
            status: .noContent, audit: .tokenRevoked,
            .outcome { try await $0.service.revokeCredential($0.id(), for: $0.context()) })
    }

    private static func createToken(_ call: Call) async throws -> Response {
        let given = try call.fields(IssuedToken.body.schema)
        let input = TokenInput(
            name: given["name"], scope: given["scope"], email: given["email"], expiresAt: given["expires_at"],
            problems: given.problems)
        let issued = try await call.service.issueToken(input, for: call.context())
        return .plainJSON(IssuedToken.body.json((issued.credential, issued.token)), status: .created)
    }
}

extension Schema {
    static let acceptance = Schema("acceptance", .linkToken, .newPassword("password"), .displayName)
    static let passwordReset = Schema("password_reset", .linkToken, .newPassword("new_password"), .keepTokens)
    static let newPassword = Schema("new_password", .newPassword("new_password"), .keepTokens)
    static let setup = Schema(
        "setup", .required("token", "What the server printed when it started"),
        .required("email", "The address of the first account"), .newPassword("password"), .displayName)
    static let setupLink = Body<String>("setup_link", Member("link", "The address to open; shown only once") { $0 })
}

extension FieldDescription {
    static let linkToken = required("token", "What the link holds")
    fileprivate static let displayName = given("display_name", "What others call them")
    fileprivate static let keepTokens = given(
        "keep_tokens",
        "Whether the API tokens of the account and those that it made stay valid; else only its own for metrics do",
        kind: .flag)

    static func newPassword(_ name: String) -> FieldDescription {
        required(name, "The new password; 12 characters or more, not a common one")
    }
}

extension Response {
    static func invitation(_ issued: IssuedCredential, _ call: Call) -> Response {
        .plainJSON(IssuedLink.invitation.json(IssuedLink(issued, call.service)), status: .created)
    }
}

/// A one-time link that was just issued. Its token is not shown again.
struct IssuedLink {
    private let credential: Credential
    private let token: String
    private let link: String

    init(_ issued: IssuedCredential, _ service: TownService) {
        (credential, token) = (issued.credential, issued.token.reveal())
        link = service.link(for: issued.token)
    }

    static let invitation = Body(
        "invitation", id,
        Member("email", "Whose account it is about", use: .both, required: true) { $0.credential.email },
        Member("role", "The role of the new account; general_user by default", use: .both) { $0.credential.role },
        Member(given: "display_name", "What others call them"), secret, address, end)

    static let confirmation = Body("confirmation_link", id, secret, address, end)

    private static let id = Member<IssuedLink>("id", "The ID by which an administrator can revoke the link") {
        $0.credential.id
    }
    private static let secret = Member<IssuedLink>("token", "The secret of the link; shown only once") { $0.token }
    private static let address = Member<IssuedLink>("link", "The address to open; shown only once") { $0.link }
    private static let end = Member<IssuedLink>("expires_at", "When it expires; it can be used once") {
        $0.credential.expiresAt
    }
}

enum IssuedToken {
    static let body = Body<(credential: Credential, token: Token?)>(
        "token",
        Member("id", "The ID by which it can be revoked") { $0.credential.id },
        Member("name", "What it is for; 1 to 100 characters", use: .both, required: true) { $0.credential.name },
        Member("scope", "Its scope; write by default", use: .both) { $0.credential.scope },
        Member("user_id", "The ID of the user for whom it acts") { $0.credential.person },
        Member(given: "email", "The address of that user; the caller by default"),
        Member("created_at", "When it was made") { $0.credential.createdAt },
        Member("created_by", "Who made it; null for the owner of the server") { $0.credential.createdBy },
        Member(
            "created_by_token", "The ID of the token used to make it, with which it is revoked; or null"
        ) { $0.credential.createdByToken },
        Member(
            "expires_at",
            "When it expires, at the latest with the token used to make it; by default never or with that token",
            use: .both
        ) { $0.credential.expiresAt },
        Member("token", "The token, to be sent as Authorization: Bearer; shown only once", isLeftOut: true) {
            $0.token?.reveal()
        })
}
