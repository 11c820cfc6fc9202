import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/me/sessions`: the sessions of the caller's account.
enum OwnSessionRoutes {
    private static let path = "/api/v1/me/sessions"

    static func add(to routes: inout RouteList) {
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
        let sessions = try call.service { () throws(ServiceError) in
            try call.town.ownSessions(of: call.caller, in: call.community)
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
        call.response(try await call.town.endOtherSessions(for: call.context()))
    }

    private static func end(_ call: Call) async throws -> Response {
        call.response(try await call.town.endSession(call.id(), for: call.context()))
    }
}
