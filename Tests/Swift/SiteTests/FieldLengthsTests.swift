import HTTP
import TestSupport
import Testing

@testable import Site

/// A field takes as many characters as its rule says, regardless of which, and not one more.
@Suite struct FieldLengthsTests {
    struct Field: Sendable {
        let name: String
        /// How many characters fill it, beside what makes a value of it.
        let count: Int
        var (before, after) = ("", "")

        init(_ name: String, _ count: Int, before: String = "", after: String = "") {
            (self.name, self.count, self.before, self.after) = (name, count, before, after)
        }

        static func email(_ name: String) -> Field { Field(name, 244, after: "@a.example") }

        func text(of scalar: String, more: Int = 0) -> (String, String) {
            (name, before + String(repeating: scalar, count: count + more) + after)
        }
    }

    struct Form: Sendable {
        let page: String
        /// Who sends it; nil for a stranger.
        let person: Int?
        var given: [(String, String)] = []
        let fields: [Field]
    }

    private static let event = [("day", "2026-12-04"), ("from", "8 pm"), ("type", "live-music")]

    static let forms = [
        Form(
            page: "/account/businesses/zeds", person: 12,
            fields: [
                Field("name", 500), Field("address", 1_000), Field("phone", 49, before: "1"), .email("email"),
                Field("website", 1_982, before: "https://a.example/"), Field("description", 10_000),
            ]),
        Form(
            page: "/account/businesses/zeds/menus", person: 12,
            fields: [
                Field("name", 500), Field("about", 10_000), Field("items", 500, after: " 1.00"),
                Field("name.2", 499, before: "2"),
                Field("about.2", 10_000), Field("items.2", 10_000, before: "Soup 1.00 - "),
            ]),
        Form(
            page: "/account/businesses/zeds/hours", person: 12,
            given: [("from", "2026-12-30"), ("special", "closed")], fields: [Field("reason", 200)]),
        Form(
            page: "/account/new-event", person: 12, given: event + [("place", "zeds")],
            fields: [Field("name", 500), Field("about", 10_000)]),
        Form(
            page: "/account/events/fiddle-night", person: 13, fields: [Field("name", 500), Field("about", 10_000)]),
        Form(
            page: "/new-event", person: 12, given: event,
            fields: [Field("name", 500), Field("about", 10_000), Field("message", 2_000)]),
        Form(
            page: "/new-event", person: nil, given: event,
            fields: [Field("name", 500), Field("about", 1_000), Field("message", 500), .email("email")]),
        Form(page: "/businesses/zeds/report", person: nil, fields: [Field("message", 2_000), .email("email")]),
        Form(
            page: "/admin/town", person: 13,
            fields: [Field("name", 100), Field("tagline", 200), .email("contact_email")]),
        Form(page: "/admin/categories", person: 13, fields: [Field("category", 500)]),
        Form(page: "/admin/categories/bars", person: 13, fields: [Field("name", 500)]),
        Form(page: "/admin/people", person: 13, fields: [.email("email"), Field("display_name", 500)]),
        Form(page: "/admin/people/12", person: 13, fields: [.email("email"), Field("display_name", 500)]),
        Form(
            page: "/admin/businesses/new", person: 13, given: [("location", "48.37, -123.72")],
            fields: [Field("name", 500), Field("address", 1_000), Field("phone", 49, before: "1")]),
        Form(page: "/admin/businesses/eclair", person: 13, fields: [Field("slug", 600)]),
    ]

    @Test(arguments: forms.indices)
    func areCountedInCharacters(index: Int) async throws {
        let (form, scalar) = (Self.forms[index], ["ᐃ", "ώ", "\u{10437}"][index % 3])
        let town = try await SiteTown()
        let cookie = if let person = form.person { try await town.logIn(person) } else { String?.none }
        let shown = try await town.send(.get, form.page, cookie.map { [("Cookie", $0)] } ?? []).text
        // The forms of a line are another class.
        let first = "<form class=\"form\" method=\"post\""
        var full = try FormOnPage(shown.replacing("<form method=\"post\" class=\"field\"", with: first))
        for (name, value) in form.given + form.fields.map({ $0.text(of: scalar) }) { full[name] = value }
        town.clock.advance(bySeconds: 5)
        let before = town.store.current.sequence
        for field in form.fields {
            var fields = full
            fields[field.name] = field.text(of: scalar, more: 1).1
            let refused = try await town.send(form: fields.fields, to: form.page, cookie: cookie)
            #expect(refused.status == .unprocessableContent, "\(field.name)")
        }
        #expect(town.store.current.sequence == before)
        let accepted = try await town.send(form: full.fields, to: form.page, cookie: cookie)
        let isShownOnce = accepted.status == .ok && accepted.text.contains("shown only now")
        #expect(accepted.status == .seeOther || isShownOnce, "\(accepted.text.main.words.prefix(300))")
        #expect(town.store.current.sequence > before)
    }

    /// A stranger's field that the others leave no room for.
    @Test func aStrangerSendsTwoThousandCharacters() async throws {
        let town = try await SiteTown()
        let page = try await town.page("/new-event")
        #expect(page.contains("Up to 2000 characters"))
        var form = try FormOnPage(page)
        for (name, value) in Self.event + [("name", "Party")] { form[name] = value }
        town.clock.advance(bySeconds: 5)
        for (count, status) in [(1_996, Status.unprocessableContent), (1_995, .seeOther)] {
            form["about"] = String(repeating: "ᐃ", count: count)
            #expect(try await town.send(form: form.fields, to: "/new-event").status == status, "\(count)")
        }
    }

    @Test func ofWhatIsLongerTheBeginningIsKept() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let path = "/account/businesses/zeds"
        for (scalar, kept) in [("x", 2_004), ("ᐃ", 668), ("\u{10437}", 501)] {
            var form = try FormOnPage(try await town.page(path, cookie: cookie))
            form["name"] = String(repeating: scalar, count: 60_000)
            let refused = try await town.send(form: form.fields, to: path, cookie: cookie)
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("longer than the 500 characters that are allowed; the rest is missing here"))
            let shown = try #require(try FormOnPage(refused.text)["name"])
            #expect(shown.unicodeScalars.count == kept)
        }
    }

    /// Only what a form offers can be chosen.
    @Test(arguments: [
        ("/new-event", "repeat", "hourly"), ("/new-event", "type", "nothing"),
        ("/businesses/zeds/report", "day", "opening_hours"),
    ])
    func choicesAreThoseThatAreOffered(_ page: String, _ name: String, _ value: String) async throws {
        let town = try await SiteTown()
        var form = try FormOnPage(try await town.page(page))
        let others = [("name", "Party"), ("sign", "Mo-Su 09:00-17:00"), ("message", "x"), (name, value)]
        for (name, value) in Self.event + others { form[name] = value }
        town.clock.advance(bySeconds: 5)
        let refused = try await town.send(form: form.fields, to: page)
        #expect(refused.status == .unprocessableContent)
        #expect(!refused.text.contains("value=\"\(value)\""))
    }

    /// How much of a body is read. A session that has ended is known by the stamp of its cookie.
    @Test func aStrangerSendsLess() async throws {
        let town = try await SiteTown()
        try await town.setPassword("harbour lantern seven", of: 12)
        let login = [("login-email", "olga@private.example"), ("login-password", "harbour lantern seven")]
        let opened = try #require(try await town.send(form: login, to: "/login").headers.first("Set-Cookie"))
        let cookie = String(opened.prefix { $0 != ";" })
        let form = "application/x-www-form-urlencoded"
        func limit(_ path: String, _ cookie: String) throws -> Int {
            let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", form), ("Cookie", cookie)]
            return try town.admission(of: Request(.post, path, headers: headers, peer: SiteTown.visitor)).limit
        }
        let (own, kibibyte) = ("/account/businesses/zeds", 1_024)
        for (path, size) in [("/new-event", 64), ("/login", 32), (own, 32)] {
            #expect(try limit(path, "") == size * kibibyte)
        }
        #expect(try limit(own, cookie) == 1_024 * kibibyte)
        _ = try await town.send(form: [("a", "b")], to: "/logout", cookie: cookie)
        for path in ["/login", own, "/new-event"] { #expect(try limit(path, cookie) == 256 * kibibyte) }
        for forged in [String(cookie.prefix { $0 != "." }), cookie.dropLast() + "_", cookie + "0"] {
            #expect(try limit("/login", forged) == 32 * kibibyte)
        }
    }
}
