import Bytes
import Credentials
import HTTP
import JSON
import SookeModel
import Store

/// `/admin/tokens`: keys for programs.
enum TokenRoutes {
    private static let path = "/api/v1/admin/tokens"

    static func add(to routes: inout RouterBuilder<Route>) {
        routes.get(
            path, .read("Lists the tokens of programs, not the secrets", .superAdmin, gives: .items(.token), list))
        routes.post(
            path,
            .write(
                "Makes a token for a program; it is shown this once", .superAdmin, takes: .one(.token),
                gives: .one(.token), status: .created, create
            ).audited(as: .tokenMade))
        routes.delete(
            path + "/{id}",
            .write("Ends a token, a session or a link at once", .superAdmin, gives: .nothing, status: .noContent) {
                call in
                let id = try call.id()
                return try await call.change { edit in
                    guard let grant = edit.community.grants[id] else {
                        throw HTTPError.notFound("there is no such token")
                    }
                    try call.requireMatch(grant.digest)
                    call.subject?.note(grant)
                    edit.deleteGrant(id)
                    return Response(.noContent)
                }
            }.audited(as: .tokenRevoked))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let grants = call.community.grants.inOrderOfID.filter { $0.purpose == .apiToken }
        return .plainJSON(.items(grants) { $0.append(contentsOf: $1.shown()) } + [UInt8(ascii: "}")])
    }

    /// A token speaks for a person: the one that is named, else who makes it.
    private static func create(_ call: Call) async throws -> Response {
        let given = try call.fields(.token)
        let now = call.steadyNow
        var problems = FieldProblems()
        let scope: Grant.Scope? = given["scope"].map { Grant.Scope(named: $0) } ?? .write
        problems.require(scope != nil, "scope", "must be read, write, admin or metrics")
        let end = given["expires_at"].map { Timestamp(rfc3339: $0) }
        problems.require(end != .some(nil), "expires_at", "must be \(Timestamp.shape)")
        if case .some(.some(let end)) = end {
            problems.require(end > now, "expires_at", "lies in the past")
        }
        let person = given["email"].map { call.community.people[email: $0]?.id } ?? call.caller.personID
        problems.require(
            person != nil, "email", given["email"] == nil ? "is missing: whose token is it?" : "nobody has this address"
        )
        if scope == .metrics, let person {
            problems.require(
                call.community.people.role(of: person) == .superAdmin, "scope",
                "metrics is for a token that speaks for a super admin")
        }
        problems.require(1...100 ~= (given["name"] ?? "").count, "name", "must have 1 to 100 characters")
        guard problems.isEmpty, let scope, let person else { throw HTTPError(problems) }
        let token = try Token(.api)
        return try await call.change(keeping: .thatItWasDone) { edit in
            guard edit.community.people.has(id: person) else { throw HTTPError.notFound("there is no such user") }
            var grant = Grant(.apiToken, token, at: now, lasting: nil)
            (grant.person, grant.name, grant.scope) = (person, given["name"], scope)
            grant.setCreator(call.caller, in: edit.community)
            grant.expiresAt = try expiry(end ?? nil, of: grant, in: edit.community)
            let made = edit.put(grant)
            call.subject?.note(made)
            return .plainJSON(made.shown(token), status: .created)
        }
    }

    /// When a new token expires: when it is to, or with the token that makes it.
    ///
    /// - Throws: 422 when that would be after the token that makes it.
    private static func expiry(
        _ asked: Timestamp?, of grant: Grant, in community: Community
    ) throws(HTTPError) -> Timestamp? {
        guard let last = grant.createdByToken.flatMap({ community.grants[$0] })?.expiresAt else { return asked }
        guard let asked else { return last }
        var problems = FieldProblems()
        problems.require(
            asked <= last, "expires_at", "must not be after \(last.rfc3339), when the token that makes it expires")
        guard problems.isEmpty else { throw HTTPError(problems) }
        return asked
    }
}

extension Grant {
    /// The grant as administrators see it; with the token only when it has just been made.
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
