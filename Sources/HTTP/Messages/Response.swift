/// The response to a request.
///
/// The server adds `Content-Length` or `Transfer-Encoding`, `Date`, `Server`, `X-Content-Type-Options`, `X-Request-ID`
/// and, where it closes, `Connection`; it leaves the body off for `HEAD`, 204 and 304.
public struct Response: Sendable {
    /// What the body consists of.
    public enum Content: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// Bytes that are produced while they are sent.
        case stream(BodyStream)
    }

    /// The status.
    public var status: Status
    /// The fields beside those the server adds.
    public var headers: ResponseHeaders
    /// The body; for `HEAD` the one that `GET` would have.
    public var content: Content
    /// Which route answered, as `Captures.route` counts; nil when none did. Not sent: for `AccessRecord`.
    public var route: Int?

    /// A response.
    public init(_ status: Status = .ok, headers: ResponseHeaders = ResponseHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, content) = (status, headers, .bytes(body))
    }

    /// A response with a body that is produced while it is sent.
    public init(_ status: Status = .ok, headers: ResponseHeaders = ResponseHeaders(), stream: BodyStream) {
        (self.status, self.headers, content) = (status, headers, .stream(stream))
    }

    /// The bytes of the body; none while it is a stream.
    public var body: [UInt8] {
        get { if case .bytes(let bytes) = content { bytes } else { [] } }
        set { content = .bytes(newValue) }
    }

    /// Whether the body is a stream.
    var isStreamed: Bool {
        if case .stream = content { true } else { false }
    }
}
