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

    /// Only administrators see the backups, on the page of their account.
    @Test(
        arguments: [
            (nil, nil, "There is no backup yet."), (20, nil, "The last backup was today, 4:11 pm."),
            (
                86_400, "the disk is <full>",
                "The backup of today, 4:11 pm, failed: the disk is &lt;full&gt;. The last backup was yesterday, 4:12 pm."
            ),
        ] as [(Int?, String?, String)])
    func saysWhenTheTownWasBackedUp(ago: Int?, failure: String?, words: String) async throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-23T16:12:00-08:00"))
        var last = LastBackup()
        last.at = ago.map { now.advanced(bySeconds: -$0) }
        last.failure = failure.map { (now.advanced(bySeconds: -30), $0) }
        let town = try await SiteTown(lastBackup: last)
        #expect(try await town.page("/account", cookie: town.logIn(13)).main.words.contains(words))
        #expect(try await !town.page("/account", cookie: town.logIn(12)).main.words.contains("backup"))
        let demo = try await SiteTown()
        #expect(try await !demo.page("/account", cookie: demo.logIn(13)).main.words.contains("backup"))
    }

    /// Administrators see the backup that a start has made before it wrote a newer format, until they delete it.
    @Test func namesTheBackupInTheFormatBefore() async throws {
        let town = try await SiteTown()
        let file = town.store.folder + "/before-format-4.json"
        try #require(FileManager.default.createFile(atPath: file, contents: nil))
        let words = "The file \(file) has the town as the earlier version of sooke left it"
        #expect(try await town.page("/account", cookie: town.logIn(13)).main.words.contains(words))
        #expect(try await !town.page("/account", cookie: town.logIn(12)).main.words.contains(file))
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
