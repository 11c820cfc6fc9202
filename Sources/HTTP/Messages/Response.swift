import Bytes

/// The server adds `Content-Length` or `Transfer-Encoding`, `Date`, `Server`, `X-Content-Type-Options`,
/// `Referrer-Policy`, `Cross-Origin-Resource-Policy`, `Content-Security-Policy`, `X-Request-ID`, if its clients use
/// HTTPS `Strict-Transport-Security`, and, if it closes, `Connection`; it omits the body for `HEAD`, 204 and 304.
package struct Response: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        case stream(BodyStream)
    }

    package var status: Status
    package var headers: ResponseHeaders
    /// For `HEAD` that of `GET`.
    package var content: Content
    /// Directives of `Content-Security-Policy`, such as `style-src 'self'`. A response loads nothing else and cannot be
    /// framed, unless they begin with `frame-ancestors`.
    package var sources: String?
    /// The index of the route, for `AccessRecord`.
    package var route: Int?

    package init(_ status: Status = .ok, headers: ResponseHeaders = ResponseHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, content) = (status, headers, .bytes(body))
    }

    package init(_ status: Status = .ok, headers: ResponseHeaders = ResponseHeaders(), stream: BodyStream) {
        (self.status, self.headers, content) = (status, headers, .stream(stream))
    }

    package var body: [UInt8] {
        get { if case .bytes(let bytes) = content { bytes } else { [] } }
        set { content = .bytes(newValue) }
    }

    var isStreamed: Bool {
        if case .stream = content { true } else { false }
    }
}

/// In order, stored as the bytes that are sent: sending fields that were created once costs only the copy.
package struct ResponseHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// Lines `Name: value`, each with a CR LF before it.
    private(set) var lines: [UInt8] = []

    package init() {}

    package init(dictionaryLiteral fields: (StaticString, String)...) {
        for (name, value) in fields { add(name, value) }
    }

    package var isEmpty: Bool { lines.isEmpty }

    /// At the end, even if the name exists already. Control bytes of the value become spaces (RFC 9110, section 5.5),
    /// so that no value can begin another field.
    package mutating func add(_ name: StaticString, _ value: String) {
        appendName(name)
        var value = value
        value.withUTF8 { appendValue($0) }
    }

    package mutating func add(_ name: StaticString, bytes value: some Collection<UInt8>) {
        appendName(name)
        let done: Void? = value.withContiguousStorageIfAvailable { appendValue($0) }
        if done == nil { Array(value).withUnsafeBufferPointer { appendValue($0) } }
    }

    /// All fields with this name, ignoring case.
    package mutating func set(_ name: StaticString, _ value: String) {
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

    /// Ignoring case.
    package func first(_ name: StaticString) -> String? {
        all(name).first
    }

    package func all(_ name: StaticString) -> [String] {
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

/// RFC 9110, section 15.
package struct Status: Sendable, Hashable {
    package let code: Int
    package let reason: StaticString

    package init(code: Int, reason: StaticString) {
        (self.code, self.reason) = (code, reason)
    }

    package static func == (left: Status, right: Status) -> Bool {
        left.code == right.code
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    /// RFC 9110, section 6.4.1.
    var forbidsBody: Bool { code == 204 || code == 304 || code < 200 }
}

extension Status {
    package static let ok = Status(code: 200, reason: "OK")
    package static let created = Status(code: 201, reason: "Created")
    package static let accepted = Status(code: 202, reason: "Accepted")
    package static let noContent = Status(code: 204, reason: "No Content")
    package static let movedPermanently = Status(code: 301, reason: "Moved Permanently")
    package static let found = Status(code: 302, reason: "Found")
    package static let seeOther = Status(code: 303, reason: "See Other")
    package static let notModified = Status(code: 304, reason: "Not Modified")
    package static let temporaryRedirect = Status(code: 307, reason: "Temporary Redirect")
    package static let badRequest = Status(code: 400, reason: "Bad Request")
    package static let unauthorized = Status(code: 401, reason: "Unauthorized")
    package static let forbidden = Status(code: 403, reason: "Forbidden")
    package static let notFound = Status(code: 404, reason: "Not Found")
    package static let methodNotAllowed = Status(code: 405, reason: "Method Not Allowed")
    package static let requestTimeout = Status(code: 408, reason: "Request Timeout")
    package static let conflict = Status(code: 409, reason: "Conflict")
    package static let gone = Status(code: 410, reason: "Gone")
    package static let preconditionFailed = Status(code: 412, reason: "Precondition Failed")
    package static let contentTooLarge = Status(code: 413, reason: "Content Too Large")
    package static let uriTooLong = Status(code: 414, reason: "URI Too Long")
    package static let unsupportedMediaType = Status(code: 415, reason: "Unsupported Media Type")
    package static let expectationFailed = Status(code: 417, reason: "Expectation Failed")
    package static let misdirectedRequest = Status(code: 421, reason: "Misdirected Request")
    package static let unprocessableContent = Status(code: 422, reason: "Unprocessable Content")
    package static let preconditionRequired = Status(code: 428, reason: "Precondition Required")
    package static let tooManyRequests = Status(code: 429, reason: "Too Many Requests")
    package static let requestHeaderFieldsTooLarge = Status(code: 431, reason: "Request Header Fields Too Large")
    package static let internalServerError = Status(code: 500, reason: "Internal Server Error")
    package static let notImplemented = Status(code: 501, reason: "Not Implemented")
    package static let serviceUnavailable = Status(code: 503, reason: "Service Unavailable")
    package static let httpVersionNotSupported = Status(code: 505, reason: "HTTP Version Not Supported")
    package static let insufficientStorage = Status(code: 507, reason: "Insufficient Storage")
}
