import Bytes
import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// A cached response equals a new one.
@Suite struct ResponseCacheTests {
    /// The first response is rendered, the second one cached, and they are equal.
    @Test func theSecondResponseIsTheSame() async throws {
        let town = try await TestTown()
        for target in [
            "businesses", "businesses?category=bars&tz=Europe/London", "businesses?search=zed", "businesses/zeds",
            "categories", "events", "events/regatta", "events?status=approved",
        ].map({ "/api/v1/" + $0 }) {
            let (first, again) = (try await town.send(.get, target), try await town.send(.get, target))
            #expect(first.status == .ok && again.status == .ok, "\(target)")
            #expect(again.body == first.body && again.headers == first.headers && again.route == first.route)
            let tag = try #require(first.headers.first("ETag"))
            let unchanged = try await town.send(.get, target, [("If-None-Match", tag)])
            #expect(unchanged.status == .notModified && unchanged.body.isEmpty)
            #expect(try await town.send(.get, target, [("If-None-Match", "\"0\"")]).body == first.body)
        }
    }

    /// Other forms of a target are no way past the cache: each is answered by the response to the canonical one.
    @Test(
        arguments: [
            ("/api/v1/businesses", ["?_=1", "?", "?&&", "?x", "?Search=zed", "?search=", "?page=&page=2"]),
            (
                "/api/v1/businesses?category=bars&page=1",
                [
                    "?page=1&category=bars", "?category=bars&page=1&_=2", "?category=%62ars&page=1",
                    "?c%61tegory=bars&page=%31", "?category=bars&category=cafes&page=1", "?near=&category=bars&page=1",
                ]
            ),
            (
                "/api/v1/businesses?search=a%20b&tz=Europe/London",
                [
                    "?search=a+b&tz=Europe%2fLondon", "?tz=Europe%2FLondon&search=a%20b",
                ]
            ),
            (
                "/api/v1/events?event_type=sports&event_type=live-music",
                ["?_&event_type=sports&event_type=live%2Dmusic"]
            ),
            ("/api/v1/categories", ["?page=1"]), ("/api/v1/businesses/zeds", ["?fields=id&tz=Nowhere"]),
        ] as [(String, [String])])
    func otherFormsOfATarget(_ canonical: String, _ queries: [String]) async throws {
        let path = String(canonical.prefix { $0 != "?" })
        let others = queries.map { path + $0 } + [canonical.replacing("/api/v1/", with: "/./%61pi/v1/")]
        for target in [canonical] + others {
            let town = try await TestTown()
            let expected = try await town.send(.get, target)
            #expect(expected.status == .ok)
            let cached = town.api.storedResponse(to: canonical)
            #expect(cached?.body == expected.body, "\(target) is stored for \(canonical)")
            for other in others {
                #expect(other == canonical || town.api.storedResponse(to: other) == nil, "\(other) has no entry")
            }
        }
    }

    /// What JavaScript escapes and a canonical target does not is found as quickly; nothing else of a target changes.
    @Test(arguments: [
        ("/a?tz=America%2FVancouver", "/a?tz=America/Vancouver"), ("/a?near=48.4%2c-123.7", "/a?near=48.4,-123.7"),
        ("/a?at=10%3A00&q=%2Fx", "/a?at=10:00&q=/x"), ("/a?q=50%25", "/a?q=50%25"), ("/a?q=%252F", "/a?q=%252F"),
        ("/a?q=a%26b%3Dc", "/a?q=a%26b%3Dc"), ("/a%2Fb?q=%2", "/a%2Fb?q=%2"), ("/a%2Fb", "/a%2Fb"),
        ("/a?q=%", "/a?q=%"),
    ])
    func needlessEscapes(_ target: String, _ expected: String) {
        #expect(Array(Dispatcher.withoutNeedlessEscapes(Array(target.utf8)[...])) == Array(expected.utf8))
    }

    /// A format that a route does not have is no way past the cache, and one that it has is never the stored one.
    private static let types = [
        ("/api/v1/categories", "text/csv", true), ("/api/v1/events", "application/geo+json", true),
        ("/api/v1/events", "text/csv", false), ("/api/v1/events", "text/calendar", false),
        ("/api/v1/businesses", "text/calendar", true), ("/api/v1/businesses", "application/geo+json", false),
        ("/api/v1/events/regatta", "text/csv", true), ("/api/v1/events/regatta", "text/calendar", false),
        ("/api/v1/businesses/zeds", "application/geo+json", false), ("/api/v1/events.ics", "text/calendar", true),
    ]

    @Test func formats() async throws {
        let town = try await TestTown()
        for (target, type, isStored) in Self.types {
            town.api.responses.store(
                Response(body: Array("stored".utf8)), to: Array(target.utf8)[...],
                of: town.store.current.publicRevision,
                for: town.clock.now...town.clock.now)
            #expect((try await town.send(.get, target, [("Accept", type)]).text == "stored") == isStored)
        }
    }

    /// A target with another meaning has another response, also when it looks similar.
    @Test func targetsOfAnotherMeaning() async throws {
        let (town, fresh) = (try await TestTown(), try await TestTown())
        for (first, second) in [
            ("/businesses?search=zed", "/businesses?search=zed%00"), ("/businesses?page=1", "/businesses?page=2"),
            ("/businesses?category=bars", "/businesses?category=bars%26page=2"), ("/events", "/events?event_type="),
            ("/events?event_type=sports", "/events?event_type=sports&event_type=live-music"),
            ("/businesses/zeds", "/businesses/zeds%2F"), ("/businesses?page=2&per_page=9", "/businesses?per_page=9"),
            ("/businesses?fields=id", "/businesses?fields=id%2cname"),
        ] {
            let expected = try await fresh.send(.get, "/api/v1" + second)
            _ = try await town.send(.get, "/api/v1" + first)
            let response = try await town.send(.get, "/api/v1" + second)
            #expect(response.status == expected.status, "\(second)")
            #expect(response.status != .ok || response.body == expected.body, "\(second)")
        }
    }

    @Test func showsWhatWasWritten() async throws {
        let town = try await TestTown()
        let before = try await town.send(.get, "/api/v1/businesses/zeds").text
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.business, #"{"slug":"zeds","phone":"250 555 0199"}"#)
        }
        let after = try await town.send(.get, "/api/v1/businesses/zeds").text
        #expect(!before.contains("250 555 0199") && after.contains("250 555 0199"))
    }

    @Test func changesWithTheDay() async throws {
        let town = try await TestTown()
        // 01:30 in Vancouver: to a second before midnight, and on.
        for (seconds, day) in [(0, 6), (22 * 3600 + 1799, 6), (1, 0)] {
            town.clock.advance(bySeconds: seconds)
            let zeds = try await town.send(.get, "/api/v1/businesses/zeds").text
            #expect(zeds.contains(#""today_hours":{"day_of_week":\#(day)"#))
        }
    }

    @Test func leavesOutWhatHasEnded() async throws {
        let town = try await TestTown()
        let before = try await town.send(.get, "/api/v1/events").text
        // No length of it is known: it is left out at the next four o'clock in the morning.
        let over = try #require(Timestamp(rfc3339: "2035-05-02T11:00:00Z"))
        town.clock.advance(bySeconds: over.seconds - town.clock.now.seconds)
        #expect(try await town.send(.get, "/api/v1/events").text == before)
        town.clock.advance(bySeconds: 1)
        #expect(!(try await town.send(.get, "/api/v1/events").text.contains("Regatta")))
        // After the clock was set back, it is valid again.
        town.clock.advance(bySeconds: -1)
        #expect(try await town.send(.get, "/api/v1/events").text == before)
    }

    /// A client with an account may see more.
    @Test func doesNotStoreResponsesToAccounts() async throws {
        let town = try await TestTown.withAccounts()
        let owner = try await town.authorization(of: 5)
        #expect(try await town.send(.get, "/api/v1/businesses/shed", [owner]).status == .ok)
        #expect(try await town.send(.get, "/api/v1/businesses/shed").status == .notFound)
        #expect(try await town.send(.get, "/api/v1/businesses/zeds").status == .ok)
        let bad = try await town.send(.get, "/api/v1/businesses/zeds", [("Authorization", "Bearer nonsense")])
        #expect(bad.status == .unauthorized)
    }

    @Test(arguments: [
        ("same", "/a", 1, 0, true), ("another target", "/b", 1, 0, false), ("another version", "/a", 2, 0, false),
        ("earlier", "/a", 1, -1, false), ("the last moment", "/a", 1, 5, true), ("later", "/a", 1, 6, false),
    ])
    func stores(_ name: String, _ target: String, of sequence: Int, at moment: Int, _ isStored: Bool) {
        let cache = ResponseCache()
        let moments = Timestamp.epoch...Timestamp(microseconds: 5)
        cache.store(Response(body: [1]), to: Array("/a".utf8)[...], of: 1, for: moments)
        let kept = cache.response(to: Array(target.utf8)[...], of: sequence, at: Timestamp(microseconds: moment))
        #expect((kept != nil) == isStored)
    }

    @Test func holdsNoMoreThanItMay() {
        let overhead = ResponseCache.overhead
        let cache = ResponseCache(sizeLimit: 64 * (overhead + 100))
        let moments = Timestamp.epoch...Timestamp(microseconds: 5)
        func isStored(_ target: String) -> Bool {
            cache.response(to: Array(target.utf8)[...], of: 1, at: Timestamp.epoch) != nil
        }
        func store(_ target: String, _ bytes: Int) {
            cache.store(
                Response(body: Array(repeating: 0, count: bytes)), to: Array(target.utf8)[...], of: 1, for: moments)
        }
        store("/large", 101)
        #expect(!isStored("/large"))
        let targets = (0..<500).map { "/\($0)" }
        for target in targets {
            store(target, 96)
            #expect(isStored(target))
        }
        #expect(1...66 ~= targets.count(where: isStored))
        // Replacing a response needs no room.
        let held = targets.count(where: isStored)
        for _ in 0..<500 { store("/499", 96) }
        #expect(targets.count(where: isStored) == held)
    }

    /// The entries are of the newest revision; a reader of an older one, on another thread, changes nothing.
    @Test func holdsOneRevision() {
        let cache = ResponseCache()
        let moments = Timestamp.epoch...Timestamp(microseconds: 5)
        func bodies() -> [[UInt8]?] {
            (1...3).map {
                cache.response(to: Array("/a".utf8)[...], of: $0, at: Timestamp.epoch)?.body
            }
        }
        for (revision, expected) in [
            (1, [[1], nil, nil]), (3, [nil, nil, [3]]), (2, [nil, nil, [3]]),
        ] as [(Int, [[UInt8]?])] {
            cache.store(Response(body: [UInt8(revision)]), to: Array("/a".utf8)[...], of: revision, for: moments)
            #expect(bodies() == expected)
        }
    }

    /// Changes of people, and of what waits for a decision, do not affect public data.
    @Test func aLoginLeavesTheResponsesValid() async throws {
        let town = try await TestTown.peopled()
        for (method, target, body, isPublic) in [
            (HTTP.Method.post, "session", #"{"email":"ada@town.example","password":"nonsense"}"#, false),
            (.patch, "users/4", #"{"display_name":"M"}"#, false),
            (.post, "events/gig/cancel", "", true), (.patch, "events/quiz", #"{"description":"x"}"#, false),
            (.patch, "categories/bars", #"{"name":"Pubs"}"#, true),
        ] {
            let before = town.store.current.publicRevision
            _ = try await town.send(method, "/api/v1/" + target, as: .ada, body: body)
            #expect((town.store.current.publicRevision > before) == isPublic, "\(target)")
        }
    }
}

extension Dispatcher {
    /// The stored response to a target as it is.
    fileprivate func storedResponse(to target: String) -> Response? {
        responses.response(
            to: Array(target.utf8)[...], of: service.store.current.publicRevision, at: service.clock())
    }
}
