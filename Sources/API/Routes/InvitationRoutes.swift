import Credentials
import HTTP
import JSON
import SookeModel
import Store

/// `/invitations`, `/setup` and `/password-reset`: one-time links, and what they open.
enum InvitationRoutes {
    static func add(to routes: inout RouterBuilder<Route>) {
        routes.post(
            "/api/v1/invitations",
            .write(
                "Makes a link by which somebody makes an account", .superAdmin, takes: .one(.invitation),
                gives: .one(.invitation), status: .created, invite
            ).audited(as: .invitation))
        routes.post(
            "/api/v1/invitations/accept",
            .write(
                "Makes the account that the link is for, and logs in", .anyone, takes: .one(.acceptance),
                gives: .one(.session), status: .created, accept
            ).audited(as: .invitationAccepted))
        routes.post(
            "/api/v1/setup",
            .write(
                "Makes the first account, which looks after the town, and logs in", .anyone, takes: .one(.acceptance),
                gives: .one(.session), status: .created, setUp
            ).audited(as: .setup))
        routes.post(
            "/api/v1/password-reset",
            .write(
                "Sets the password that the link is for, and logs in", .anyone, takes: .one(.newPassword),
                gives: .one(.session), status: .created, reset
            ).audited(as: .passwordReset))
    }

    private static func invite(_ call: Call) async throws -> Response {
        let given = try call.texts(required: ["email"], optional: ["role", "display_name"])
        var problems = FieldProblems()
        var person = Person()
        (person.email, person.displayName) = (given["email"] ?? "", given["display_name"])
        // The account gets its number when it is made; until then any will do.
        person.id = 1
        let role = given["role"].map { Person.Role(rawValue: $0) } ?? .generalUser
        problems.require(
            role != nil, "role", "must be one of \(Person.Role.allCases.map(\.rawValue).joined(separator: ", "))")
        person.validate(&problems)
        guard problems.isEmpty, let role else { throw HTTPError(problems) }
        let token = try Token(.invitation)
        let email = person.email
        return try await call.change(showsSecret: true) { edit in
            guard edit.community.people[email: email] == nil else { throw HTTPError.emailTaken }
            var grant = Grant(.invitation, token, at: call.now, lasting: 7 * 86_400)
            (grant.email, grant.role, grant.createdBy) = (email, role, call.caller.personID)
            grant.name = given["display_name"]
            let made = edit.put(grant)
            call.town.send?(
                Mail(
                    to: email, subject: "Your account",
                    text:
                        "You have been invited. Make your account here, within a week:\n\n\(call.town.link(for: token))\n"
                ))
            return .link(token, for: made, call)
        }
    }

    private static func accept(_ call: Call) async throws -> Response {
        let given = try call.texts(required: ["token", "password"], optional: ["display_name"])
        let grant = try call.grant(given["token"] ?? "", for: .invitation)
        let email = grant.email ?? ""
        let hash = try await call.newPassword(given["password"] ?? "", "password", of: email)
        let id = try await call.town.store.write(by: .local) { edit in
            // Of two who use the link at once, one is first.
            guard edit.community.grants[grant.id]?.digest == grant.digest else { throw HTTPError.deadLink }
            let name = given["display_name"] ?? grant.name
            let person = try edit.create(Patch(email: email, displayName: name, role: grant.role ?? .generalUser))
            edit.setPassword(hash, of: person.id, at: call.now)
            edit.deleteGrant(grant.id)
            return person.id
        }.result
        return try await SessionRoutes.open(for: id, call)
    }

    private static func setUp(_ call: Call) async throws -> Response {
        let given = try call.texts(required: ["token", "email", "password"], optional: ["display_name"])
        let accounts = call.town.accounts
        guard let token = Token(text: (given["token"] ?? "").utf8), accounts.isSetup(token) else {
            throw HTTPError.deadLink
        }
        let email = given["email"] ?? ""
        let hash = try await call.newPassword(given["password"] ?? "", "password", of: email)
        let id = try await call.town.store.write(by: .local) { edit in
            guard edit.community.people.count == 0 else { throw HTTPError.deadLink }
            let person = try edit.create(Patch(email: email, displayName: given["display_name"], role: .superAdmin))
            edit.setPassword(hash, of: person.id, at: call.now)
            return person.id
        }.result
        accounts.endSetup()
        return try await SessionRoutes.open(for: id, call)
    }

    private static func reset(_ call: Call) async throws -> Response {
        let given = try call.texts(required: ["token", "new_password"])
        let grant = try call.grant(given["token"] ?? "", for: .passwordReset)
        guard let id = grant.person, let person = call.community.people[id] else { throw HTTPError.deadLink }
        let hash = try await call.newPassword(given["new_password"] ?? "", "new_password", of: person.email)
        _ = try await call.town.store.write(by: .person(id)) { edit in
            guard edit.community.grants[grant.id]?.digest == grant.digest else { throw HTTPError.deadLink }
            edit.setPassword(hash, of: id, at: call.now)
            edit.deleteGrant(grant.id)
        }
        return try await SessionRoutes.open(for: id, call)
    }
}

extension Patch<Person> {
    /// The fields of a new account.
    fileprivate init(email: String, displayName: String?, role: Person.Role) {
        self.init()
        (values.email, values.displayName, values.role) = (email, displayName, role)
        fields = [.email, .displayName, .role]
    }
}

extension Call {
    /// The grant behind the token of a one-time link.
    ///
    /// - Throws: 410 `dead_link` when there is none that is still good.
    fileprivate func grant(_ text: String, for purpose: Grant.Purpose) throws(HTTPError) -> Grant {
        guard let token = Token(text: text.utf8), let grant = community.grants[digest: token.digest.hex],
            grant.purpose == purpose, grant.expiresAt.map({ $0 > now }) ?? false
        else { throw .deadLink }
        subject?.note(grant)
        return grant
    }
}

extension HTTPError {
    /// 410 `dead_link`: a link that was used, has expired or never was.
    fileprivate static let deadLink = HTTPError(
        .gone, code: "dead_link", message: "this link was used already or is too old; ask for a new one")

    /// 409 `email_taken`.
    static let emailTaken = HTTPError(
        .conflict, code: "email_taken", message: "somebody has an account with this e-mail address",
        fields: [("email", "is taken")])
}
