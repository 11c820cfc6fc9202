import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import ClientTestSupport
@testable import SookeClient

@Suite(.timeLimit(.minutes(20))) struct APIClientTests {
    private struct Thing: Codable, Sendable, Equatable {
        let id: Int
    }

    @Test func getSendsARequestAndDecodes() async throws {
        let server = MockServer { _ in (200, #"{"id":7,"more":null}"#) }
        let thing: Thing = try await server.client.get(
            "/api/v1/things", queryItems: [URLQueryItem("q", "a+b & c=é"), URLQueryItem("tz", "America/Vancouver")])
        #expect(thing == Thing(id: 7))
        let request = try #require(server.requests.first)
        #expect(request.target == "/api/v1/things?q=a%2Bb%20%26%20c%3D%C3%A9&tz=America/Vancouver")
        #expect(request.httpMethod == "GET")
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test(
        arguments: [
            ("/a", [], "https://h.example/a"), ("/a/b%2Fc%c3%a9", [], "https://h.example/a/b%2Fc%c3%a9"),
            ("/café zoë/100%/%zz", [], "https://h.example/caf%C3%A9%20zo%C3%AB/100%25/%25zz"),
            ("/a?b=c", [("d", "e")], "https://h.example/a?b=c&d=e"), ("/a", [("d", nil)], "https://h.example/a?d"),
            ("/<b>#\\", [], "https://h.example/%3Cb%3E%23%5C"), (APIPath.business("a/b?c#d%e"), [], nil),
            (APIPath.event(""), [], "https://h.example/api/v1/events/"),
        ] as [(String, [(String, String?)], String?)])
    func urls(path: String, items: [(String, String?)], url: String?) {
        let request = APIRequest(.get, path, queryItems: items.map { URLQueryItem(name: $0.0, value: $0.1) })
        let expected = url ?? "https://h.example/api/v1/businesses/a%2Fb%3Fc%23d%25e"
        #expect(request.url(of: "https://h.example")?.absoluteString == expected)
        #expect(request.url(of: "https://h.example/")?.absoluteString == expected)
    }

    @Test(arguments: ["", "town.example", "https://", "not a url", "http://[::1"])
    func invalidURLs(base: String) async {
        await #expect {
            let _: Thing = try await APIClient(baseURL: base).get("/a")
        } throws: {
            if case APIError.invalidURL = $0 { true } else { false }
        }
    }

    @Test func sendHasAllFields() async throws {
        let server = MockServer()
        let client = server.client.authenticated(with: "t0ken")
        var request = try APIRequest(.patch, "/a", body: JSONValue.object(["phone": .null, "id": .integer(3)]))
        (request.ifMatch, request.idempotencyKey, request.accept) = (#""a.b""#, "key", "text/csv")
        async let response: APIResponse<Thing> = client.send(request)
        let pending = await server.request(0)
        pending.respond(201, ["ETag": #""c.d""#], #"{"id":1}"#)
        #expect(try await response.value == Thing(id: 1))
        #expect(try await response.entityTag == #""c.d""#)
        #expect(try await response.statusCode == 201)
        let fields = [
            "Authorization": "Bearer t0ken", "If-Match": #""a.b""#, "Idempotency-Key": "key", "Accept": "text/csv",
            "Content-Type": "application/json",
        ]
        for (name, value) in fields { #expect(pending.request.value(forHTTPHeaderField: name) == value) }
        #expect(pending.request.httpMethod == "PATCH")
        #expect(try client.urlRequest(for: request).httpBody.map { $0.count } == #"{"phone":null,"id":3}"#.utf8.count)
    }

    @Test func errorsOfTheServer() async throws {
        let server = MockServer()
        let client = server.client
        async let refused = client.data(for: APIRequest(.delete, "/a"))
        await server.request(0).respond(
            412, ["ETag": #""n.m""#, "Retry-After": "7"],
            #"{"error":{"code":"c","message":"m","fields":{"name":"is empty"},"current":{"id":5,"a":[1.5,null,true]},"#
                + #""request_id":"r"}}"#)
        do {
            _ = try await refused
            Issue.record("412 is an error")
        } catch let error as APIError {
            #expect(error.statusCode == 412)
            #expect(error.errorDescription == "m (name: is empty)" && "\(error)" == "HTTP 412 c: m (name: is empty)")
            #expect(error.detail?.fields == ["name": "is empty"])
            #expect(error.detail?.requestID == "r")
            #expect(error.detail?.current?["a"] == .array([.number(1.5), .null, .bool(true)]))
            #expect(try error.detail?.current?.decoded(as: Thing.self) == Thing(id: 5))
            guard case .httpError(_, let response) = error else { return }
            #expect(response?.entityTag == #""n.m""#)
            #expect(response?.retryAfter == 7)
        }
    }

    @Test(arguments: [(500, "<html>", false), (404, Sample.notFound, true), (200, "{}", nil), (200, "", nil)])
    func errorsOfResponses(status: Int, body: String, isDescribed: Bool?) async {
        let server = MockServer { _ in (status, body) }
        do {
            let _: Thing = try await server.client.get("/a")
            Issue.record("it does not decode")
        } catch APIError.httpError(let code, let response) {
            #expect(code == status)
            #expect((response != nil) == isDescribed)
        } catch APIError.decodingError {
            #expect(isDescribed == nil)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func cancellationDropsTheAnswer() async {
        let server = MockServer()
        let client = server.client
        let task = Task { () async throws -> Thing in try await client.get("/a") }
        let pending = await server.request(0)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        pending.respond(200, [:], #"{"id":1}"#)
        let late = Task { () async throws -> Thing in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.get("/a")
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }
}
