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

    /// An address may be empty, and is never null.
    @Test(arguments: [("", ""), (#","address":"""#, ""), (#","address":null"#, ""), (#","address":"1 A""#, "1 A")])
    func aPlaceNeedsNoAddress(member: String, address: String) async throws {
        let town = try await TestTown.peopled()
        let body =
            #"{"name":"Mo's","area":"in Sooke and around","latitude":1,"longitude":2,"category":"bars"\#(member)}"#
        #expect(try await town.send(.post, "/api/v1/businesses", as: .ada, body: body).status.code == 201)
        for path in ["/api/v1/businesses/mos", "/api/v1/businesses?q=around"] {
            let text = try await town.send(.get, path).text
            #expect(text.contains(#""address":"\#(address)","latitude":1"#), "\(text)")
            #expect(text.contains(#""area":"in Sooke and around""#), "\(text)")
        }
    }

    @Test func synonymsFindWhatHasThem() async throws {
        let town = try await TestTown.peopled()
        let path = "/api/v1/categories/bars"
        let changed = try await town.send(.patch, path, as: .ada, body: #"{"synonyms":["taproom","brew pub"]}"#)
        #expect(changed.text.contains(#""slug":"bars","synonyms":["taproom","brew pub"]"#))
        let found = try await town.send(.get, "/api/v1/businesses?q=taproom").text
        #expect(found.contains(#""slug":"zeds""#) && found.contains(#""matches":[]"#))
        for refused in [#"["\#(String(repeating: "x", count: 61))"]"#, #"[""]"#, #"[1]"#, #""pub""#] {
            let body = #"{"synonyms":\#(refused)}"#
            #expect(try await town.send(.patch, path, as: .ada, body: body).status.code == 422, "\(refused)")
        }
        #expect(try await town.send(.patch, path, as: .ada, body: #"{"synonyms":null}"#).status.code == 200)
        #expect(try await !town.send(.get, path).text.contains("synonyms"))
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
            #expect(answer.status.code == 409 && answer.errorCode == "slug_taken")
            #expect(answer.text.contains(#""fields":{"slug":"is taken"}"#))
        }
        #expect(town.store.current.sequence == before)
        let named = try await town.send(.post, "/api/v1/categories", as: .ada, body: #"{"name":"Bars","slug":"b"}"#)
        #expect(named.status.code == 409 && named.errorCode == "name_taken")
        #expect(named.text.contains(#""fields":{"name":"is taken"}"#))
        let free = try await town.send(.post, "/api/v1/categories", as: .ada, body: #"{"name":"Bars!"}"#)
        #expect(free.headers.first("Location") == "/api/v1/categories/bars-2")
    }

    @Test func aTermInUse() async throws {
        let town = try await TestTown.peopled()
        for target in ["/api/v1/categories/bars", "/api/v1/event-types/live-music"] {
            let answer = try await town.send(.delete, target, as: .ada)
            #expect(answer.status.code == 409 && answer.errorCode == "in_use")
            #expect(answer.text.contains("2 records"))
        }
    }

    @Test func menusThatAreElsewhere() async throws {
        let town = try await TestTown.peopled()
        for target in ["zeds/menus/99", "zeds/menus/x", "zeds/menus/1/items/1", "anchor/menus/1"] {
            for method in [HTTP.Method.delete, .patch] {
                let answer = try await town.send(method, "/api/v1/businesses/\(target)", as: .ada, body: "{}")
                #expect(answer.status.code == 404, "\(method.name) \(target)")
            }
        }
    }

    @Test func noRoomOnTheDisk() async throws {
        let disk = FullFileSystem(refusing: "wal-", code: ENOSPC)
        let town = try await TestTown.peopled(fileSystem: disk)
        disk.fill()
        let before = town.store.current.sequence
        for row in AccessTests.rows where row.isDone != nil && row.status(.good, .ada) < 300 {
            if row.route.hasSuffix("/import") { continue }
            let answer = try await town.send(row.method, row.target, as: .ada, body: row.good)
            #expect(answer.status.code == 507, "\(row.route): \(answer.text)")
            #expect(answer.errorCode == "disk_full")
            #expect(answer.headers.first("Retry-After") == "5")
            #expect(row.isDone?(town.store.current.town) == false, "\(row.route)")
        }
        #expect(town.store.current.sequence == before)
        #expect(town.store.current.town.mails.count == 0)
        #expect(try await town.send(.get, "/api/v1/businesses/zeds").status.code == 200)
        disk.makeRoom()
        let answer = try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: #"{"phone":"1"}"#)
        #expect(answer.status.code == 200)
    }
}
