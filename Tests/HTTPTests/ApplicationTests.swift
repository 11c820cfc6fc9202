import Testing

@testable import HTTP

/// Several applications, and responses without a server.
@Suite struct ApplicationTests {
    private static func application(_ name: String) -> TestApplication {
        TestApplication(
            responder: { request throws(HTTPError) in
                if try request.query.first("missing") != nil { throw .notFound() }
                return .now(Response(body: Array(name.utf8)))
            },
            isPreferred: { _ in name == "api" }, form: "\(name): ")
    }

    private static let mounts: Mounts = {
        var mounts = Mounts(root: application("pages"))
        mounts.mount(application("api"), at: "/api")
        mounts.mount(application("newer"), at: "/api/v2")
        return mounts
    }()

    @Test(arguments: [
        ("/", "pages"), ("/ap", "pages"), ("/apiary", "pages"), ("/api", "api"), ("/api?q", "api"), ("/api/", "api"),
        ("/api/v1/a", "api"), ("/api/v22", "api"), ("/api/v2", "newer"), ("/api/v2/a/b", "newer"), ("/a/api", "pages"),
    ])
    func theLongestPrefixDecides(_ target: String, _ name: String) async throws {
        let request = try Request(.get, target)
        #expect(await Self.mounts.response(to: request).body == Array(name.utf8))
        #expect(Self.mounts.hasPriority(request) == (name == "api"))
        let refused = RefusedRequest(target: request.target)
        #expect(Self.mounts.response(refusing: refused, .overloaded).body == Array("\(name): overloaded".utf8))
        #expect(Self.mounts.response(to: request, failing: .overloaded).body == Array("\(name): overloaded".utf8))
    }

    @Test func eachRefusesInItsOwnForm() async throws {
        for (target, body) in [("/?missing=1", "pages: not_found"), ("/api/a?missing=1", "api: not_found")] {
            let response = await Self.mounts.response(to: try Request(.get, target))
            #expect(response.status == .notFound && response.body == Array(body.utf8))
        }
    }

    /// A later step changes or refuses an immediate and a deferred response in the same way.
    @Test(arguments: [false, true], ["changed", "refused"])
    func aResponseIsChangedNowAndLater(_ isDeferred: Bool, _ way: String) async throws {
        let application = TestApplication(responder: { _ throws(HTTPError) in
            let response: EventualResponse =
                isDeferred
                ? .later { deferred in deferred.send { () throws(HTTPError) in Response() } } : .now(Response())
            return try response.map { response throws(HTTPError) in
                if way == "refused" { throw .internalError }
                var response = response
                response.body = Array(way.utf8)
                return response
            }
        })
        let response = await application.response(to: try Request(.get, "/"))
        #expect(response.body == Array((way == "refused" ? "internal_error" : way).utf8))
    }

    @Test func aDroppedResponseIs500AfterEveryStep() async throws {
        let application = TestApplication(responder: { _ throws(HTTPError) in
            try EventualResponse.later { _ in }.map { response throws(HTTPError) in response }
        })
        #expect(await application.response(to: try Request(.get, "/")).status == .internalServerError)
    }

    @Test func aStreamIsReadToItsEnd() async throws {
        let application = TestApplication(responder: { _ in
            .now(
                Response(
                    stream: .written { output throws(BodyStream.Closed) in
                        for number in 0..<5 { try output([UInt8(number)]) }
                    }))
        })
        #expect(await application.response(to: try Request(.get, "/")).body == [0, 1, 2, 3, 4])
    }
}
