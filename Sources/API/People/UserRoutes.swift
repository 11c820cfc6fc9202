import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/users`: accounts and their roles.
enum UserRoutes {
    private static let path = "/api/v1/users"

    static func add(to routes: inout RouteList) {
        routes.add(
            .get, path, "Lists accounts", .superAdmin, gives: .page(.user), query: [.email, .page, .perPage],
            .read(list))
        routes.add(
            .get, path + "/{id}", "Shows an account", .superAdmin, gives: .one(.user),
            .read { call in
                let person = try call.service.person(call.id(), in: call.town)
                return .json(person.shown, record: RecordValidators(person))
            })
        routes.add(
            .post, path, "Adds an account", .superAdmin, takes: .one(.user), gives: .one(.user), status: .created,
            audit: .accountMade,
            .outcome { try await $0.service.createPerson($0.patch(), for: $0.context()) })
        routes.add(
            .patch, path + "/{id}", "Changes an account", .superAdmin, takes: .patch(.user), gives: .one(.user),
            audit: .accountChanged,
            .outcome { try await $0.service.updatePerson($0.id(), $0.patch(), for: $0.context()) })
        routes.add(
            .delete, path + "/{id}", "Removes an account; its businesses and events stay", .superAdmin, gives: .nothing,
            status: .noContent, audit: .accountRemoved,
            .outcome { try await $0.service.deletePerson($0.id(), for: $0.context()) })
        routes.add(
            .post, path + "/{id}/promote", "Gives an account another role", .superAdmin, takes: .one(.role),
            gives: .one(.user), audit: .promotion, .async(promote))
        routes.add(
            .post, path + "/{id}/password-reset", "Issues a link for setting a new password", .superAdmin,
            gives: .one(IssuedLink.invitation.schema), status: .created, audit: .passwordLink,
            .async { .invitation(try await $0.service.issuePasswordReset(of: $0.id(), for: $0.context()), $0) })
        routes.add(
            .get, path + "/{id}/sessions", "Lists the sessions of an account", .superAdmin,
            gives: .items(OpenSession.body.schema),
            .read { call in
                let person = try call.service.person(call.id(), in: call.town)
                let current = call.caller.credentialID
                return .plainJSON(.sessions(call.service.sessions(of: person.id, current: current, in: call.town)))
            })
        routes.add(
            .delete, path + "/{id}/sessions", "Ends all sessions of an account; its API tokens stay", .superAdmin,
            gives: .nothing, status: .noContent, audit: .logout,
            .outcome { try await $0.service.endSessions(of: $0.id(), for: $0.context()) })
        routes.add(
            .post, path + "/{id}/password", "Sets the password of an account, for the owner of the server",
            .folderOwner, takes: .one(.newPassword), gives: .nothing, status: .noContent, audit: .passwordChange,
            .async(setPassword))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let page = call.town.page(try call.page(), of: PersonQuery(email: try call.parameter("email")))
        return .json(.list(page) { $0.show(to: &$1) })
    }

    private static func promote(_ call: Call) async throws -> Response {
        let id = try call.id()
        let given = try call.fields(.role)
        let name = given["role"] ?? ""
        guard let role = Person.Role(named: name), given.problems.isEmpty else {
            let roles = Person.Role.allCases.map(\.rawValue).joined(separator: ", ")
            var problems = given.problems
            problems.require(
                Person.Role(named: name) != nil, "role", "must be one of \(roles), not \"\(name.excerpt())\"")
            throw HTTPError(problems)
        }
        return call.response(try await call.service.promote(id, to: role, for: call.context()))
    }

    private static func setPassword(_ call: Call) async throws -> Response {
        let id = try call.id()
        let given = try call.fields(.newPassword)
        try await call.service.setPassword(
            given["new_password"] ?? "", of: id, keepingTokens: given.isSet("keep_tokens"),
            given.problems, for: call.context(hasKey: false))
        return Response(.noContent)
    }
}

extension Schema {
    static let role = Schema("role", .required("role", "What they may do", kind: Person.Role.kind))
}
