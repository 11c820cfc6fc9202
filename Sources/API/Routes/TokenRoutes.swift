import Bytes
import Credentials
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/admin/tokens`: API tokens for programs.
enum TokenRoutes {
    private static let path = "/api/v1/admin/tokens"

    static func add(to routes: inout RouteList) {
        routes.get(
            path, .read("Lists API tokens without their secrets", .superAdmin, gives: .items(.token), list))
        routes.post(
            path,
            .async(
                "Issues an API token, which is shown only once", .superAdmin, takes: .one(.token),
                gives: .one(.token), status: .created, create
            ).audited(as: .tokenMade))
        routes.delete(
            path + "/{id}",
            .async("Revokes a token, a session or a link", .superAdmin, gives: .nothing, status: .noContent) {
                call in
                call.response(try await call.town.revokeCredential(call.id(), for: call.context()))
            }.audited(as: .tokenRevoked))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let tokens = call.town.tokens(in: call.community)
        return .plainJSON(.items(tokens) { $0.append(contentsOf: $1.shown()) } + [UInt8(ascii: "}")])
    }

    private static func create(_ call: Call) async throws -> Response {
        let given = try call.fields(.token)
        let input = TokenInput(
            name: given["name"], scope: given["scope"], email: given["email"], expiresAt: given["expires_at"],
            problems: given.problems)
        let issued = try await call.town.issueToken(input, for: call.context())
        return .plainJSON(issued.credential.shown(issued.token), status: .created)
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
