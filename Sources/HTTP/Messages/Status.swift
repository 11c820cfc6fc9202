/// The status of a response (RFC 9110, section 15): a code of three digits and a reason phrase.
public struct Status: Sendable, Hashable {
    /// The code, 100 to 599.
    public let code: Int
    /// The reason phrase.
    public let reason: StaticString

    /// A status; `code` has three digits.
    public init(code: Int, reason: StaticString) {
        (self.code, self.reason) = (code, reason)
    }

    /// Statuses are equal when their codes are.
    public static func == (left: Status, right: Status) -> Bool {
        left.code == right.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    /// Whether the status forbids a body, whatever the method (RFC 9110, section 6.4.1).
    var forbidsBody: Bool { code == 204 || code == 304 || code < 200 }
}

extension Status {
    /// 200
    public static let ok = Status(code: 200, reason: "OK")
    /// 201
    public static let created = Status(code: 201, reason: "Created")
    /// 204
    public static let noContent = Status(code: 204, reason: "No Content")
    /// 301
    public static let movedPermanently = Status(code: 301, reason: "Moved Permanently")
    /// 302
    public static let found = Status(code: 302, reason: "Found")
    /// 304
    public static let notModified = Status(code: 304, reason: "Not Modified")
    /// 400
    public static let badRequest = Status(code: 400, reason: "Bad Request")
    /// 401
    public static let unauthorized = Status(code: 401, reason: "Unauthorized")
    /// 403
    public static let forbidden = Status(code: 403, reason: "Forbidden")
    /// 404
    public static let notFound = Status(code: 404, reason: "Not Found")
    /// 405
    public static let methodNotAllowed = Status(code: 405, reason: "Method Not Allowed")
    /// 408
    public static let requestTimeout = Status(code: 408, reason: "Request Timeout")
    /// 409
    public static let conflict = Status(code: 409, reason: "Conflict")
    /// 410
    public static let gone = Status(code: 410, reason: "Gone")
    /// 412
    public static let preconditionFailed = Status(code: 412, reason: "Precondition Failed")
    /// 413
    public static let contentTooLarge = Status(code: 413, reason: "Content Too Large")
    /// 414
    public static let uriTooLong = Status(code: 414, reason: "URI Too Long")
    /// 415
    public static let unsupportedMediaType = Status(code: 415, reason: "Unsupported Media Type")
    /// 417
    public static let expectationFailed = Status(code: 417, reason: "Expectation Failed")
    /// 421
    public static let misdirectedRequest = Status(code: 421, reason: "Misdirected Request")
    /// 422
    public static let unprocessableContent = Status(code: 422, reason: "Unprocessable Content")
    /// 428
    public static let preconditionRequired = Status(code: 428, reason: "Precondition Required")
    /// 429
    public static let tooManyRequests = Status(code: 429, reason: "Too Many Requests")
    /// 431
    public static let requestHeaderFieldsTooLarge = Status(code: 431, reason: "Request Header Fields Too Large")
    /// 500
    public static let internalServerError = Status(code: 500, reason: "Internal Server Error")
    /// 501
    public static let notImplemented = Status(code: 501, reason: "Not Implemented")
    /// 503
    public static let serviceUnavailable = Status(code: 503, reason: "Service Unavailable")
    /// 505
    public static let httpVersionNotSupported = Status(code: 505, reason: "HTTP Version Not Supported")
    /// 507
    public static let insufficientStorage = Status(code: 507, reason: "Insufficient Storage")
}
