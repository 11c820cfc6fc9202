import Bytes
import Foundation
import HTTP
import Service
import SookeModel
import Testing

@testable import Site

@Suite struct PeoplePageTests {
    private let password = "seven rain coats dry"

    private func link(in page: String) throws -> String {
        try #require(page.parts(between: "id=\"made\" readonly value=\"", and: "\"").first)
    }

    /// The link is in this response only; it makes the account.
    @Test func anInvitationWorks() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let fields = [("email", "eve@town.example"), ("display_name", "Eve"), ("role", "business_owner")]
        let made = try await town.send(form: fields, to: "/admin/people", cookie: cookie)
        #expect(made.status == .ok)
        #expect(made.headers.all("Cache-Control") == ["no-store"])
        #expect(
            made.text.main.words.contains("An invitation for eve@town.example An e-mail with the link is on its way."))
        // The form is ready for the next one.
        #expect(made.text.contains("name=\"email\" type=\"email\" value=\"\""))
        #expect(try await town.takeMails().map(\.to) == ["eve@town.example"])
        let link = try link(in: made.text)
        #expect(link.hasPrefix("https://town.example/invitation#sooke_inv_"))
        #expect(!(try await town.page("/admin/people", cookie: cookie)).contains("sooke_inv_"))
        let accepted = try await town.send(form: [("code", link), ("password", password)], to: "/invitation")
        #expect(accepted.status == .seeOther)
        let eve = try #require(town.store.current.town.people[email: "eve@town.example"])
        #expect(eve.role == .businessOwner && eve.displayName == "Eve")
    }

    @Test(arguments: ["olga@private.example", "no address", ""])
    func anInvitationNeedsANewAddress(email: String) async throws {
        let town = try await SiteTown()
        let refused = try await town.send(
            form: [("email", email), ("role", "general_user")], to: "/admin/people", cookie: try await town.logIn(13))
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("<a href=\"#email\">"))
        #expect(refused.text.contains("<option value=\"general_user\" selected>"))
        #expect(town.mailCount == 0)
    }

    @Test func anAccountIsChanged() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let page = try await town.page("/admin/people/12", cookie: cookie)
        #expect(page.rows == ["Zed's"])
        let fields = [
            ("display_name", "Olga S."), ("was.display_name", "Olga"), ("email", "olga@private.example"),
            ("was.email", "olga@private.example"), ("role", "super_admin"), ("was.role", "business_owner"),
        ]
        let done = try await town.send(form: fields, to: "/admin/people/12", cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/people/12?done=kept")
        let olga = try #require(town.store.current.town.people[12])
        #expect(olga.displayName == "Olga S." && olga.role == .superAdmin && olga.email == "olga@private.example")
        for (role, status) in [("king", Status.unprocessableContent), ("general_user", .seeOther)] {
            let response = try await town.send(
                form: [("role", role), ("was.role", "super_admin")], to: "/admin/people/12", cookie: cookie)
            #expect(response.status == status)
        }
        #expect(try await town.send(.get, "/admin/people/99", [("Cookie", cookie)]).status == .notFound)
    }

    @Test func aLinkSetsANewPassword() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let made = try await town.send(form: [], to: "/admin/people/12/password", cookie: cookie)
        #expect(made.status == .ok)
        #expect(made.headers.all("Cache-Control") == ["no-store"])
        #expect(made.text.contains("<section class=\"card\" role=\"status\" tabindex=\"-1\" autofocus>"))
        let link = try link(in: made.text)
        #expect(link.hasPrefix("https://town.example/password-reset#"))
        let reset = try await town.send(form: [("code", link), ("new_password", password)], to: "/password-reset")
        #expect(reset.status == .seeOther)
        #expect(!(try await town.page("/admin/people/12", cookie: cookie)).contains("sooke_"))
    }

    @Test func anAccountIsRemoved() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let path = "/admin/people/12/delete"
        let account = try await town.page("/admin/people/12", cookie: cookie).main
        #expect(account.addresses.contains(path) && !account.contains("action=\"\(path)\""))
        let asked = try await town.page(path, cookie: cookie).main
        #expect(asked.contains("<h1 dir=\"auto\">Remove Olga?</h1>") && asked.contains("1 place will have no owner."))
        #expect(asked.addresses.contains("/admin/people/12") && town.store.current.town.people[12] != nil)
        let done = try await town.send(form: [], to: path, cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/people?done=removed")
        #expect(town.store.current.town.people[12] == nil)
        #expect(town.store.current.town.businesses[1]?.ownerID == nil)
    }
}
