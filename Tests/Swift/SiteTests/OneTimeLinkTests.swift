import Bytes
import HTTP
import SookeModel
import TestSupport
import Testing

@testable import Site

@Suite struct OneTimeLinkTests {
    private let password = "seven rain coats dry"

    private func code(of link: String) throws -> String {
        try #require(link.split(separator: "#").last.map(String.init))
    }

    @Test func theFirstAccountIsMadeOnce() async throws {
        let town = try await SiteTown([])
        let link = try town.service.makeSetupLink()
        #expect(link.hasPrefix("https://town.example/setup#sooke_set_"))
        let fields = [("code", link), ("email", "ada@town.example"), ("password", password)]
        let short = try await town.send(form: fields.dropLast() + [("password", "tooshort")], to: "/setup")
        #expect(short.status == .unprocessableContent)
        #expect(short.text.contains("value=\"ada@town.example\""))
        #expect(!short.text.contains("tooshort"))
        let done = try await town.send(form: fields, to: "/setup")
        #expect(done.status == .seeOther)
        #expect(done.headers.first("Set-Cookie") != nil)
        #expect(town.store.current.town.people[email: "ada@town.example"]?.role == .superAdmin)
        #expect(try await town.send(form: fields, to: "/setup").status == .gone)
    }

    @Test func aPlaceIsConfirmedByItsLink() async throws {
        let town = try await SiteTown()
        let link = try await town.confirmationLink(of: "zeds")
        let fields = [("code", try code(of: link))]
        // Opening it is not enough.
        _ = try await town.page("/confirmation")
        let before = town.store.current.town.businesses[Slug("zeds")]?.confirmedAt
        let done = try await town.send(form: fields, to: "/confirmation")
        #expect(done.headers.first("Location") == "/businesses/zeds")
        #expect(town.store.current.town.businesses[Slug("zeds")]?.confirmedAt != before)
        let again = try await town.send(form: fields, to: "/confirmation")
        #expect(again.status == .gone)
        #expect(again.text.contains("This link was used already or is too old; ask for a new one."))
    }
}
