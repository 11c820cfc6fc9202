import Foundation
import HTTP
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// The header fields of responses.
@Suite struct ResponseHeaderTests {
    private static let origin = ("Origin", "http://localhost:8080")
    private static let preflight = [origin, ("Access-Control-Request-Method", "DELETE")]

    /// The response to `OPTIONS`, and to a preflight.
    private static let targets =
        [
            ("/api/v1/businesses", "GET, HEAD, POST, OPTIONS"),
            ("/api/v1/businesses/x", "GET, HEAD, PATCH, DELETE, OPTIONS"),
            ("/api/v1/categories/x", "GET, HEAD, PATCH, DELETE, OPTIONS"), ("/api/v1/session", "POST, DELETE, OPTIONS"),
            ("/live", "GET, HEAD, OPTIONS"), ("*", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"), ("/nope", nil),
        ] as [(String, String?)]

    @Test func options() async throws {
        let town = try await TestTown()
        for (target, methods) in Self.targets {
            let plain = try await town.send(.options, target, [Self.origin])
            #expect(plain.status.code == (methods == nil ? 404 : 204))
            #expect(plain.headers.first("Allow") == methods)
            #expect(plain.headers.first("Access-Control-Allow-Methods") == nil)
            #expect(plain.headers.first("Vary")?.contains("Origin") == true)
            #expect(plain.body.isEmpty == (methods != nil))

            let asked = try await town.send(.options, target, Self.preflight)
            #expect(asked.status.code == 204, "a page is to see the 404 of its real request")
            #expect(
                asked.headers.first("Access-Control-Allow-Methods") == methods?.replacing(", OPTIONS", with: ""))
            #expect(asked.headers.first("Access-Control-Allow-Origin") == "http://localhost:8080")
            let stranger = try await town.send(
                .options, target, [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "GET")])
            #expect(stranger.headers.all("Access-Control-Allow-Methods") == [])
        }
    }

    /// The fields that a page may read, and what caches may store.
    private static let readers = [
        (TestCaller.nobody, "businesses", "no-cache"), (.nobody, "businesses/zeds", "no-cache"),
        (.nobody, "businesses/nope", "no-store"), (.nobody, "users", "no-store"), (.ada, "businesses", "no-store"),
        (.mia, "businesses/zeds", "no-store"), (.olga, "businesses/den", "no-store"), (.mia, "events/quiz", "no-store"),
        (.ada, "events?status=pending_review", "no-store"), (.ada, "users", "no-store"), (.ada, "users/4", "no-store"),
        (.ada, "me", "no-store"), (.ada, "admin/tokens", "no-store"), (.ada, "admin/export", "no-store"),
        (.ada, "admin/backup", "no-store"), (.ada, "history?of=users/4", "no-store"), (.mia, "categories", "no-store"),
    ]

    @Test func whoMayStoreAndRead() async throws {
        let town = try await TestTown.peopled()
        for (caller, target, caching) in Self.readers {
            for _ in 1...2 {
                let response = try await town.send(.get, "/api/v1/" + target, as: caller, [Self.origin])
                #expect(response.headers.all("Cache-Control") == [caching])
                #expect(
                    response.headers.all("Access-Control-Expose-Headers")
                        == ["ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy"])
            }
            let other = try await town.send(.get, "/api/v1/" + target, as: caller)
            #expect(other.headers.first("Access-Control-Expose-Headers") == nil)
        }
    }

    /// A weight that is not a number (RFC 9110, section 12.4.2) counts as 0, and none ends the process.
    @Test func weightsOfAccept() async throws {
        let town = try await TestTown()
        for (weight, isJSON) in [
            ("nan", true), ("inf", true), ("1e999", true), ("0x1p4", true), ("-1", true), ("2", false), ("0.5", false),
        ] {
            let accept = [("Accept", "application/geo+json;q=\(weight), application/json;q=0.1")]
            let type = try await town.send(.get, "/api/v1/businesses", accept).headers.first("Content-Type")
            #expect(type == (isJSON ? "application/json" : "application/geo+json"), "\(weight)")
        }
    }

    /// The time of the last change, in the response to the change and in reads after it.
    @Test(arguments: ["businesses/zeds", "events/gig", "categories/bars", "users/4"])
    func recordsSayWhenTheyWereChanged(target: String) async throws {
        let town = try await TestTown.peopled()
        let before = try await town.send(.get, "/api/v1/" + target, as: .ada).headers.first("Last-Modified")
        #expect(before == town.clock.now.httpDate)
        town.clock.advance(bySeconds: 600)
        #expect(try await town.send(.get, "/api/v1/" + target, as: .ada).headers.first("Last-Modified") == before)
        let name = target.hasPrefix("users") ? "display_name" : "name"
        let changed = try await town.send(.patch, "/api/v1/" + target, as: .ada, body: #"{"\#(name)":"Other"}"#)
        #expect(changed.headers.first("Last-Modified") == town.clock.now.httpDate)
        let after = try await town.send(.get, "/api/v1/" + target, as: .ada)
        #expect(after.headers.first("Last-Modified") == town.clock.now.httpDate)
        #expect(try await town.send(.get, "/api/v1/businesses").headers.first("Last-Modified") == nil)
    }

    @Test func filesHaveNames() async throws {
        let town = try await TestTown.peopled()
        for (target, name) in [("admin/backup", "sooke-2.backup.json"), ("admin/export", "sooke.json")] {
            let response = try await town.send(.get, "/api/v1/" + target, as: .ada)
            #expect(response.headers.first("Content-Disposition") == "attachment; filename=\"\(name)\"")
        }
    }

    /// Bodies with a content coding, or that are not JSON.
    private static let bodies = [
        (HTTP.Method.patch, "businesses/zeds", "Content-Encoding", "gzip"),
        (.patch, "events/gig", "Content-Type", "text/plain"),
        (.post, "businesses", "Content-Encoding", "br"), (.post, "admin/import", "Content-Encoding", "gzip"),
        (.delete, "events/gig", "Content-Encoding", "gzip"), (.post, "session", "Content-Type", "application/xml"),
    ]

    @Test func whatBodiesMayBe() async throws {
        let town = try await TestTown.peopled()
        for (method, target, field, value) in Self.bodies {
            let response = try await town.send(method, "/api/v1/" + target, as: .ada, [(field, value)], body: "{}")
            #expect(response.status.code == 415)
            #expect(response.errorCode == "unsupported_media_type")
            let patches = "application/merge-patch+json, application/json"
            #expect(response.headers.first("Accept-Patch") == (method == .patch ? patches : nil))
            #expect(response.headers.first("Accept-Encoding") == (field == "Content-Encoding" ? "identity" : nil))
            let stranger = try await town.send(method, "/api/v1/" + target, [(field, value)], body: "{}")
            #expect(stranger.status.code == (target == "session" ? 415 : 401))
        }
    }

    /// A browser sends a body without a type, or with one of three other types, to any site without asking first. So it
    /// must use up nothing, such as the free attempts of a login.
    @Test(arguments: ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"])
    func bodiesThatAnyPageMaySend(type: String) async throws {
        let town = try await TestTown.peopled()
        let login = #"{"email":"ada@town.example","password":"\#(TestSecrets.password)"}"#
        let fields = type.isEmpty ? [] : [("Content-Type", type)]
        for _ in 1...10 {
            let request = try Request(.post, "/api/v1/session", headers: fields, body: Array(login.utf8))
            let response = await town.api.response(to: request)
            #expect(response.status == .unsupportedMediaType && response.errorCode == "unsupported_media_type")
        }
        let announced = try Request(.post, "/api/v1/session", headers: fields + [("Content-Length", "9")])
        #expect(throws: HTTPError.self) { try town.api.admitBody(of: announced) }
        #expect(try await town.send(.post, "/api/v1/session", body: login).status.code == 201)
        let patch = try Request(
            .patch, "/api/v1/businesses/zeds", headers: [#require(TestSecrets.sessions[.ada]).asField] + fields,
            body: Array("{}".utf8))
        #expect(await town.api.response(to: patch).status == .unsupportedMediaType)
    }

    /// Requests without a body are as they were.
    @Test(arguments: [
        (HTTP.Method.post, "businesses/zeds/confirm", 200), (.delete, "session", 204),
        (.post, "events/quiz/approve", 428),
        (.post, "session", 400),
    ])
    func noBodyNeedsNoType(method: HTTP.Method, target: String, status: Int) async throws {
        let town = try await TestTown.peopled()
        let request = try Request(method, "/api/v1/" + target, headers: [#require(TestSecrets.sessions[.ada]).asField])
        #expect(await town.api.response(to: request).status.code == status)
    }

    /// What a page of another site sends without asking.
    private static let pages =
        [
            (.post, "cross-site", "https://evil.example", 403), (.post, "cross-site", nil, 403),
            (.post, "cross-site", "null", 403), (.delete, "Cross-Site", "https://evil.example", 403),
            (.post, "cross-site", "http://localhost:8080", 401), (.post, "same-origin", "https://evil.example", 401),
            (.post, "same-site", nil, 401), (.post, "none", nil, 401), (.post, nil, "https://evil.example", 401),
            (.get, "cross-site", "https://evil.example", 200), (.get, "cross-site", nil, 200),
            (.options, "cross-site", "https://evil.example", 204),
        ] as [(HTTP.Method, String?, String?, Int)]

    @Test func pagesOfOtherSites() async throws {
        let town = try await TestTown.peopled()
        for (method, site, origin, status) in Self.pages {
            let fields = [("Sec-Fetch-Site", site), ("Origin", origin)].compactMap { name, value in
                value.map { (name, $0) }
            }
            let target = method == .delete ? "/api/v1/session" : "/api/v1/businesses"
            let response = try await town.send(method, target, fields)
            #expect(response.status.code == status)
            #expect((response.errorCode == "cross_site") == (status == 403))
            guard method == .post else { continue }
            let announced = try Request(
                .post, target, headers: fields + [("Content-Length", "9"), ("Content-Type", "application/json")])
            let error = #expect(throws: HTTPError.self) { try town.api.admitBody(of: announced) }
            #expect(error?.status.code == status)
            let all = Dispatcher(API(), service: town.service, crossOrigin: CrossOrigin(allowing: ["*"]))
            let allowed = try Request(.post, target, headers: fields)
            #expect(await all.response(to: allowed).status.code == (status == 403 && origin == nil ? 403 : 401))
        }
    }

    @Test func theQueryGoesAlongToTheNewAddress() async throws {
        let town = try await TestTown.peopled()
        for (target, body) in [
            ("/api/v1/businesses/zeds", #"{"slug":"zed"}"#), ("/api/v1/events/gig", #"{"slug":"zed"}"#),
        ] {
            #expect(try await town.send(.patch, target, as: .ada, body: body).status == .ok)
            let address = target.split(separator: "/").dropLast().joined(separator: "/")
            for (query, kept) in [
                ("", ""), ("?", ""), ("?tz=UTC&a=%20+b&a", "?tz=UTC&a=%20+b&a"), ("?q=é", "?q=%C3%A9"),
            ] {
                let response = try await town.send(.get, target + query)
                #expect(response.status.code == 301)
                #expect(response.headers.first("Location") == "/\(address)/zed\(kept)")
            }
        }
    }

    @Test func anErrorNamesTheRequest() async throws {
        let town = try await TestTown()
        let known = try await town.send(.get, "/nope", [("X-Request-ID", "me-1")])
        #expect(known.text.hasSuffix(#","request_id":"me-1"}}"#))
        let new = try await town.send(.get, "/nope", [("X-Request-ID", "m e")])
        #expect(new.text.contains(/,"request_id":"[0-9a-f]{16}"}}$/))
    }

    @Test func anImportThatIsRefused() async throws {
        let town = try await TestTown.peopled()
        let response = try await town.send(
            .post, "/api/v1/admin/import?format=json", as: .ada, body: #"{"nonsense":1}"#)
        #expect(response.status.code == 422)
        #expect(response.errorCode == "invalid_import")
        let body = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: [String: Any]]
        #expect(body?["error"]?["problems"] is [Any])
        #expect(body?["error"]?["message"] is String)
    }
}
