import Bytes

/// The response to a request.
///
/// The server adds `Content-Length` or `Transfer-Encoding`, `Date`, `Server`, `X-Content-Type-Options`,
/// `Referrer-Policy`, `Content-Security-Policy`, `X-Request-ID`, if its clients use HTTPS `Strict-Transport-Security`,
/// and, if it closes, `Connection`; it omits the body for `HEAD`, 204 and 304.
public struct Response: Sendable {
    /// The content of the body.
    public enum Content: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// Bytes that are produced while they are sent.
        case stream(BodyStream)
    }

    public var status: Status
    /// The fields, without those that the server adds.
    public var headers: ResponseHeaders
    /// The body; for `HEAD` that of `GET`.
    public var content: Content
    /// What a page may load, as directives of `Content-Security-Policy`, such as `style-src 'self'`. A response loads
    /// nothing else and cannot be framed.
    public var sources: String?
    /// The index of the route, as in `Captures.route`; nil when there was none. Not sent: for `AccessRecord`.
    public var route: Int?

    public init(_ status: Status = .ok, headers: ResponseHeaders = ResponseHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, content) = (status, headers, .bytes(body))
    }

    /// A response with a body that is produced while it is sent.
    public init(_ status: Status = .ok, headers: ResponseHeaders = ResponseHeaders(), stream: BodyStream) {
        (self.status, self.headers, content) = (status, headers, .stream(stream))
    }

    /// The bytes of the body; empty when it is a stream.
    public var body: [UInt8] {
        get { if case .bytes(let bytes) = content { bytes } else { [] } }
        set { content = .bytes(newValue) }
    }

    /// Whether the body is a stream.
    var isStreamed: Bool {
        if case .stream = content { true } else { false }
    }
}

/// The header fields of a response, in order, stored as the bytes that are sent.
///
/// Sending a block of fields that was created once (a `static let` of a resource) costs only the copy of its bytes.
///
/// ```swift
/// var headers: ResponseHeaders = ["Content-Type": "application/json"]
/// headers.add("ETag", etag)
/// ```
public struct ResponseHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// Lines `Name: value`, each with a CR LF before it.
    private(set) var lines: [UInt8] = []

    /// No field.
    public init() {}

    /// The fields in the order of the literal.
    public init(dictionaryLiteral fields: (StaticString, String)...) {
        for (name, value) in fields { add(name, value) }
    }

    /// Whether there is no field.
    public var isEmpty: Bool { lines.isEmpty }

    /// Adds a field at the end, even if the name exists already. CR, LF, NUL and every other control byte of the value
    /// become spaces (RFC 9110, section 5.5), so that no value can begin another field.
    public mutating func add(_ name: StaticString, _ value: String) {
        appendName(name)
        var value = value
        value.withUTF8 { appendValue($0) }
    }

    /// Adds a field at the end with a value of bytes; see `add(_:_:)`.
    public mutating func add(_ name: StaticString, bytes value: some Collection<UInt8>) {
        appendName(name)
        let done: Void? = value.withContiguousStorageIfAvailable { appendValue($0) }
        if done == nil { Array(value).withUnsafeBufferPointer { appendValue($0) } }
    }

    /// Replaces all fields with this name, ignoring case, by one.
    public mutating func set(_ name: StaticString, _ value: String) {
        let wanted = [UInt8](name)
        var kept: [UInt8] = []
        // Each line begins with its CR LF, and no value contains one.
        for line in lines.split(separator: ASCII.lineFeed) {
            let isNamed = line.firstIndex(of: UInt8(ascii: ":")).map {
                ASCII.equalIgnoringCase(line[..<$0], wanted)
            }
            if isNamed == false {
                kept += [ASCII.carriageReturn, ASCII.lineFeed] + line.filter { $0 != ASCII.carriageReturn }
            }
        }
        lines = kept
        add(name, value)
    }

    /// The value of the first field with this name, ignoring case.
    public func first(_ name: StaticString) -> String? {
        all(name).first
    }

    /// The values of all fields with this name, ignoring case, in order.
    public func all(_ name: StaticString) -> [String] {
        let wanted = [UInt8](name)
        return lines.split(separator: ASCII.lineFeed).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                ASCII.equalIgnoringCase(line[..<colon], wanted)
            else { return nil }
            let value = line[colon...].dropFirst(2)
            return String(decoding: value.last == ASCII.carriageReturn ? value.dropLast() : value, as: UTF8.self)
        }
    }

    /// About the length of a field; growth by doubling would copy the first fields of a response three times.
    private static let room = 64

    private mutating func appendName(_ name: StaticString) {
        assert(name.withUTF8Buffer { !$0.isEmpty && $0.allSatisfy(ASCII.isTokenCharacter) })
        if lines.capacity - lines.count < Self.room { lines.reserveCapacity(lines.count + 4 * Self.room) }
        lines.append("\r\n")
        lines.append(name)
        lines.append(": ")
    }

    private mutating func appendValue(_ value: UnsafeBufferPointer<UInt8>) {
        if value.contains(where: ASCII.isControl) {
            lines.append(contentsOf: value.lazy.map { ASCII.isControl($0) ? UInt8(ascii: " ") : $0 })
        } else {
            lines.append(contentsOf: value)
        }
    }
}

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
    /// 303
    public static let seeOther = Status(code: 303, reason: "See Other")
    /// 304
    public static let notModified = Status(code: 304, reason: "Not Modified")
    /// 307
    public static let temporaryRedirect = Status(code: 307, reason: "Temporary Redirect")
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
