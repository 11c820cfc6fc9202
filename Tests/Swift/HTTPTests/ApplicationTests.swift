import Testing

@testable import HTTP

/// Responses without a server.
@Suite struct ApplicationTests {
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
}
