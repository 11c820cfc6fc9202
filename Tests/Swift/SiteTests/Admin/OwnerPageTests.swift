import Bytes
import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct OwnerPageTests {
    private let path = "/admin/businesses/anchor/owner"

    private func owner(_ town: SiteTown) -> Int? { town.store.current.town.businesses[Slug("anchor")]?.ownerID }

    private func link(in page: String) throws -> String {
        try #require(page.parts(between: "id=\"made\" readonly value=\"", and: "\"").first)
    }

    /// From the page of the place to its hours, in one form each.
    @Test func anOwnerIsInvitedToTheirPlace() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        #expect(try await town.page("/account/businesses/anchor", cookie: cookie).addresses.contains(path))
        let made = try await town.send(form: [("owner", "eve@town.example")], to: path, cookie: cookie)
        #expect(made.status == .ok && made.headers.all("Cache-Control") == ["no-store"])
        let link = try link(in: made.text)
        #expect(made.text.contains("data-copy=\"\(link)\"") && made.text.contains("data-share=\"\(link)\""))
        #expect(owner(town) == nil)
        let fields = [("code", link), ("password", "seven rain coats dry")]
        let accepted = try await town.send(form: fields, to: "/invitation")
        #expect(accepted.headers.first("Location") == "/account/businesses/anchor/hours")
        let eve = try #require(town.store.current.town.people[email: "eve@town.example"])
        #expect(owner(town) == eve.id && eve.role == .businessOwner)
        let hours = try await town.page("/account/businesses/anchor/hours", cookie: try await town.logIn(eve.id))
        #expect(hours.contains("Yes, all correct"))
        // Once it has an owner, nobody else is invited.
        let late = try await town.send(form: [("owner", "eva@town.example")], to: path, cookie: cookie)
        #expect(late.status == .unprocessableContent && late.text.contains("Save this empty first"))
    }

    /// Who has an account needs no invitation. Somebody who only sent events may change the place from now on.
    @Test func aPersonGetsTheRight() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        func send(_ before: String, _ text: String) async throws -> Response {
            try await town.send(form: [("was.owner", before), ("owner", text)], to: path, cookie: cookie)
        }
        let made = try await send("", "MIA@private.example")
        #expect(try link(in: made.text) == "https://town.example/account/businesses/anchor/hours")
        #expect(owner(town) == 1 && town.store.current.town.people[1]?.role == .businessOwner)
        _ = try await town.page("/account/businesses/anchor", cookie: try await town.logIn(1))
        #expect(try await send("", "olga@private.example").status == .conflict)
        #expect(try await send("mia@private.example", "").headers.first("Location") == path + "?done=saved")
        #expect(owner(town) == nil)
    }

    /// The place may have got another owner or name, or be gone, and the link with it.
    @Test(arguments: ["owned", "renamed", "merged", "deleted"])
    func thePlaceMayChangeMeanwhile(how: String) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let made = try await town.send(form: [("owner", "eve@town.example")], to: path, cookie: cookie)
        switch how {
        case "owned": try await town.write([(.business, #"{"slug":"anchor","owner_id":12}"#)])
        case "renamed":
            let fields = [("was.slug", "anchor"), ("slug", "anchor-pub")]
            _ = try await town.send(form: fields, to: "/admin/businesses/anchor", cookie: cookie)
        case "merged":
            _ = try await town.send(form: [("slug", "lantern")], to: "/admin/businesses/anchor/merge", cookie: cookie)
        default: _ = try await town.send(form: [("id", "2")], to: "/admin/businesses/anchor/delete", cookie: cookie)
        }
        let fields = [("code", try link(in: made.text)), ("password", "seven rain coats dry")]
        let accepted = try await town.send(form: fields, to: "/invitation")
        let places = ["owned": "/account", "renamed": "/account/businesses/anchor-pub/hours"]
        #expect(accepted.headers.first("Location") == places[how])
        guard how == "owned", let eve = town.store.current.town.people[email: "eve@town.example"] else { return }
        let account = try await town.page("/account", cookie: try await town.logIn(eve.id))
        #expect(account.contains("No place is yours yet."))
    }
}
