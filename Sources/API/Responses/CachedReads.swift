import HTTP
import Service

/// Serves reads without an account from earlier responses, without a query.
struct CachedReads: Middleware {
    private let responses = ResponseCache()
    private let town: Town

    /// No response is stored yet.
    init(_ town: Town) {
        self.town = town
    }

    func respond(
        to request: Request, next: () throws(HTTPError) -> EventualResponse
    ) throws(HTTPError) -> EventualResponse {
        guard request.method == .get || request.method == .head, Call.isAnonymous(request),
            let response = responses.response(
                to: request.target, of: town.store.current.publicRevision, at: town.clock())
        else { return try next() }
        return .now(response)
    }

    /// Stores the response to a read for further requests with the same target, if it may be cached.
    func store(_ shown: CacheableResponse, for call: Call) -> Response {
        if let until = shown.until, call.caller == .anonymous {
            var stored = shown.response
            stored.route = call.captures.route
            CrossOrigin.markVarying(&stored)
            responses.store(stored, to: call.request.target, of: call.version.publicRevision, for: call.now...until)
        }
        return shown.response
    }
}
