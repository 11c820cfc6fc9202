import Foundation
import HTTP
import SookeModel
import TestSupport
import Testing

@testable import Site

/// What is the same for all pages of administrators.
@Suite struct AdminPagesTests {
    private static let editor: (RecordKind, String) = (
        .person, #"{"id":14,"email":"edda@private.example","display_name":"Edda","role":"editor"}"#
    )

    /// Whether a page is for editors too.
    private func isForEditors(_ path: String) -> Bool {
        !path.hasSuffix("/owner")
            && [
                "businesses", "deleted-businesses", "categories", "event-types", "events", "import", "new-notice",
                "notices", "calendars",
            ].contains { path.hasPrefix("/admin/\($0)") }
    }

    /// The pages, as they are opened.
    static let pages = [
        "/admin", "/admin/start", "/admin/town", "/admin/businesses", "/admin/businesses/new", "/admin/businesses/zeds",
        "/admin/businesses/zeds/merge", "/admin/businesses/zeds/owner", "/admin/events", "/admin/categories",
        "/admin/categories/bars", "/admin/event-types/sports", "/admin/new-notice",
        "/admin/calendars", "/admin/calendars/new",
        "/admin/people", "/admin/people/12", "/admin/people/12/password", "/admin/people/12/sessions",
        "/admin/people/12/delete",
    ]

    @Test(arguments: pages)
    func onlyThoseWhoKeepTheTownSeeThem(path: String) async throws {
        let town = try await SiteTown(SiteTown.records + [Self.editor])
        let stranger = try await town.send(.get, path)
        #expect(stranger.status == .seeOther)
        #expect(stranger.headers.first("Location") == "/login?then=\(path)")
        for person in [1, 12] {
            let response = try await town.send(.get, path, [("Cookie", try await town.logIn(person))])
            #expect(response.status == .forbidden, "\(person)")
        }
        let edda = try await town.send(.get, path, [("Cookie", try await town.logIn(14))])
        #expect(edda.status == (isForEditors(path) ? .ok : .forbidden))
        let response = try await town.send(.get, path, [("Cookie", try await town.logIn(13))])
        #expect(response.status == .ok)
        #expect(response.headers.all("Cache-Control") == ["no-store"])
    }

    /// Of every address, also those that only take forms.
    @Test func onlyThoseWhoKeepTheTownChangeAnything() async throws {
        let town = try await SiteTown(SiteTown.records + [Self.editor])
        let paths = town.pages.endpoints.filter { $0.method == .post && $0.pattern.hasPrefix("/admin/") }.map(\.pattern)
        #expect(paths.count == 31)
        let (mia, olga, edda) = (try await town.logIn(1), try await town.logIn(12), try await town.logIn(14))
        let before = town.store.current.sequence
        for path in paths {
            let terms = path.contains("categories") ? "bars" : path.contains("event-types") ? "sports" : "zeds"
            let target = path.replacing("{slug}", with: terms).replacing("{id}", with: "12")
            let fields = [("id", "1"), ("delete", "yes"), ("starter", "yes"), ("name", "x"), ("was.name", "y")]
            #expect(try await town.send(form: fields, to: target).status == .unauthorized, "\(path)")
            #expect(try await town.send(form: fields, to: target, cookie: mia).status == .forbidden, "\(path)")
            #expect(try await town.send(form: fields, to: target, cookie: olga).status == .forbidden, "\(path)")
            if isForEditors(path) { continue }
            #expect(try await town.send(form: fields, to: target, cookie: edda).status == .forbidden, "\(path)")
        }
        #expect(town.store.current.sequence == before)
    }

    /// Editors do all of it but what concerns people: they see no owner, and give none.
    @Test func editorsKeepTheDirectory() async throws {
        let town = try await SiteTown(SiteTown.records + [Self.editor])
        let cookie = try await town.logIn(14)
        let account = try await town.page("/account", cookie: cookie)
        let kept = [
            "/admin/businesses", "/admin/events", "/admin/categories", "/admin/calendars", "/admin/import",
            "/admin/changes",
        ]
        #expect(account.addresses.filter { $0.hasPrefix("/admin/") } == kept)
        let page = try await town.page("/admin/businesses/zeds", cookie: cookie)
        #expect(!page.contains("olga@") && !page.contains("name=\"owner\""))
        let fields = [
            ("was.owner", "olga@private.example"), ("owner", "edda@private.example"), ("was.slug", "zeds"),
            ("slug", "zed-s"),
        ]
        #expect(try await town.send(form: fields, to: "/admin/businesses/zeds", cookie: cookie).status == .seeOther)
        #expect(town.store.current.town.businesses[Slug("zed-s")]?.ownerID == 12)
        let made = [("key", "12345678"), ("name", "Dock"), ("address", "1"), ("category", "bars")]
        #expect(try await town.send(form: made, to: "/admin/businesses/new", cookie: cookie).status == .seeOther)
        let joined = try await town.send(form: [("slug", "dock")], to: "/admin/businesses/zed-s/merge", cookie: cookie)
        #expect(joined.headers.first("Location") == "/account/businesses/dock?done=joined")
        #expect(town.store.current.town.businesses[Slug("dock")]?.ownerID == nil)
        let undo = try await town.undoOffered(at: "/account/businesses/dock?done=joined", cookie: cookie)
        let back = try await town.send(form: [], to: undo, cookie: cookie)
        #expect(back.headers.first("Location") == "/account/businesses/zed-s?done=undone")
        let added = try await town.send(
            form: [("category", "Boats"), ("key", "87654321")], to: "/admin/categories", cookie: cookie)
        #expect(added.status == .seeOther)
    }

    @Test(arguments: HostileTexts.rounds)
    func textsStayTexts(round: Int) async throws {
        let town = try await Self.town { HostileTexts.text(of: $0, in: round) }
        let (cookie, models) = (try await town.logIn(13), try await Self.models.value)
        for (path, model) in models {
            let page = Markup(try await town.page(path, cookie: cookie))
            #expect(page.problems == [] && page.unsafeAddresses == [], "\(path)")
            // What is similar to a text depends on it.
            if path.hasSuffix("/merge") { continue }
            #expect(page.structure.sorted() == model, "\(path)")
        }
        // What somebody typed stands in the form again.
        for path in [
            "/admin/businesses/new", "/admin/people", "/admin/categories", "/admin/town",
            "/admin/businesses/zeds/merge",
        ] {
            let names = [
                "name", "category", "email", "display_name", "tagline", "time_zone", "center", "location", "slug",
                "into", "key",
            ]
            let fields =
                names.enumerated().map { ($1, HostileTexts.text(of: $0, in: round)) }
                + names.map { ("was." + $0, "other") }
            let page = Markup(try await town.send(form: fields, to: path, cookie: cookie).text)
            #expect(page.problems == [] && page.unsafeAddresses == [], "\(path)")
        }
    }

    /// The structure of the pages with texts that are none of these.
    private static let models = Task {
        let town = try await AdminPagesTests.town { _ in "plain" }
        let cookie = try await town.logIn(13)
        var models: [(path: String, structure: [String])] = []
        // The page of the start shows no more than that of the town.
        for path in pages.filter({ $0 != "/admin/start" }) + ["/account/businesses/zeds"] {
            models.append((path, Markup(try await town.page(path, cookie: cookie)).structure.sorted()))
        }
        return models
    }

    private static func town(of text: (Int) -> String) async throws -> SiteTown {
        func json(_ number: Int) -> String {
            SiteTown.json(String(String.UnicodeScalarView(text(number).unicodeScalars.prefix(90))) + "~")
        }
        return try await SiteTown(
            SiteTown.records + [
                (.category, #"{"slug":"bars","name":\#(json(0))}"#),
                (.eventType, #"{"slug":"sports","name":\#(json(1))}"#),
                (.business, #"{"slug":"zeds","name":\#(json(2)),"address":\#(json(3))}"#),
                (.business, #"{"slug":"shed","name":\#(json(4))}"#),
                (.person, #"{"email":"olga@private.example","display_name":\#(json(5))}"#),
                (.settings, #"{"name":\#(json(6)),"tagline":\#(json(7))}"#),
            ])
    }
}
