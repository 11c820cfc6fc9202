import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct AdminBusinessesPageTests {
    @Test func thoseThatAreNotListedAreFirst() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let page = try await town.page("/admin/businesses", cookie: cookie)
        #expect(page.rows == ["Shed", "Anchor", "Éclair 100%", "Lantern", "Zed's"])
        #expect(page.main.words.contains("Not listed 1 place. Shed 4 Hidden Lane Listed 4 places."))
        #expect(page.addresses.contains("/account/businesses/shed") && page.addresses.contains("/admin/businesses/new"))
        #expect(try await town.page("/admin/businesses?q=soup", cookie: cookie).rows == ["Zed's"])
        #expect(try await town.page("/admin/businesses?q=SHE", cookie: cookie).rows.first == "Shed")
        #expect(try await town.page("/admin/businesses?q=nowhere", cookie: cookie).rows == [])
        #expect(try await town.send(.get, "/admin/businesses?page=x", [("Cookie", cookie)]).status == .badRequest)
    }

    @Test func aNewPlaceIsMadeOnce() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let key = try #require(
            try await town.page("/admin/businesses/new", cookie: cookie)
                .parts(between: "name=\"key\" value=\"", and: "\"").first)
        let fields = [
            ("key", key), ("name", "Harbour Books"), ("category", "bars"), ("address", "7 Elm"),
            ("phone", "250-555-0107"), ("location", "48.37, -123.73"),
        ]
        for _ in 0..<2 {
            let done = try await town.send(form: fields, to: "/admin/businesses/new", cookie: cookie)
            #expect(done.headers.first("Location") == "/account/businesses/harbour-books?done=added")
        }
        #expect(town.store.current.town.count(of: .business) == 6)
        let made = try #require(town.store.current.town.businesses[Slug("harbour-books")]?.value)
        #expect(made.phone == "250-555-0107" && made.latitude == 48.37 && made.category == Slug("bars"))
        let other = try await town.page("/admin/businesses/new", cookie: cookie)
        #expect(!other.contains(key))
    }

    @Test func aNewPlaceNeedsANameAndALocation() async throws {
        let town = try await SiteTown([(.person, #"{"id":13,"email":"ada@private.example","role":"super_admin"}"#)])
        let cookie = try await town.logIn(13)
        let fields = [("key", "a-key-of-a-form"), ("phone", "1")]
        let refused = try await town.send(form: fields, to: "/admin/businesses/new", cookie: cookie)
        #expect(refused.status == .unprocessableContent)
        for field in ["name", "location"] {
            #expect(refused.text.contains("<a href=\"#\(field)\">"), "\(field)")
        }
        // Each problem is one of a field that the form has.
        #expect(!refused.text.contains("<a href=\"#slug\">") && !refused.text.contains("<a href=\"#latitude\">"))
        #expect(refused.text.contains("name=\"key\" value=\"a-key-of-a-form\""))
    }
}
