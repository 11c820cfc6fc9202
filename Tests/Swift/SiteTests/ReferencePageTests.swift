import Bytes
import HTTP
import Service
import SookeModel
import TestSupport
import Testing

@testable import Site

/// What the sender of an event or a report sees of it by their private link. 12 is Olga, who owns Zed's; 13 is Ada.
@Suite struct ReferencePageTests {
    private static let event = [
        ("name", "Canary Party"), ("day", "2026-12-04"), ("from", "8 pm"), ("place", "zeds"), ("type", "live-music"),
        ("about", "canary words"), ("email", "canary@home.example"), ("message", "canary message"),
    ]

    private func send(_ fields: [(String, String)], to path: String, in town: SiteTown) async throws -> Response {
        var form = try FormOnPage(try await town.page(path))
        for (name, value) in fields { form[name] = value }
        town.clock.advance(bySeconds: 5)
        return try await town.send(form: form.fields, to: path)
    }

    /// Sends a form, and returns the address of its reference.
    private func sent(
        _ fields: [(String, String)] = event, to path: String = "/new-event", in town: SiteTown
    ) async throws -> String {
        let response = try await send(fields, to: path, in: town)
        let location = try #require(response.headers.first("Location"), "\(response.text.main.words)")
        #expect(location.hasPrefix("/reference/sooke_ref_") && location.hasSuffix("?done=sent"))
        return String(location.prefix { $0 != "?" })
    }

    /// Decides by the first form on the page of what waits.
    private func decide(_ action: String, _ more: [(String, String)] = [], in town: SiteTown) async throws {
        let cookie = try await town.logIn(13)
        let page = try await town.page("/account/waiting", cookie: cookie)
        let form = try #require(page.parts(between: "action=\"\(action)\"", and: "</form>").first)
        let fields = zip(form.parts(between: "name=\"", and: "\""), form.parts(between: "value=\"", and: "\""))
        let done = try await town.send(form: Array(fields) + more, to: action, cookie: cookie)
        #expect(done.status == .seeOther, "\(done.text.main.words)")
    }

    @Test func theSenderSeesItAndNobodyElse() async throws {
        let town = try await SiteTown()
        let path = try await sent(in: town)
        let response = try await town.send(.get, path + "?done=sent")
        let page = response.text
        for text in [
            "Reference 1", "Thank you.", "Waiting: we check every event", "Canary Party", "canary message",
            "until 23 December", "value=\"https://town.example\(path)\"",
        ] { #expect(page.contains(text), "\(text)") }
        #expect(!page.contains("canary@home.example"))
        #expect(page.contains("<meta name=\"robots\" content=\"noindex\">"))
        #expect(response.headers.all("Cache-Control") == ["no-store"])
        #expect(response.headers.all("Referrer-Policy") == ["no-referrer"])
        #expect(try await town.send(.get, path + "/correction").headers.first("Referrer-Policy") == "no-referrer")
        for other in ["/", "/events", "/sitemap.xml", "/robots.txt", "/api/v1/changes", "/api/v1/events"] {
            let text = try await town.send(.get, other).text
            #expect(!text.contains("sooke_ref") && !text.lowercased().contains("canary"), "\(other)")
        }
    }

    /// After enough decisions the page says how long they take.
    @Test func howLongItUsuallyTakes() async throws {
        let town = try await SiteTown()
        let path = try await sent(in: town)
        #expect(!(try await town.page(path).contains("usually within")))
        let now = town.clock.now
        _ = try await town.store.write(by: .local) { transaction in
            for _ in 1...30 {
                var proposal = Proposal()
                (proposal.state, proposal.sentAt) = (.accepted, now)
                proposal.decidedAt = now.advanced(bySeconds: 100_000)
                transaction.put(proposal, at: now)
            }
        }
        #expect(try await town.page(path).contains("before it is published, usually within 2 days</strong>"))
    }

    /// A link that has ended answers as one that never was, in words.
    @Test func aLinkThatIsNoneSaysSo() async throws {
        let town = try await SiteTown()
        let path = try await sent(in: town)
        let other = "/reference/" + (try Token(.reference)).reveal()
        town.clock.advance(bySeconds: 31 * 86_400)
        for path in [path, other, "/reference/1", "/reference/sooke_cnf_x", path + "/correction"] {
            let response = try await town.send(.get, path)
            #expect(response.status == .notFound, "\(path)")
            #expect(response.text.contains("This reference has ended"), "\(path)")
            #expect(!response.text.lowercased().contains("canary"))
        }
        #expect(try await town.send(form: [("a", "b")], to: path + "/withdrawal").status == .notFound)
        let typed = try await town.send(form: [("name", "Canary")], to: path + "/correction")
        #expect(typed.status == .notFound && typed.text.contains("What you wrote"))
    }

    @Test func anEventIsCorrectedBeforeAndAfterTheDecision() async throws {
        let town = try await SiteTown()
        let path = try await sent(in: town)
        let shown = try FormOnPage(try await town.page(path + "/correction"))
        #expect(shown["name"] == "Canary Party" && shown["message"] == "canary message" && shown["email"] == nil)
        let early = try await town.send(form: shown.fields, to: path + "/correction")
        #expect(early.status == .unprocessableContent)
        let corrected = try await send([("name", "Canary Ball"), ("from", "9 pm")], to: path + "/correction", in: town)
        #expect(corrected.headers.first("Location") == path + "?done=sent")
        #expect(try await town.page(path).contains("Canary Ball"))
        #expect(town.store.current.town.proposals.count == 1)
        try await decide("/account/waiting/1/accept", in: town)
        #expect(try await town.page("/events/canary-ball").contains("9\u{A0}pm"))
        let published = try await town.page(path)
        #expect(published.contains("Published") && published.contains("href=\"/events/canary-ball\""))
        #expect(!published.contains("canary message") && !published.contains("withdrawal"))

        let late = try await send([("from", "10 pm")], to: path + "/correction", in: town)
        #expect(late.headers.first("Location") == path + "?done=sent")
        let waiting = try await town.page(path)
        #expect(waiting.contains("Reference 2") && waiting.words.contains("9 pm 10 pm"))
        #expect(try await town.page("/events/canary-ball").contains("9\u{A0}pm"))
        let editor = try await town.page("/account/waiting", cookie: try await town.logIn(13))
        #expect(editor.words.contains("Correction of Canary Ball , from a visitor"))
        #expect(editor.words.contains("9 pm 10 pm Make this change"))
        try await decide("/account/waiting/2/accept", in: town)
        #expect(try await town.page("/events/canary-ball").contains("10\u{A0}pm"))
        #expect(try await town.page(path).contains("Published"))
    }

    /// Nothing typed is lost when it is decided meanwhile, or nothing is changed.
    @Test func aCorrectionThatCannotBe() async throws {
        let town = try await SiteTown()
        let path = try await sent(in: town)
        let form = try FormOnPage(try await town.page(path + "/correction"))
        try await decide("/account/waiting/1/reject", [("reason", "Too far away.")], in: town)
        let late = try await town.send(form: form.fields, to: path + "/correction")
        #expect(late.status == .conflict && late.text.contains("What you wrote"))
        let page = try await town.page(path)
        for text in ["Not published", "“Too far away.”", "Send another event"] { #expect(page.contains(text)) }
        let other = try await sent(in: town)
        try await decide("/account/waiting/2/accept", in: town)
        let same = try await send([], to: other + "/correction", in: town)
        #expect(same.status == .unprocessableContent && same.text.contains("must not be empty without a change"))
    }

    @Test func theSenderWithdraws() async throws {
        let town = try await SiteTown()
        let path = try await sent(in: town)
        for _ in 1...2 {
            let done = try await town.send(form: [("a", "b")], to: path + "/withdrawal")
            #expect(done.headers.first("Location") == path)
        }
        let page = try await town.page(path)
        #expect(page.contains("Withdrawn") && !page.lowercased().contains("canary"))
        #expect(town.store.current.town.proposals.openCount == 0)
    }

    /// A form that is sent twice, or once more with the button of the browser, makes one proposal.
    @Test func twiceIsAsOnce() async throws {
        let town = try await SiteTown()
        var form = try FormOnPage(try await town.page("/new-event"))
        for (name, value) in Self.event { form[name] = value }
        town.clock.advance(bySeconds: 5)
        let first = try await town.send(form: form.fields, to: "/new-event")
        let second = try await town.send(form: form.fields, to: "/new-event")
        #expect(second.headers.first("Location") == first.headers.first("Location"))
        #expect(town.store.current.town.proposals.count == 1)
        try await decide("/account/waiting/1/accept", in: town)
        let again = try await town.send(form: form.fields, to: "/new-event")
        #expect(again.status == .unprocessableContent && again.text.contains("You have sent this before."))
        town.clock.advance(bySeconds: 5)
        let next = try await town.send(form: try FormOnPage(again.text).fields, to: "/new-event")
        #expect(next.status == .seeOther && next.headers.first("Location") != first.headers.first("Location"))
    }

    @Test(arguments: [
        ("wed", "closed", "Wednesday nothing closed"), ("phone", "250-555-0199", "Phone 250-555-0101 250-555-0199"),
        ("moved", "9 Otter Point", "Street and number 1 Wharf Road 9 Otter Point"), ("moved", "", "It has moved"),
        ("closed", "", "Closed for good"), ("removal", "", "Please take this off"),
    ])
    func aReportSaysWhatIsWrong(what: String, right: String, shown: String) async throws {
        let town = try await SiteTown()
        let path = try await sent([("day", what), ("sign", right)], to: "/businesses/zeds/report", in: town)
        #expect(try await town.page("/account/waiting", cookie: town.logIn(12)).words.contains(shown))
        let form = try FormOnPage(try await town.page(path + "/correction"))
        #expect(form["day"] == what && form["sign"] == right && form["email"] == nil)
        let corrected = try await send([("message", "By the ferry.")], to: path + "/correction", in: town)
        #expect(corrected.status == .seeOther)
        #expect(try await town.page(path).words.contains("By the ferry."))
        try await decide("/account/waiting/1/accept", in: town)
        let page = try await town.page(path)
        #expect(page.contains("Done") && page.contains("href=\"/businesses/zeds/report\""))
    }

    @Test func anEditorFindsItByItsNumber() async throws {
        let town = try await SiteTown()
        let path = try await sent(in: town)
        let cookie = try await town.logIn(13)
        func page(_ number: String) async throws -> String {
            try await town.page("/account/waiting?reference=\(number)", cookie: cookie)
        }
        #expect(try await page("1").contains("Canary Party"))
        for number in ["2", "0", "-1", "x%3Cb%3E", "99999999999999999999"] {
            #expect(try await page(number).contains("We could not find it here."))
        }
        try await decide("/account/waiting/1/reject", [("reason", "Too far away.")], in: town)
        #expect(try await page("1").contains("Too far away."))
        // Only who decides.
        let mia = try await town.page("/account/waiting?reference=1", cookie: town.logIn(1))
        #expect(mia.contains("We could not find it here."))
        #expect(!path.isEmpty)
    }

    /// Who is refused is told whom to write to, and keeps what they typed.
    @Test func whoIsRefusedReadsWhy() async throws {
        let town = try await SiteTown()
        try await town.write([(.settings, #"{"id":1,"contact_email":"desk@town.example"}"#)])
        for _ in 1...20 { _ = try await sent(in: town) }
        let refused = try await send(Self.event, to: "/new-event", in: town)
        #expect(refused.status == .tooManyRequests && refused.text.contains("value=\"Canary Party\""))
        #expect(refused.text.contains("20 events and reports from your network are waiting for us"))
        #expect(refused.text.contains("write to desk@town.example"))
    }
}
