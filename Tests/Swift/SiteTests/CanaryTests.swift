import HTTP
import SookeModel
import Testing

@testable import Site

/// What is not public is in nothing that the site answers: a business without a category, events that are not approved,
/// and people. Each of their fields has a word that is nowhere else.
@Suite struct CanaryTests {
    private static let canary = "zibeline"

    private static let hidden: [(RecordKind, String)] = [
        (.person, #"{"id":2,"email":"zibeline@private.example","display_name":"Zibeline Owner"}"#),
        (
            .business,
            #"""
            {"name":"Zibeline Shed","slug":"zibeline-shed","former_slugs":["zibeline-hut"],"owner_id":2,
            "description":"Zibeline words","address":"4 Zibeline Lane","phone":"250-555-0999","confirmed_by":2,
            "email":"zibeline@shed.example","website":"https://zibeline.example/","latitude":48.123456,
            "longitude":-123.654321,"opening_hours":"24/7 open \"zibeline remark\"",
            "special_hours":[{"from":"2026-11-25","is_closed":true,"reason":"Zibeline feast"}],
            "menus":[{"name":"Zibeline menu","items":[{"name":"Zibeline soup","price":"1.00"}]}]}
            """#
        ),
        (.event, event(9, "pending_review", #","business":"zeds""#)), (.event, event(10, "draft")),
        (.event, event(11, "rejected", #","reason":"zibeline reason""#)),
        (.event, event(12, "pending_review", #","rrule":"FREQ=DAILY","business":"zibeline-shed""#)),
        // A public event at the hidden business, submitted by a person, with the address it had before it was public.
        (
            .event,
            #"{"slug":"rehearsal","business":"zibeline-shed","submitted_by":2,"pending_slug":"zibeline-secret"}"#
        ),
        (.business, #"{"slug":"zeds","owner_id":2,"confirmed_by":2}"#),
    ]

    private static func event(_ id: Int, _ status: String, _ more: String = "") -> String {
        #"""
        {"id":\#(id),"name":"Zibeline \#(id)","slug":"zibeline-\#(id)","event_type":"sports",
        "description":"zibeline text","submitted_by":2,
        "starts_at":"2026-11-24T12:00:00-08:00","status":"\#(status)"\#(more)}
        """#
    }

    /// Addresses that lead to what is hidden, if something does, besides all that pages link to.
    private static let targets = [
        "/", "/businesses?q=zibel", "/businesses?q=zibelime+soup", "/businesses?near=48.123456,-123.654321",
        "/businesses?open=1", "/businesses?open=1&q=shed", "/businesses?page=2", "/events?business=zibeline-shed",
        "/events?from=2026-11-24", "/events?when=week&type=sports", "/events/rehearsal", "/businesses/zibeline-shed",
        "/businesses/zibeline-hut", "/events/zibeline-9", "/events/zibeline-10", "/events/zibeline-11",
        "/events/zibeline-12", "/sitemap.xml", "/sitemap.xml?part=1", "/robots.txt", "/site.webmanifest",
    ]

    private func town() async throws -> SiteTown { try await SiteTown(SiteTown.records + Self.hidden) }

    /// The addresses of a town whose responses have the canary, and how many were read. Those of the API are not read:
    /// its contract shows the name and the place of a hidden business with a public event; see `HiddenBusinessTests`.
    private func singing(in town: SiteTown) async throws -> (found: Set<String>, count: Int) {
        var (waiting, seen, found) = (Self.targets, Set(Self.targets), Set<String>())
        while let target = waiting.popLast() {
            let response = try await town.send(.get, target)
            let fields = (["Location", "Link", "ETag"] as [StaticString]).flatMap(response.headers.all)
            if (fields + [response.text]).contains(where: { $0.lowercased().contains(Self.canary) }) {
                found.insert(target)
            }
            guard response.headers.first("Content-Type")?.hasPrefix("text/html") == true, target != "/docs" else {
                continue
            }
            for link in response.text.addresses.map({ String($0.prefix { $0 != "#" }) })
            where link.hasPrefix("/") && !link.hasPrefix("/api/") {
                if seen.insert(link).inserted { waiting.append(link) }
            }
        }
        return (found, seen.count)
    }

    @Test func nothingHiddenIsInAnyAnswer() async throws {
        let (found, count) = try await singing(in: town())
        #expect(found == [], "of \(count)")
        #expect(count > 40)
    }

    /// The same search finds them as soon as they are public, so it is able to.
    @Test func whatIsPublicIsFound() async throws {
        let town = try await town()
        try await town.write([
            (.business, #"{"slug":"zibeline-shed","category":"bars"}"#),
            (.event, #"{"slug":"zibeline-9","status":"approved"}"#),
        ])
        let found = try await singing(in: town).found
        let expected: Set = [
            "/", "/businesses?q=zibel", "/businesses?near=48.123456,-123.654321", "/businesses?open=1",
            "/businesses/zibeline-shed", "/businesses/zibeline-hut", "/events/zibeline-9", "/events/rehearsal",
            "/sitemap.xml", "/businesses/zeds", "/week",
        ]
        #expect(expected.subtracting(found) == [])
        #expect(!found.contains("/events/zibeline-10") && !found.contains("/events/zibeline-11"))
    }

    /// Neither numbers nor places of what is hidden are in the pages, and no list counts it.
    @Test func nothingIsCountedOrLocated() async throws {
        let (town, without) = (try await town(), try await SiteTown())
        for target in ["/", "/businesses", "/businesses?open=1", "/events", "/week", "/events/rehearsal"] {
            let page = try await town.page(target)
            #expect(!page.contains("48.1234") && !page.contains("250-555-0999") && !page.contains("private.example"))
            #expect(page.rows == (try await without.page(target)).rows, "\(target)")
        }
        #expect(try await town.page("/businesses?q=zibeline").contains("Nothing found for “zibeline”."))
    }

    /// Pages show who runs the server what they show everybody, so that nobody shares what only they see.
    @Test(arguments: [
        "/", "/businesses", "/businesses?q=zibeline", "/events", "/week", "/events/rehearsal", "/businesses/zeds",
    ])
    func theOwnerSeesNoMore(target: String) async throws {
        let town = try await town()
        let (shown, response) = (
            try await town.send(.get, target), try await town.send(.get, target, from: .local(uid: 0, pid: 1))
        )
        #expect(response.status == .ok && response.body == shown.body)
        #expect(response.headers.all("Cache-Control") == ["no-store"])
        for hidden in ["/businesses/zibeline-shed", "/events/zibeline-9", "/events/walkout"] {
            #expect(try await town.send(.get, hidden, from: .local(uid: 0, pid: 1)).status == .notFound)
        }
    }

    /// The address of a hidden record answers as one where nothing is.
    @Test(arguments: [
        "/businesses/zibeline-shed", "/businesses/zibeline-hut", "/events/zibeline-9", "/events/zibeline-11",
    ])
    func aHiddenAddressIsLikeNone(target: String) async throws {
        let town = try await town()
        let response = try await town.send(.get, target)
        let none = try await town.send(.get, String(target.prefix(while: { $0 != "z" })) + "none")
        #expect(response.status == .notFound && response.body == none.body && response.headers == none.headers)
    }
}
