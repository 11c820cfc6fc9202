import Foundation
import HTTP
import SookeModel
import Store
import TestSupport
import Testing

@testable import API

/// Addresses, records that others refer to, and writes on a full disk.
@Suite struct RecordRoutesTests {
    private static func create(_ slug: String) -> String {
        #"{"name":"Zed's Annex","slug":"\#(slug)","address":"1 B","latitude":1,"longitude":2,"category":"bars"}"#
    }

    @Test func aFormerAddressLeadsOn() async throws {
        let town = try await TestTown.peopled()
        for slug in ["zeds-pub", "zeds%é"] {
            let target = slug == "zeds-pub" ? "/api/v1/businesses/zeds" : "/api/v1/businesses/zeds-pub"
            let moved = try await town.send(.patch, target, as: .ada, body: #"{"slug":"\#(slug)"}"#)
            #expect(moved.status.code == 200)
        }
        for former in ["zeds", "zeds-pub"] {
            let answer = try await town.send(.get, "/api/v1/businesses/\(former)")
            #expect(answer.status.code == 301)
            #expect(answer.headers.first("Location") == "/api/v1/businesses/zeds%25%C3%A9")
        }
        #expect(try await town.send(.get, "/api/v1/businesses/zeds%25%C3%A9").status.code == 200)
        #expect(try await town.send(.get, "/api/v1/events/gig").text.contains(#""business_slug":"zeds%é""#))
        // A change is not redirected: a client that only has the old address has not read the record.
        #expect(try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: "{}").status.code == 404)
        // A former slug may be requested.
        #expect(
            try await town.send(.post, "/api/v1/businesses", as: .ada, body: Self.create("zeds")).status.code == 201)
        #expect(try await town.send(.get, "/api/v1/businesses/zeds").text.contains("Annex"))
    }

    /// A business without a category is visible to its owner.
    @Test func aBusinessThatIsNotListed() async throws {
        let town = try await TestTown.peopled()
        let body = #"{"name":"Kiosk","address":"9 A","latitude":48,"longitude":-123}"#
        for (answer, name) in [
            (try await town.send(.get, "/api/v1/businesses/den", as: .olga), "Den"),
            (try await town.send(.post, "/api/v1/businesses", as: .ada, body: body), "Kiosk"),
        ] {
            let business = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
            #expect(business["name"] as? String == name)
            #expect(business["category_name"] is NSNull && business["category_slug"] is NSNull)
        }
        #expect(try await !town.send(.get, "/api/v1/businesses?per_page=100", as: .olga).text.contains("Den"))
    }

    /// A hidden record has no former address.
    @Test func aFormerAddressOfWhatIsHidden() async throws {
        let town = try await TestTown.peopled()
        for (target, body) in [
            ("/api/v1/businesses/den", #"{"slug":"cave"}"#), ("/api/v1/events/quiz", #"{"slug":"trivia"}"#),
        ] {
            #expect(try await town.send(.patch, target, as: .ada, body: body).status.code == 200)
            #expect(try await town.send(.get, target).status.code == 404)
        }
        let renamed = try await town.send(.patch, "/api/v1/events/gig", as: .ada, body: #"{"slug":"jam"}"#)
        #expect(renamed.status.code == 200)
        let answer = try await town.send(.get, "/api/v1/events/gig")
        #expect(answer.status.code == 301)
        #expect(answer.headers.first("Location") == "/api/v1/events/jam")
    }

    @Test func aSlugThatIsTaken() async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence
        let requests: [(HTTP.Method, String, String)] = [
            (.post, "/api/v1/businesses", Self.create("zeds")),
            (.patch, "/api/v1/businesses/anchor", #"{"slug":"zeds"}"#),
            (.post, "/api/v1/categories", #"{"name":"x","slug":"bars"}"#),
            (.patch, "/api/v1/events/quiz", #"{"slug":"gig"}"#),
        ]
        for (method, target, body) in requests {
            let answer = try await town.send(method, target, as: .ada, body: body)
            #expect(answer.status.code == 409)
            #expect(answer.errorCode == "slug_taken")
            #expect(answer.text.contains(#""fields":{"slug":"is taken"}"#))
        }
        #expect(town.store.current.sequence == before)
        let named = try await town.send(.post, "/api/v1/categories", as: .ada, body: #"{"name":"Bars","slug":"b"}"#)
        #expect(named.status.code == 409)
        #expect(named.errorCode == "name_taken")
        #expect(named.text.contains(#""fields":{"name":"is taken"}"#))
        let free = try await town.send(.post, "/api/v1/categories", as: .ada, body: #"{"name":"Bars!"}"#)
        #expect(free.headers.first("Location") == "/api/v1/categories/bars-2")
    }

    @Test(arguments: [("/api/v1/categories/bars", "2 records"), ("/api/v1/event-types/live-music", "2 records")])
    func aTermInUse(target: String, count: String) async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence
        let answer = try await town.send(.delete, target, as: .ada)
        #expect(answer.status.code == 409)
        #expect(answer.errorCode == "in_use")
        #expect(answer.text.contains(count))
        #expect(town.store.current.sequence == before)
    }

    @Test func theEventsOfABusinessThatIsGone() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.delete, "/api/v1/businesses/zeds", as: .ada).status.code == 204)
        let gig = try await town.send(.get, "/api/v1/events/gig").text
        #expect(gig.contains(#""latitude":48.5,"longitude":-123,"#))
        #expect(gig.contains(#""business_slug":null"#))
    }

    @Test(arguments: [
        ("/api/v1/businesses/zeds/menus/99", 404), ("/api/v1/businesses/zeds/menus/x", 404),
        ("/api/v1/businesses/zeds/menus/1/items/1", 404), ("/api/v1/businesses/zeds/menus/2/items/1", 200),
        ("/api/v1/businesses/anchor/menus/1", 404),
    ])
    func menusThatAreElsewhere(target: String, status: Int) async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.delete, target, as: .ada).status.code == status)
        #expect(try await town.send(.patch, target, as: .ada, body: "{}").status.code == 404)
    }

    /// No part can be given a new ID, not even the highest one, after which there would be none.
    @Test func onlyTheServerAssignsIDs() async throws {
        let town = try await TestTown.peopled()
        let highest = 9_007_199_254_740_991
        let item = #"{"id":\#(highest),"name":"x","price":"1.00"}"#
        let requests: [(HTTP.Method, String, String)] = [
            (.post, "menus", #"{"id":\#(highest),"name":"x"}"#), (.post, "menus", #"{"name":"x","items":[\#(item)]}"#),
            (.patch, "menus/1", #"{"items":[\#(item)]}"#), (.post, "menus/1/items", item),
        ]
        for (method, path, body) in requests {
            let answer = try await town.send(method, "/api/v1/businesses/zeds/\(path)", as: .olga, body: body)
            #expect(answer.status.code == 422, "\(body)")
        }
        let good = try await town.send(
            .post, "/api/v1/businesses/zeds/menus/1/items", as: .olga, body: #"{"name":"x","price":"1.00"}"#)
        #expect(good.text.contains(#""id":3,"name":"x""#))
    }

    @Test func noRoomOnTheDisk() async throws {
        let disk = FullFileSystem(refusing: "wal-", code: ENOSPC)
        let town = try await TestTown.peopled(fileSystem: disk)
        disk.fill()
        let before = town.store.current.sequence
        for row in AccessTests.rows where row.isDone != nil && row.status(.good, .ada) ?? 500 < 300 {
            if row.route.hasSuffix("/import") { continue }
            let answer = try await town.send(try #require(row.method), row.target, as: .ada, body: row.good)
            #expect(answer.status.code == 507, "\(row.route): \(answer.text)")
            #expect(answer.errorCode == "disk_full")
            #expect(answer.headers.first("Retry-After") == "5")
            #expect(row.isDone?(town.store.current.town) == false, "\(row.route)")
        }
        #expect(town.store.current.sequence == before)
        #expect(town.mails.all.isEmpty)
        #expect(try await town.send(.get, "/api/v1/businesses/zeds").status.code == 200)
        disk.makeRoom()
        let answer = try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: #"{"phone":"1"}"#)
        #expect(answer.status.code == 200)
    }
}
