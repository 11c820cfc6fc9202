import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests to a town's server.
///
/// ```swift
/// let client = APIClient(baseURL: "https://town.example")
/// let page: PaginatedResponse<Business> = try await client.get(
///     APIPath.businesses, queryItems: [URLQueryItem(name: "search", value: "café")])
/// ```
///
/// A client is immutable: `authenticated(with:)` makes another one for an account. All requests go through its session.
/// Cancelling the task of a request throws `CancellationError` at once. It ends the request, or on Linux drops its
/// answer.
public final class APIClient: Sendable {
    /// The address of the server, without the path of the API.
    public let baseURL: String
    /// The session that sends all requests.
    public let session: URLSession
    /// The token of the account; nil for requests without an account.
    public let token: String?

    /// A client of the server at `baseURL`.
    public init(baseURL: String, session: URLSession = .shared, token: String? = nil) {
        (self.baseURL, self.session, self.token) = (baseURL, session, token)
    }

    /// A client of the same server for another account, or without an account.
    public func authenticated(with token: String?) -> APIClient {
        APIClient(baseURL: baseURL, session: session, token: token)
    }

    /// Reads what is at a path.
    ///
    /// - Parameter path: starts with `/`. Percent-escapes are sent as they are, all other characters that cannot be in
    ///   a path are percent-encoded. `APIPath` makes paths of slugs.
    /// - Throws: `APIError`; `CancellationError`; errors of the session.
    public func get<T: Codable & Sendable>(_ path: String, queryItems: [URLQueryItem] = []) async throws -> T {
        try await send(APIRequest(.get, path, queryItems: queryItems)).value
    }

    /// Sends a request and decodes the response.
    ///
    /// - Throws: `APIError`; `CancellationError`; errors of the session.
    public func send<T: Decodable & Sendable>(_ request: APIRequest) async throws -> APIResponse<T> {
        try await data(for: request).decoded()
    }

    /// Sends a request and returns the body of the response as it is; for responses without a body.
    @discardableResult
    public func data(for request: APIRequest) async throws -> APIResponse<Data> {
        let (data, response) = try await load(urlRequest(for: request))
        guard let response = response as? HTTPURLResponse else { throw APIError.invalidURL }
        let entityTag = response.value(forHTTPHeaderField: "ETag")
        guard 200...299 ~= response.statusCode else {
            var error = try? JSONDecoder().decode(APIErrorResponse.self, from: data)
            error?.entityTag = entityTag
            error?.retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            throw APIError.httpError(statusCode: response.statusCode, response: error)
        }
        return APIResponse(value: data, statusCode: response.statusCode, entityTag: entityTag)
    }

    func urlRequest(for request: APIRequest) throws(APIError) -> URLRequest {
        guard let url = request.url(of: baseURL) else { throw .invalidURL }
        var result = URLRequest(url: url)
        result.httpMethod = request.method.rawValue
        result.httpBody = request.body
        let fields: [(name: String, value: String?)] = [
            ("Accept", request.accept), ("Content-Type", request.body == nil ? nil : "application/json"),
            ("Authorization", token.map { "Bearer \($0)" }), ("If-Match", request.ifMatch),
            ("Idempotency-Key", request.idempotencyKey),
        ]
        for (name, value) in fields { result.setValue(value, forHTTPHeaderField: name) }
        return result
    }

    private func load(_ request: URLRequest) async throws -> (Data, URLResponse) {
        do {
            #if canImport(FoundationNetworking)
                return try await session.droppableData(for: request)
            #else
                return try await session.data(for: request)
            #endif
        } catch  where error.isCancellation {
            throw CancellationError()
        }
    }
}

extension APIResponse<Data> {
    fileprivate func decoded<T: Decodable>() throws(APIError) -> APIResponse<T> {
        do {
            let value = try JSONDecoder().decode(T.self, from: value)
            return APIResponse<T>(value: value, statusCode: statusCode, entityTag: entityTag)
        } catch {
            throw .decodingError(error)
        }
    }
}

extension Error {
    var isCancellation: Bool {
        if self is CancellationError { return true }
        let error = self as NSError
        return error.domain == NSURLErrorDomain && error.code == NSURLErrorCancelled
    }
}

#if canImport(FoundationNetworking)
    extension URLSession {
        /// Sends a request, and waits for its answer, which a cancellation drops.
        ///
        /// `URLSessionTask.cancel()` is not called: on Linux it waits for the queue of the session, which may wait for
        /// the task that is cancelled, and it races with what the session receives, so that the process hangs or ends.
        fileprivate func droppableData(for request: URLRequest) async throws -> (Data, URLResponse) {
            try Task.checkCancellation()
            let (answers, continuation) = AsyncThrowingStream.makeStream(of: (Data, URLResponse).self)
            dataTask(with: request) { data, response, error in
                if let data, let response, error == nil {
                    continuation.yield((data, response))
                } else {
                    continuation.finish(throwing: error ?? URLError(.badServerResponse))
                }
            }.resume()
            for try await answer in answers { return answer }
            throw CancellationError()
        }
    }
#endif
