import Foundation
import HTTP
import Platform
import Service
import Store
import TestSupport
import Testing

@testable import Dispatcher

/// Two applications of one server: pages, and an API below `/api` and `/live`.
@Suite struct DispatcherTests {
    private let town: DispatcherTown

    init() throws {
        town = try DispatcherTown()
    }

    @Test(arguments: [
        ("/", 200, "pages /"), ("/a", 200, "pages /{slug}"), ("/api/a", 200, "api /api/a"), ("/live", 200, "api /live"),
        ("/a/b", 404, "pages: not_found"), ("/apiary/b", 404, "pages: not_found"), ("/api/b", 404, "api: not_found"),
        ("/live/b", 404, "api: not_found"), ("/missing/", 404, "pages: not_found"), ("/api/gone", 410, "api: gone"),
    ])
    func eachRespondsInItsForm(_ target: String, _ status: Int, _ body: String) async throws {
        let response = await town.dispatcher.response(to: try Request(.get, target))
        #expect(response.status.code == status)
        #expect(String(decoding: response.body, as: UTF8.self) == body)
    }

    @Test func eachRefusesAMethodInItsForm() async throws {
        for (target, allow, body) in [
            ("/a", "GET, HEAD, OPTIONS", "pages: method_not_allowed"),
            ("/api/a", "GET, HEAD, POST, OPTIONS", "api: method_not_allowed"),
        ] {
            let response = await town.dispatcher.response(to: try Request(.delete, target))
            #expect(response.status == .methodNotAllowed && response.headers.first("Allow") == allow)
            #expect(response.body == Array(body.utf8))
        }
    }

    @Test func aDeferredErrorHasTheFormOfItsApplication() async throws {
        let request = try Request(.post, "/api/a", headers: [("Content-Type", "text/plain")], body: [1])
        let response = await town.dispatcher.response(to: request)
        #expect(response.status.code == 404 && response.body == Array("api: changed, not_found".utf8))
    }

    @Test(
        arguments: [
            ("/api/a", "text/plain", 4, nil), ("/api/a", "text/plain; charset=utf-8", 8 << 10, nil),
            ("/api/a", "text/plain", 8 << 10 + 1, 413), ("/api/a", "application/json", 4, 415),
            ("/nope/b", "text/plain", 4, 404),
            ("/a", "text/plain", 4, 405),
        ] as [(String, String, Int, Int?)])
    func bodies(_ target: String, _ type: String, _ length: Int, _ status: Int?) throws {
        let request = try Request(
            .post, target, headers: [("Content-Type", type), ("Content-Length", "\(length)")])
        do throws(HTTPError) {
            #expect(try town.dispatcher.admitBody(of: request).limit == 8 << 10)
            #expect(status == nil)
        } catch {
            #expect(error.status.code == status)
        }
    }

    @Test func whatIsServedBeyondTheLimitOfConnections() throws {
        for (target, hasPriority) in [("/live", true), ("/live?a", true), ("/live/a", false), ("/", false)] {
            #expect(town.dispatcher.hasPriority(try Request(.get, target)) == hasPriority)
        }
        #expect(town.dispatcher.hasPriority(try Request(.get, "/", peer: .local(uid: 0, pid: 0))))
    }

    /// The index in a response names the route in one table for both.
    @Test func theMetricsHaveTheRoutesOfBoth() async throws {
        let series = town.dispatcher.metrics.series
        #expect(
            series.map { "\($0.method) \($0.pattern)" } == [
                "GET /", "GET /{slug}", "GET /api/a", "POST /api/a", "GET /api/gone", "GET /live", " ",
            ])
        for (target, pattern) in [("/a", "/{slug}"), ("/api/a", "/api/a"), ("/api/gone", "/api/gone"), ("/b/c", "")] {
            let response = await town.dispatcher.response(to: try Request(.get, target))
            town.dispatcher.metrics.record(response.route, response.status, duration: 1)
            let counted = try #require(series.first { $0.pattern == pattern && $0.method != "POST" })
            #expect(counted.counts.responses.map(\.count) == [1], "\(target)")
        }
    }

    /// A step before the endpoints refuses for both, in the form of each.
    @Test func anotherHostIsRefusedInTheFormOfTheAddress() async throws {
        for (target, name) in [("/a", "pages"), ("/api/a", "api")] {
            let response = await town.dispatcher.response(
                to: try Request(.get, target, headers: [("Host", "evil.example")]))
            #expect(response.status.code == 421 && response.body == Array("\(name): misdirected_request".utf8))
        }
    }

    /// The server refuses some requests itself, as far as it could read them.
    @Test(arguments: [("", "api"), ("/a?b=/api", "pages"), ("/api?q", "api"), ("/api/v1/a", "api"), ("/ap", "pages")])
    func whatTheServerRefuses(_ target: String, _ name: String) {
        let refused = RefusedRequest(target: Array(target.utf8)[...])
        #expect(town.dispatcher.response(refusing: refused, .overloaded).body == Array("\(name): overloaded".utf8))
    }
}

/// Responds with its name and the pattern of the endpoint.
private struct TestPart: RoutedApplication {
    let name: String
    let endpoints: [(method: HTTP.Method, pattern: String, endpoint: Endpoint)]

    func response(_ outcome: Outcome, to call: Call) -> Response { Response() }

    func httpError(_ error: any Error, of call: Call) -> HTTPError {
        let error = HTTPError(error)
        return HTTPError(error.status, code: "changed, \(error.code)", message: error.message)
    }

    func response(failing error: HTTPError, _ id: RequestID?) -> Response {
        Response(error.status, headers: error.headers, body: Array("\(name): \(error.code)".utf8))
    }

    static func endpoint(_ text: String, hasPriority: Bool = false) -> Endpoint {
        Endpoint(.anyone, hasPriority: hasPriority, handler: .read { _ in Response(body: Array(text.utf8)) })
    }
}

/// An empty town with both applications.
private final class DispatcherTown {
    let dispatcher: Dispatcher
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-dispatch-\(UUID().uuidString)")

    init() throws {
        let clock = TestClock()
        let store = try Store.open(folder.path, options: StoreOptions(now: { clock.now }, onFailure: { _ in })).store
        let zones = TimeZones(file: TimeZoneDatabase().file(named:))
        let service = TownService(
            store: store, clock: clock.source, zones: zones, zone: try zones.zone(named: "Etc/UTC"))
        let pages = TestPart(
            name: "pages",
            endpoints: [
                (.get, "/", TestPart.endpoint("pages /")), (.get, "/{slug}", TestPart.endpoint("pages /{slug}")),
            ])
        let api = TestPart(
            name: "api",
            endpoints: [
                (.get, "/api/a", TestPart.endpoint("api /api/a")),
                (
                    .post, "/api/a",
                    Endpoint(
                        .anyone, body: .of("text/plain"),
                        handler: .async { _ in throw ServiceError.notFound(.address) })
                ),
                (
                    .get, "/api/gone",
                    Endpoint(.anyone, handler: .read { _ throws(HTTPError) in throw HTTPError(ServiceError.gone) })
                ),
                (.get, "/live", TestPart.endpoint("api /live", hasPriority: true)),
            ])
        dispatcher = Dispatcher(
            pages, api, service: service, crossOrigin: CrossOrigin(allowing: []), hosts: AllowedHosts(["town.example"]))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
