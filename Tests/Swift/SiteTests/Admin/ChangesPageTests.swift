import Bytes
import HTTP
import SookeModel
import Store
import Testing

@testable import Site

/// What changed, what was deleted, and how it is undone and removed for good.
@Suite struct ChangesPageTests {
    /// By day and person, each with its fields before and after.
    @Test func whatChangedIsListed() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let olga = try await town.logIn(12)
        _ = try await town.send(
            form: [("was.phone", "250-555-0101"), ("phone", "250-555-0199")], to: "/account/businesses/zeds",
            cookie: olga)
        for path in ["/admin/changes", "/account/businesses/zeds/changes"] {
            let page = try await town.page(path, cookie: cookie).main
            #expect(page.contains("<dt>Phone</dt>") && page.contains("<ins>250-555-0199</ins>"), "\(path)")
            #expect(page.addresses.contains { $0.hasPrefix("/undo/") }, "\(path)")
        }
        let own = try await town.page("/account/businesses/zeds/changes", cookie: olga)
        #expect(own.contains("<ins>250-555-0199</ins>"))
        for path in ["/admin/changes", "/admin/trash", "/account/businesses/anchor/changes"] {
            #expect(try await town.send(.get, path, [("Cookie", olga)]).status == .forbidden, "\(path)")
        }
    }

    /// It asks which value is right, and does as it is told.
    @Test func whatWasChangedSinceIsAskedAbout() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        func change(_ before: String, _ after: String) async throws {
            _ = try await town.send(
                form: [("was.phone", before), ("phone", after)], to: "/account/businesses/zeds", cookie: cookie)
        }
        let before = try #require(town.store.current.town.businesses[1]?.value.phone)
        try await change(before, "1")
        let undo = try await town.undoOffered(at: "/account/businesses/zeds?done=saved", cookie: cookie)
        try await change("1", "2")
        let asked = try await town.send(form: [], to: undo, cookie: cookie)
        #expect(asked.status == .conflict && asked.text.contains("name=\"choice.business/1.phone\""))
        let done = try await town.send(
            form: [("choice.business/1.phone", "before")], to: undo, cookie: cookie)
        #expect(done.headers.first("Location") == "/account/businesses/zeds?done=undone")
        #expect(town.store.current.town.businesses[1]?.value.phone == before)
    }

    /// What was sent comes back to who decides, but for the address of the stranger.
    @Test func aRejectionIsUndoneWithoutTheAddress() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let now = town.clock.now
        let id = try await town.store.write(by: .local) { transaction in
            var proposal = Proposal()
            (proposal.about, proposal.business, proposal.network) = (.business, 1, "n")
            (proposal.text, proposal.email, proposal.sentAt) = ("Closed on Mondays.", "ann@stranger.example", now)
            return transaction.put(proposal, at: now).id
        }.result
        _ = try await town.send(form: [("reason", "no")], to: "/account/waiting/\(id)/reject", cookie: cookie)
        #expect(town.store.current.town.proposals[id]?.text == nil)
        let undo = try await town.undoOffered(at: "/account/waiting?done=rejected", cookie: cookie)
        let done = try await town.send(form: [], to: undo, cookie: cookie)
        #expect(done.headers.first("Location") == "/account/waiting?done=undone")
        let proposal = try #require(town.store.current.town.proposals[id])
        #expect(proposal.isOpen && proposal.text == "Closed on Mondays." && proposal.email == nil)
    }

    /// An account comes back without what opens it.
    @Test func anAccountIsRestored() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        try await town.setPassword("correct horse", of: 12)
        _ = try await town.send(form: [], to: "/admin/people/12/delete", cookie: cookie)
        #expect(town.store.current.town.businesses[1]?.value.ownerID == nil)
        let page = try await town.page("/admin/trash", cookie: cookie)
        #expect(page.contains("olga@private.example"))
        let undo = try #require(page.main.addresses.first { $0.hasPrefix("/undo/") })
        let done = try await town.send(form: [], to: undo, cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/people/12?done=account")
        #expect(town.store.current.town.businesses[1]?.value.ownerID == 12)
        #expect(town.store.current.town.passwords[12] == nil)
        _ = try await town.page("/admin/people/12?done=account", cookie: cookie)
    }

    /// Nothing of it is on a page, in the history or in the trash; nobody can restore it.
    @Test func whatIsRemovedForGoodIsNowhere() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        _ = try await town.send(form: [("id", "1")], to: "/admin/businesses/zeds/delete", cookie: cookie)
        let undo = try await town.undoOffered(at: "/admin/trash", cookie: cookie)
        let wrong = try await town.send(form: [("name", "Zeds")], to: "/admin/trash/business/1", cookie: cookie)
        #expect(wrong.status == .unprocessableContent)
        #expect(wrong.text.contains("must be what it was called: Zed&#39;s"))
        let done = try await town.send(form: [("name", "Zed's")], to: "/admin/trash/business/1", cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/trash?done=removed")
        for path in ["/admin/changes", "/admin/trash", "/account/events/trivia/changes"] {
            let page = try await town.page(path, cookie: cookie).main
            #expect(!page.contains("zeds") && !page.contains("Zed"), "\(path)")
        }
        #expect(try await town.send(form: [], to: undo, cookie: cookie).status == .notFound)
        #expect(town.store.current.town.businesses[1] == nil)
        let history = try await town.send(.get, "/api/v1/history?of=businesses/1", [("Cookie", cookie)])
        #expect(history.status == .notFound)
    }

    @Test func whatIsStoredOfAPersonIsAFile() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let own = try await town.page("/account/data", cookie: cookie)
        #expect(own.contains("olga@private.example") && own.contains("\"slug\":\"zeds\""))
        #expect(own.contains("\"purpose\":\"session\"") && !own.contains("digest"))
        #expect(try await town.send(.get, "/admin/people/13/data", [("Cookie", cookie)]).status == .forbidden)
        let admin = try await town.logIn(13)
        #expect(try await town.page("/admin/people/12/data", cookie: admin).contains("olga@private.example"))
    }
}
