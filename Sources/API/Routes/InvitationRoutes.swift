import Bytes
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
                "Makes the first account, which looks after the town, and logs in", .anyone, takes: .one(.setup),
                gives: .one(.session), status: .created, setUp
            ).audited(as: .setup))
        routes.post(
            "/api/v1/password-reset",
            .write(
                "Sets the password that the link is for, and logs in", .anyone, takes: .one(.passwordReset),
                gives: .one(.session), status: .created, reset
            ).audited(as: .passwordReset))
    }

    private static func invite(_ call: Call) async throws -> Response {
        let patch = try call.patch(of: Person.self, allowing: ["email", "display_name", "role"])
        let token = try Token(.invitation)
        let email = patch.values.email
        let response = try await call.change(keeping: .thatItWasDone) { edit in
            // What the account could not be made of is refused now, not when the link is opened.
            var trial = edit
            let person = try trial.create(patch)
            var grant = Grant(.invitation, token, at: call.steadyNow, lasting: 7 * 86_400)
            (grant.email, grant.role, grant.name) = (person.email, person.role, person.displayName)
            grant.setCreator(call.caller, in: edit.community)
            return .link(token, for: edit.put(grant), call)
        }
        // Not before the link is good.
        call.town.send?(
            Mail(
                to: email, subject: "Your account",
                text: "You have been invited. Make your account here, within a week:\n\n\(call.town.link(for: token))\n"
            ))
        return response
    }

    private static func accept(_ call: Call) async throws -> Response {
        let given = try call.fields(.acceptance)
        let grant = try call.community.grant(given["token"] ?? "", for: .invitation, at: call.steadyNow)
        call.subject?.note(grant)
        let email = grant.email ?? ""
        let hash = try await call.newPassword(given["password"] ?? "", "password", of: email)
        let token = try Token(.session)
        return try await call.change(by: .local, keeping: .nothing) { edit in
            // Of two who use the link at once, one is first.
            let grant = try edit.community.grant(given["token"] ?? "", for: .invitation, at: call.steadyNow)
            let name = given["display_name"] ?? grant.name
            let person = try edit.create(Patch(email: email, displayName: name, role: grant.role ?? .generalUser))
            edit.setPassword(hash, of: person.id, at: call.steadyNow, revokingTokens: true)
            edit.deleteGrant(grant.id)
            call.subject?.note(person)
            return edit.openSession(for: person, token, call)
        }
    }

    private static func setUp(_ call: Call) async throws -> Response {
        let given = try call.fields(.setup)
        let accounts = call.town.accounts
        guard let token = Token(text: (given["token"] ?? "").utf8), accounts.isSetup(token) else {
            throw HTTPError.deadLink
        }
        let email = given["email"] ?? ""
        let hash = try await call.newPassword(given["password"] ?? "", "password", of: email)
        let session = try Token(.session)
        let response = try await call.change(by: .local, keeping: .nothing) { edit in
            guard edit.community.people.count == 0 else { throw HTTPError.deadLink }
            let person = try edit.create(Patch(email: email, displayName: given["display_name"], role: .superAdmin))
            edit.setPassword(hash, of: person.id, at: call.steadyNow, revokingTokens: true)
            call.subject?.note(person)
            return edit.openSession(for: person, session, call)
        }
        accounts.endSetup()
        return response
    }

    private static func reset(_ call: Call) async throws -> Response {
        let given = try call.fields(.passwordReset)
        let grant = try call.community.grant(given["token"] ?? "", for: .passwordReset, at: call.steadyNow)
        call.subject?.note(grant)
        guard let id = grant.person, let person = call.community.people[id] else { throw HTTPError.deadLink }
        let hash = try await call.newPassword(given["new_password"] ?? "", "new_password", of: person.email)
        let token = try Token(.session)
        return try await call.change(by: .person(id), keeping: .nothing) { edit in
            // Setting a password ends the link, and all others for it.
            _ = try edit.community.grant(given["token"] ?? "", for: .passwordReset, at: call.steadyNow)
            guard let person = edit.community.people[id] else { throw HTTPError.deadLink }
            edit.setPassword(hash, of: id, at: call.steadyNow, revokingTokens: !given.isSet("keep_tokens"))
            return edit.openSession(for: person, token, call)
        }
    }
}

extension Patch<Person> {
    /// The fields of a new account.
    fileprivate init(email: String, displayName: String?, role: Person.Role) {
        self.init()
        (values.email, values.displayName, values.role) = (email, displayName, role)
        fields = ["email", "display_name", "role"]
    }
}

extension Community {
    /// The grant behind the token of a one-time link.
    ///
    /// - Throws: 410 `dead_link` when there is none that is still good: it was used, has expired, or who made it is no
    ///   super admin any more.
    fileprivate func grant(_ text: String, for purpose: Grant.Purpose, at now: Timestamp) throws(HTTPError) -> Grant {
        guard let token = Token(text: text.utf8), let grant = self.grants[digest: token.digest.hex],
            grant.purpose == purpose, grant.expiresAt.map({ $0 > now }) ?? false,
            grant.createdBy.map({ self.people.role(of: $0) == .superAdmin }) ?? true, isAuthorized(grant, at: now)
        else { throw .deadLink }
        return grant
    }
}

extension HTTPError {
    /// 410 `dead_link`: a link that was used, has expired or never was.
    fileprivate static let deadLink = HTTPError(
        .gone, code: "dead_link", message: "this link was used already or is too old; ask for a new one")
}
