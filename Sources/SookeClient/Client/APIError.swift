import Foundation

/// Why a request failed.
public enum APIError: Error, Sendable {
    /// The server responded with a status outside 200 to 299, and with a description of the error if it is one of ours.
    case httpError(statusCode: Int, response: APIErrorResponse?)
    /// The response is not what was expected.
    case decodingError(any Error)
    /// The base and the path are not a URL of a server.
    case invalidURL

    /// The status of the response; nil if there was none, or if it could not be decoded.
    public var statusCode: Int? {
        if case .httpError(let statusCode, _) = self { statusCode } else { nil }
    }

    /// The description of the error by the server, if there is one.
    public var detail: APIErrorDetail? {
        if case .httpError(_, let response) = self { response?.error } else { nil }
    }
}

extension APIError: LocalizedError {
    /// A message.
    public var errorDescription: String? {
        switch self {
        case .httpError(let statusCode, let response):
            response?.error.text ?? "The server responded with status \(statusCode)."
        case .decodingError: "The response of the server could not be read."
        case .invalidURL: "The address of the server is not valid."
        }
    }
}

extension APIError: CustomStringConvertible {
    /// One line for a log, with the status, the code, and the messages of fields.
    public var description: String {
        switch self {
        case .httpError(let statusCode, let response): "HTTP \(statusCode)" + (response.map { " \($0.error)" } ?? "")
        case .decodingError(let error): "the response could not be read: \(error)"
        case .invalidURL: "the address of the server is not valid"
        }
    }
}

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
}

/// The description of an error by the server.
public struct APIErrorDetail: Codable, Sendable, Hashable {
    /// What kind of error it is, for programs: `not_found`, `invalid_input`, ….
    public let code: String
    /// What is wrong, as text.
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
}

extension APIErrorDetail: CustomStringConvertible {
    /// One line, such as `invalid_input: some fields are invalid (name: is missing)`.
    public var description: String { "\(code): \(text)" }

    /// The message, with those of the fields.
    var text: String {
        let fields = (fields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return message + (fields.isEmpty ? "" : " (\(fields.joined(separator: "; ")))")
    }
}
