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
    /// A message for people.
    public var errorDescription: String? {
        switch self {
        case .httpError(let statusCode, let response):
            response?.error.message ?? "The server responded with status \(statusCode)."
        case .decodingError: "The response of the server could not be read."
        case .invalidURL: "The address of the server is not valid."
        }
    }
}
