/// The body of a response to a request that failed.
public struct APIErrorResponse: Codable, Sendable, Hashable {
    /// The error.
    public let error: APIErrorDetail
    /// The entity tag of the current version, from the header of the response.
    public internal(set) var entityTag: String?
    /// After how many seconds to try again, from the header of the response.
    public internal(set) var retryAfter: Int?

    private enum CodingKeys: CodingKey {
        case error
    }

    /// A response with an error.
    public init(error: APIErrorDetail) {
        self.error = error
    }
}

/// The description of an error by the server.
public struct APIErrorDetail: Codable, Sendable, Hashable {
    /// What kind of error it is, for programs: `not_found`, `invalid_input`, ….
    public let code: String
    /// What is wrong, for people.
    public let message: String
    /// The messages of invalid fields by their names (422).
    public let fields: [String: String]?
    /// The current version of the record that was to be changed (412).
    public let current: JSONValue?
    /// The ID of the request in the log of the server.
    public let requestID: String?

    private enum CodingKeys: String, CodingKey {
        case code, message, fields, current
        case requestID = "request_id"
    }

    /// An error.
    public init(
        code: String, message: String, fields: [String: String]? = nil, current: JSONValue? = nil,
        requestID: String? = nil
    ) {
        (self.code, self.message, self.fields, self.current) = (code, message, fields, current)
        self.requestID = requestID
    }
}
