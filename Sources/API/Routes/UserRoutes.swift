import Bytes
import Credentials
import HTTP
import JSON
import SookeModel
import Store

/// `/users`: accounts and what they may do.
enum UserRoutes {
    private static let path = "/api/v1/users"

    static func add(to routes: inout RouterBuilder<Route>) {
        routes.get(
            path, .read("Lists accounts", .superAdmin, gives: .page(.user), list).with(.email, .page, .perPage))
        routes.get(
            path + "/{id}",
            .read("Shows an account", .superAdmin, gives: .one(.user)) { call throws(HTTPError) in
                let person = try known(try call.id(), in: call.community)
                return .json(person.shown, record: ShownRecord(person))
            })
        routes.post(
            path,
            .write(
                "Adds an account", .superAdmin, takes: .one(.user), gives: .one(.user), status: .created, create
            ).audited(as: .accountMade))
        routes.patch(
            path + "/{id}",
            .write("Changes an account", .superAdmin, takes: .patch(.user), gives: .one(.user), update).audited(
                as: .accountChanged))
        routes.delete(
            path + "/{id}",
            .write(
                "Removes an account; what it owned stays", .superAdmin, gives: .nothing, status: .noContent, remove
            ).audited(as: .accountRemoved))
        routes.post(
            path + "/{id}/promote",
            .write(
                "Gives an account another role", .superAdmin, takes: .one(.role), gives: .one(.user), promote
            ).audited(as: .promotion))
        routes.post(
            path + "/{id}/password-reset",
            .write(
                "Makes a link by which somebody sets a new password", .superAdmin, gives: .one(.invitation),
                status: .created, reset
            ).audited(as: .passwordLink))
        routes.post(
            path + "/{id}/password",
            .write(
                "Sets somebody's password, for the owner of the server", .folderOwner, takes: .one(.newPassword),
                gives: .nothing, status: .noContent, setPassword
            ).audited(as: .passwordChange))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let page = call.community.page(try call.page(), of: PersonQuery(email: try call.parameter("email")))
        return .json(.list(page) { $0.append(contentsOf: $1.shown) })
    }

    private static func create(_ call: Call) async throws -> Response {
        let patch = try call.patch(of: Person.self, allowing: FieldSet { $0.isGiven })
        return try await call.change { edit in
            let person = try edit.create(patch)
            call.subject?.note(person)
            return answer(person, status: .created)
        }
    }

    private static func update(_ call: Call) async throws -> Response {
        let patch = try call.patch(of: Person.self, allowing: FieldSet { $0.isGiven })
        let id = try call.id()
        return try await call.change { edit in
            let person = try known(id, in: edit.community)
            try call.requireMatch(person.digest)
            call.subject?.note(person)
            let before = edit.community
            let changed = try edit.update(person.id, patch)
            try requireAdmin(edit.community, after: before)
            return answer(changed)
        }
    }

    private static func remove(_ call: Call) async throws -> Response {
        let id = try call.id()
        return try await call.change { edit in
            let person = try known(id, in: edit.community)
            try call.requireMatch(person.digest)
            call.subject?.note(person)
            let before = edit.community
            try edit.deletePerson(person.id)
            try requireAdmin(edit.community, after: before)
            return Response(.noContent)
        }
    }

    private static func promote(_ call: Call) async throws -> Response {
        let id = try call.id()
        let name = try call.fields(.role)["role"] ?? ""
        guard let role = Person.Role(named: name) else {
            let roles = Person.Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw HTTPError(
                .unprocessableContent, code: "invalid_input", message: "some fields are invalid",
                fields: [("role", "must be one of \(roles), not \"\(name.excerpt())\"")])
        }
        return try await call.change { edit in
            let person = try known(id, in: edit.community)
            try call.requireMatch(person.digest)
            var patch = Patch<Person>()
            patch.values.role = role
            patch.fields = ["role"]
            call.subject?.note(person)
            let before = edit.community
            let changed = try edit.update(person.id, patch)
            try requireAdmin(edit.community, after: before)
            return answer(changed)
        }
    }

    private static func reset(_ call: Call) async throws -> Response {
        let id = try call.id()
        let token = try Token(.passwordReset)
        return try await call.change(keeping: .thatItWasDone) { edit in
            let person = try known(id, in: edit.community)
            var grant = Grant(.passwordReset, token, at: call.steadyNow, lasting: 24 * 3600)
            (grant.person, grant.email) = (person.id, person.email)
            grant.setCreator(call.caller, in: edit.community)
            return .link(token, for: edit.put(grant), call)
        }
    }

    private static func setPassword(_ call: Call) async throws -> Response {
        let id = try call.id()
        let person = try known(id, in: call.community)
        call.subject?.note(person)
        let given = try call.fields(.newPassword)
        let hash = try await call.newPassword(given["new_password"] ?? "", "new_password", of: person.email)
        return try await call.change(keeping: .nothing) { edit in
            let person = try known(id, in: edit.community)
            let isRevoking = !given.isSet("keep_tokens")
            edit.setPassword(hash, of: person.id, at: call.steadyNow, revokingTokens: isRevoking)
            return Response(.noContent)
        }
    }

    private static func known(_ id: Int, in community: Community) throws(HTTPError) -> Person {
        guard let person = community.people[id] else { throw .notFound("there is no such user") }
        return person
    }

    private static func answer(_ person: Person, status: Status = .ok) -> Response {
        .changed(person.shown, record: ShownRecord(person), at: path + "/", Slug("\(person.id)"), status: status)
    }

    /// A town without anybody who looks after it could not be put right from outside. One that had nobody before may
    /// still be changed by the owner of the folder.
    private static func requireAdmin(_ community: Community, after before: Community) throws(HTTPError) {
        let hasAdmin = { (community: Community) in
            community.people.inOrderOfID.contains { $0.role == .superAdmin }
        }
        guard hasAdmin(community) || !hasAdmin(before) else {
            throw HTTPError(
                .conflict, code: "last_admin", message: "somebody must look after the town; promote another first")
        }
    }
}

extension Response {
    /// The answer that hands a one-time link out: the only time that its token is shown.
    static func link(_ token: Token, for grant: Grant, _ call: Call) -> Response {
        call.subject?.note(grant)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", grant.id)
        writer.member("email", grant.email)
        writer.member("role", grant.role?.rawValue)
        writer.member("token", token.reveal())
        writer.member("link", call.town.link(for: token))
        writer.member("expires_at", grant.expiresAt?.rfc3339)
        writer.endObject()
        return .plainJSON(writer.bytes, status: .created)
    }
}
