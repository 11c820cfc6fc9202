import Foundation

/// A request to a town's server.
public struct APIRequest: Sendable {
    /// The method of a request.
    public enum Method: String, Sendable {
        case get = "GET"
        /// Creates, or does what the path names.
        case post = "POST"
        /// Changes some fields of a record.
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The method.
    public var method: Method
    /// The path, which starts with `/`; see `APIPath`.
    public var path: String
    /// The parameters, which are percent-encoded when the request is sent.
    public var queryItems: [URLQueryItem]
    /// The JSON body; nil for none.
    public var body: Data?
    /// The media type of the response.
    public var accept = "application/json"
    /// The entity tag of the version that a write changes; the server refuses to change another one (412).
    public var ifMatch: String?
    /// The key under which the server does the same `POST` only once.
    public var idempotencyKey: String?

    /// A request without a body.
    public init(_ method: Method, _ path: String, queryItems: [URLQueryItem] = []) {
        (self.method, self.path, self.queryItems) = (method, path, queryItems)
    }

    /// A request with a JSON body.
    public init(_ method: Method, _ path: String, queryItems: [URLQueryItem] = [], body: some Encodable) throws {
        self.init(method, path, queryItems: queryItems)
        self.body = try JSONEncoder().encode(body)
    }

    /// The URL on a server; nil if the base is not a URL with a scheme and a host.
    func url(of baseURL: String) -> URL? {
        guard let root = URL(string: baseURL), root.scheme != nil, root.host?.isEmpty == false else { return nil }
        let base = baseURL.hasSuffix("/") && path.hasPrefix("/") ? String(baseURL.dropLast()) : baseURL
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let ownQuery = parts.count == 2 ? [String(parts[1])] : []
        let query = (ownQuery + queryItems.map(\.percentEncoded)).joined(separator: "&")
        let text = base + String(parts[0]).percentEncodedPath + (query.isEmpty ? "" : "?" + query)
        return URL(string: text)
    }
}

/// A response of a town's server.
public struct APIResponse<Value: Sendable>: Sendable {
    /// The content.
    public let value: Value
    /// The status, 200 to 299.
    public let statusCode: Int
    /// The entity tag of the version that was read or written, with its quotation marks.
    public let entityTag: String?
}
