import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct CategoriesPageTests {
    @Test func showsWhatThereIs() async throws {
        let town = try await SiteTown()
        let page = try await town.page("/admin/categories", cookie: try await town.logIn(13))
        #expect(page.main.words.contains("Of places Bars 2 places Café &amp; Bakery 2 places Unused empty"))
        #expect(page.addresses.contains("/admin/categories/caf%C3%A9-bakery"))
        #expect(page.addresses.contains("/admin/event-types/live-music"))
        #expect(!page.contains("name=\"starter\""))
    }

    @Test func aNewOneIsAddedOnce() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        for field in ["category", "event_type"] {
            for _ in 0..<2 {
                let done = try await town.send(
                    form: [(field, "Boats & Bikes"), ("key", "key-of-\(field)")], to: "/admin/categories",
                    cookie: cookie)
                #expect(done.headers.first("Location") == "/admin/categories?done=added")
            }
            let again = try await town.send(
                form: [(field, "Boats & Bikes"), ("key", "another-key")], to: "/admin/categories", cookie: cookie)
            #expect(again.status == .unprocessableContent)
            #expect(again.text.contains("This name is in the list already"))
            let empty = try await town.send(form: [(field, " ")], to: "/admin/categories", cookie: cookie)
            #expect(empty.status == .unprocessableContent)
        }
        #expect(town.store.current.town.categories[Slug("boats-bikes")] != nil)
        #expect(town.store.current.town.eventTypes[Slug("boats-bikes")] != nil)
        #expect(town.store.current.town.count(of: .category) == 4)
    }

    @Test func synonymsAreWordsWithCommas() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        func send(_ before: String, _ text: String) async throws -> Response {
            try await town.send(
                form: [("was.synonyms", before), ("synonyms", text)], to: "/admin/categories/bars", cookie: cookie)
        }
        #expect(try await send("", " pub,tavern\r\n,, inn ").status == .seeOther)
        #expect(town.store.current.town.categories[Slug("bars")]?.value.synonyms == ["pub", "tavern", "inn"])
        let page = try await town.page("/admin/categories/bars", cookie: cookie)
        #expect(page.contains("pub, tavern, inn</textarea>"))
        let refused = try await send("pub, tavern, inn", String(repeating: "x,", count: 41))
        #expect(
            refused.status == .unprocessableContent && refused.text.contains("has 41 words, at most 40 are allowed"))
        #expect(try await send("pub, tavern, inn", "").status == .seeOther)
        #expect(town.store.current.town.categories[Slug("bars")]?.value.synonyms == [])
    }

    @Test func oneIsRenamedAndDeleted() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        for (path, name) in [("/admin/categories/bars", "Bars"), ("/admin/event-types/sports", "Sports")] {
            let done = try await town.send(form: [("was.name", name), ("name", "Pubs")], to: path, cookie: cookie)
            #expect(done.headers.first("Location") == "/admin/categories?done=saved")
            let stale = try await town.send(form: [("was.name", name), ("name", "Taverns")], to: path, cookie: cookie)
            #expect(stale.status == .conflict)
            let used = try await town.send(form: [("delete", "yes")], to: path, cookie: cookie)
            #expect(used.status == .conflict)
            #expect(used.text.contains("It is used by "))
        }
        #expect(town.store.current.town.categories[Slug("bars")]?.value.name == "Pubs")
        #expect(town.store.current.town.eventTypes[Slug("sports")]?.value.name == "Pubs")
        let gone = try await town.send(form: [("delete", "yes")], to: "/admin/categories/unused", cookie: cookie)
        #expect(gone.headers.first("Location") == "/admin/categories?done=removed")
        #expect(town.store.current.town.categories[Slug("unused")] == nil)
        #expect(try await town.send(.get, "/admin/categories/unused", [("Cookie", cookie)]).status == .notFound)
    }
}
