import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct AdminBusinessPageTests {
    private func change(_ name: String, _ before: String, _ text: String) -> [(String, String)] {
        [("was." + name, before), (name, text)]
    }

    @Test func aPlaceIsHiddenAndShown() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let done = try await town.send(
            form: change("category", "bars", ""), to: "/admin/businesses/zeds", cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/businesses/zeds?done=saved")
        #expect(try await town.send(.get, "/businesses/zeds").status == .notFound)
        _ = try await town.send(
            form: change("category", "", "café-bakery"), to: "/admin/businesses/zeds", cookie: cookie)
        #expect(try await town.page("/businesses/zeds").contains("Café &amp; Bakery"))
    }

    @Test func anotherAddressKeepsTheFormerOne() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let done = try await town.send(
            form: change("slug", "zeds", "zeds-pub"), to: "/admin/businesses/zeds", cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/businesses/zeds-pub?done=saved")
        #expect(try await town.send(.get, "/businesses/zeds").headers.first("Location") == "/businesses/zeds-pub")
        for taken in ["anchor", "new", "no slug"] {
            let refused = try await town.send(
                form: change("slug", "zeds-pub", taken), to: "/admin/businesses/zeds-pub", cookie: cookie)
            #expect([.conflict, .unprocessableContent].contains(refused.status), "\(taken)")
            #expect(refused.text.contains("<a href=\"#slug\">"), "\(taken)")
        }
    }

    /// The same record, with its ID, its slugs, its menus and its events.
    @Test func aDeletionCanBeUndone() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let before = try #require(town.store.current.town.businesses[Slug("zeds")]?.value)
        for _ in 0..<2 {
            let gone = try await town.send(form: [("id", "1")], to: "/admin/businesses/zeds/delete", cookie: cookie)
            #expect(gone.headers.first("Location") == "/admin/businesses?done=deleted")
        }
        #expect(try await town.send(.get, "/businesses/zeds").status == .notFound)
        #expect(town.store.current.town.events[1]?.value.business == nil)
        let undo = try await town.undoOffered(at: "/admin/businesses?done=deleted", cookie: cookie)
        for done in ["/account/businesses/zeds?done=undone", "/account?done=nothing"] {
            #expect(try await town.send(form: [], to: undo, cookie: cookie).headers.first("Location") == done)
        }
        let after = try #require(town.store.current.town.businesses[1]?.value)
        #expect(after == before && after.times.created == before.times.created)
        for event in [1, 3, 5] {
            #expect(town.store.current.town.events[event]?.value.business == Slug("zeds"), "\(event)")
        }
        #expect(town.store.current.town.events[1]?.value.latitude == nil)
    }

    @Test func aMobileTradeHasAnArea() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let fields = [
            ("key", "key-of-another"), ("name", "ZED'S"), ("category", "bars"), ("area", "in Sooke and around"),
            ("location", "48.37, -123.72"),
        ]
        let added = try await town.send(form: fields, to: "/admin/businesses/new", cookie: cookie)
        #expect(added.headers.first("Location") == "/account/businesses/zeds-2?done=added")
        let page = try await town.page("/account/businesses/zeds-2?done=added", cookie: cookie)
        #expect(page.contains("<a class=\"button quiet\" href=\"/admin/businesses/new\">Add another</a>"))
        let shown = try await town.page("/businesses/zeds-2")
        #expect(shown.main.words.contains("in Sooke and around") && !shown.contains("Directions"))
        let data = try #require(shown.data)
        #expect(data.contains(#""areaServed":"in Sooke and around""#) && !data.contains("streetAddress"))
        #expect(try await town.page("/businesses").contains("<bdi>in Sooke and around</bdi>"))
        // By its name it is not clear which one is meant.
        let merge = "/admin/businesses/anchor/merge"
        let unclear = try await town.send(form: [("slug", "zed's")], to: merge, cookie: cookie)
        #expect(unclear.text.contains("zeds-2 (in Sooke and around)"))
    }

    @Test func twoPlacesAreJoinedByName() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let merge = "/admin/businesses/anchor/merge"
        let done = try await town.send(form: [("slug", "LANTERN")], to: merge, cookie: cookie)
        #expect(done.headers.first("Location") == "/account/businesses/lantern?done=joined")
    }

    @Test func twoPlacesAreJoined() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let page = try await town.page("/admin/businesses/anchor/merge", cookie: cookie)
        #expect(page.main.words.contains("Anchor becomes a part of the other place"))
        let gone = try #require(town.store.current.town.businesses[Slug("zeds")]?.value)
        let address = "https://town.example/businesses/anchor?x=1"
        for _ in 0..<2 {
            let done = try await town.send(
                form: [("slug", address)], to: "/admin/businesses/zeds/merge", cookie: cookie)
            #expect(done.headers.first("Location") == "/account/businesses/anchor?done=joined")
        }
        let joined = try #require(town.store.current.town.businesses[Slug("anchor")]?.value)
        #expect(joined.id == 2 && joined.name == "Anchor" && joined.address == "2 Wharf Road")
        #expect(joined.phone == gone.phone && joined.menus.map(\.name) == ["Taps", "Lunch"] && joined.ownerID == 12)
        #expect(joined.hours.count == 2 && joined.coordinates == gone.coordinates)
        #expect(town.store.current.town.businesses[1] == nil)
        for event in [1, 3, 5] { #expect(town.store.current.town.events[event]?.value.business == Slug("anchor")) }
        for former in ["zeds", "zed"] {
            #expect(
                try await town.send(.get, "/businesses/\(former)").headers.first("Location") == "/businesses/anchor")
        }
        let undo = try await town.undoOffered(at: "/account/businesses/anchor?done=joined", cookie: cookie)
        let back = try await town.send(form: [], to: undo, cookie: cookie)
        #expect(back.headers.first("Location") == "/account/businesses/zeds?done=undone")
        #expect(town.store.current.town.events[1]?.value.business == Slug("zeds"))
        #expect(town.store.current.town.businesses[2]?.value.phone == nil)
    }

    @Test(arguments: [
        ("", "Choose a place"), ("nowhere", "We could not find that place"),
        ("zeds", "The other place is this place itself"),
    ])
    func joiningNeedsAnotherPlace(slug: String, problem: String) async throws {
        let town = try await SiteTown()
        let before = town.store.current.sequence
        let cookie = try await town.logIn(13)
        let refused = try await town.send(form: [("slug", slug)], to: "/admin/businesses/zeds/merge", cookie: cookie)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains(problem))
        #expect(town.store.current.sequence == before + 1)
    }
}
