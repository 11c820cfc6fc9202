import Bytes
import HTTP
import Platform
import SookeModel
import TestSupport
import Testing

@testable import Site

/// What people without an account send, and those who decide on it. 12 is Olga, who owns Zed's; 13 is Ada.
@Suite struct WaitingPageTests {
    private static let event = [
        ("name", "Canary Party"), ("day", "2026-12-04"), ("from", "8 pm"), ("place", "zeds"), ("type", "live-music"),
        ("about", "canary words"), ("email", "canary@home.example"), ("message", "canary message"),
    ]

    private func send(
        _ fields: [(String, String)], to path: String, in town: SiteTown, from peer: Peer = SiteTown.visitor
    ) async throws -> Response {
        var form = try FormOnPage(try await town.page(path))
        for (name, value) in fields { form[name] = value }
        town.clock.advance(bySeconds: 5)
        return try await town.send(form: form.fields, to: path, from: peer)
    }

    @Test func anEventOfAVisitor() async throws {
        let town = try await SiteTown()
        let sent = try await send(Self.event, to: "/new-event", in: town)
        #expect(sent.headers.first("Location")?.hasPrefix("/reference/sooke_ref_") == true)
        // Nobody sees it but those who decide.
        for path in [
            "/", "/events", "/events?business=zeds", "/businesses/zeds", "/api/v1/events", "/api/v1/changes",
            "/sitemap.xml",
        ] {
            #expect(!(try await town.send(.get, path).text.lowercased().contains("canary")))
        }
        #expect(!(try await town.page("/account", cookie: try await town.logIn(1)).lowercased().contains("canary")))
        let olga = try await town.logIn(12)
        let page = try await town.page("/account/waiting", cookie: olga)
        for text in ["2 to review", "Canary Party", "canary message", "canary@home.example"] {
            #expect(page.contains(text))
        }
        #expect(try await town.page("/", cookie: olga).contains("Waiting<b>2</b>"))
        // Edited and published.
        var form = try FormOnPage(try await town.page("/account/waiting/1", cookie: olga))
        #expect(form["from"] == "8 pm")
        form["name"] = "Party"
        let done = try await town.send(form: form.fields, to: "/account/waiting/1", cookie: olga)
        #expect(done.headers.first("Location") == "/events/party")
        #expect(try await town.page("/events/party").contains("canary words"))
        let after = try await town.page("/account/waiting", cookie: olga)
        #expect(!after.contains("canary"))
        #expect(try await town.send(form: form.fields, to: "/account/waiting/1", cookie: olga).status == .conflict)
    }

    @Test func onlyWhatWasReadIsPublished() async throws {
        let town = try await SiteTown()
        let olga = try await town.logIn(12)
        let page = try await town.page("/account/waiting", cookie: olga)
        let version = try #require(page.parts(between: "name=\"version\" value=\"", and: "\"").first)
        try await town.write([(.event, #"{"slug":"waiting-quiz","name":"Another Quiz"}"#)])
        let path = "/account/waiting/events/waiting-quiz/approve"
        let stale = try await town.send(form: [("version", version)], to: path, cookie: olga)
        #expect(stale.status == .preconditionFailed)
        #expect(town.store.current.town.events[Slug("waiting-quiz")]?.value.status == .pendingReview)
        let again = try await town.page("/account/waiting", cookie: olga)
        let newer = try #require(again.parts(between: "name=\"version\" value=\"", and: "\"").first)
        #expect(try await town.send(form: [("version", newer)], to: path, cookie: olga).status == .seeOther)
        #expect(town.store.current.town.events[Slug("waiting-quiz")]?.value.status == .approved)
    }

    @Test func aReportAndOneTap() async throws {
        let town = try await SiteTown()
        let fields = [("day", "wed"), ("sign", "closed"), ("message", "A locked door.")]
        let sent = try await send(fields, to: "/businesses/zeds/report", in: town)
        #expect(sent.headers.first("Location")?.hasPrefix("/reference/sooke_ref_") == true)
        let olga = try await town.logIn(12)
        let page = try await town.page("/account/waiting", cookie: olga)
        #expect(page.contains("<dt>Wednesday</dt><dd dir=\"auto\"><del>nothing</del> <ins>closed</ins></dd>"))
        let form = try #require(page.parts(between: "action=\"/account/waiting/1/accept\"", and: "</form>").first)
        let names = form.parts(between: "name=\"", and: "\"")
        let values = form.parts(between: "value=\"", and: "\"")
        let done = try await town.send(form: Array(zip(names, values)), to: "/account/waiting/1/accept", cookie: olga)
        #expect(done.status == .seeOther)
        let rows = try #require(town.store.current.town.businesses[Slug("zeds")]).value.hours
        #expect(rows.filter { $0.dayOfWeek == 3 }.map(\.isClosed) == [true])
    }

    /// What an editor rejects as spam comes no more: its host, however it is written.
    @Test func linksAreBlocked() async throws {
        let town = try await SiteTown()
        let spam = Self.event + [("url", "https://WWW.Spam.example/offers?1")]
        #expect(try await send(spam, to: "/new-event", in: town).status == .seeOther)
        let path = "/account/waiting/1/reject"
        let (ada, olga) = (try await town.logIn(13), try await town.logIn(12))
        let forOwner = try await town.page("/account/waiting", cookie: olga)
        #expect(!forOwner.contains("name=\"block\""), "an owner is no editor")
        let form = try await town.page("/account/waiting", cookie: ada).parts(between: path, and: "</form>").first
        let offered = form?.parts(between: "<option value=\"", and: "\"")
        #expect(offered == ["", "spam.example", "spam.example/offers"])
        let other = try await town.send(form: [("block", "town.example")], to: path, cookie: ada)
        #expect(other.status == .unprocessableContent)
        let done = try await town.send(form: [("block", "spam.example")], to: path, cookie: ada)
        #expect(done.status == .seeOther && town.store.current.town.settings.blockedLinks == ["spam.example"])
        let texts = [
            ("url", "http://spam.example"), ("about", "Look:\nshop.SPAM.example!"), ("message", "www.spam.example"),
        ]
        for text in texts {
            let refused = try await send(Self.event + [text], to: "/new-event", in: town)
            #expect(refused.status == .unprocessableContent && refused.text.contains("Canary Party"))
            #expect(refused.text.contains("We do not accept links to spam.example; take it out, and send it again."))
        }
        let report = try await send([("message", "See spam.example")], to: "/businesses/zeds/report", in: town)
        #expect(report.status == .unprocessableContent)
        let ham = Self.event + [("url", "https://ham.example")]
        #expect(try await send(ham, to: "/new-event", in: town).status == .seeOther)
        // An administrator sees the list and takes it out.
        var settings = try FormOnPage(try await town.page("/admin/town", cookie: ada))
        #expect(settings["blocked_links"] == "spam.example")
        settings["blocked_links"] = "https://www.Other.example/x/"
        #expect(try await town.send(form: settings.fields, to: "/admin/town", cookie: ada).status == .seeOther)
        #expect(town.store.current.town.settings.blockedLinks == ["other.example/x"])
        #expect(try await send(spam, to: "/new-event", in: town).status == .seeOther)
        #expect(!(try await town.send(.get, "/api/v1/changes").text.contains("other.example")))
    }

    @Test func programsMakeNothing() async throws {
        let town = try await SiteTown()
        let before = town.store.current.sequence
        let trapped = try await send(Self.event + [("homepage", "https://spam.example")], to: "/new-event", in: town)
        #expect(trapped.status == .seeOther)
        var form = try FormOnPage(try await town.page("/new-event"))
        for (name, value) in Self.event { form[name] = value }
        let quick = try await town.send(form: form.fields, to: "/new-event")
        #expect(quick.status == .unprocessableContent)
        #expect(quick.text.contains("Please check it, and press Send again."))
        form["stamp"] = "1." + String(repeating: "0", count: 24)
        #expect(try await town.send(form: form.fields, to: "/new-event").status == .unprocessableContent)
        #expect(town.store.current.sequence == before)
        // Sent once more, as the page says, it goes.
        town.clock.advance(bySeconds: 5)
        let again = try FormOnPage(quick.text)
        town.clock.advance(bySeconds: 5)
        #expect(try await town.send(form: again.fields, to: "/new-event").status == .seeOther)
    }
}
