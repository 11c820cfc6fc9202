import Bytes
import HTTP
import JSON
import SookeModel
import Store

/// `/me/sessions`: where somebody is logged in.
enum OwnSessionRoutes {
    private static let path = "/api/v1/me/sessions"

    static func add(to routes: inout RouterBuilder<Route>) {
        routes.get(path, .read("Lists one's own sessions", .member, gives: .items(.openSession), list))
        routes.delete(
            path,
            .write(
                "Ends all of one's own sessions but that of the request", .member, gives: .nothing,
                status: .noContent, endOthers
            ).audited(as: .logout))
        routes.delete(
            path + "/{id}",
            .write("Ends one of one's own sessions", .member, gives: .nothing, status: .noContent, end).audited(
                as: .logout))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let (person, current) = try asker(call)
        let (accounts, now) = (call.town.accounts, call.steadyNow)
        let open = call.community.grants.of(person: person).filter { grant in
            grant.purpose == .session && accounts.end(of: grant).map { $0 > now } ?? false
        }
        return .plainJSON(
            .items(open) { bytes, grant in
                var writer = JSONWriter()
                writer.beginObject()
                writer.member("id", grant.id)
                writer.member("created_at", grant.createdAt)
                writer.member("last_used_at", accounts.lastUse(of: grant))
                writer.member("expires_at", accounts.end(of: grant))
                writer.member("stay_signed_in", grant.staysSignedIn)
                writer.member("is_current", grant.id == current)
                writer.endObject()
                bytes.append(contentsOf: writer.bytes)
            } + [UInt8(ascii: "}")])
    }

    private static func endOthers(_ call: Call) async throws -> Response {
        let (person, current) = try asker(call)
        return try await call.change { edit in
            for grant in edit.community.grants.of(person: person)
            where grant.purpose == .session && grant.id != current {
                edit.deleteGrant(grant.id)
            }
            return Response(.noContent)
        }
    }

    private static func end(_ call: Call) async throws -> Response {
        let (person, _) = try asker(call)
        let id = try call.id()
        return try await call.change { edit in
            guard let grant = edit.community.grants[id], grant.purpose == .session, grant.person == person else {
                throw HTTPError.notFound("there is no such session of yours")
            }
            call.subject?.note(grant)
            edit.deleteGrant(id)
            return Response(.noContent)
        }
    }

    /// The account of the caller, and the ID of what they show.
    private static func asker(_ call: Call) throws(HTTPError) -> (person: Int, grant: Int) {
        guard case .token(let grant, let person, _) = call.caller.proof else { throw .noAccount }
        return (person, grant)
    }
}
