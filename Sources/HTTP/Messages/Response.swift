/// The response to a request.
///
/// The server adds `Content-Length` or `Transfer-Encoding`, `Date`, `Server`, `X-Content-Type-Options`, `X-Request-ID`
/// and, if it closes, `Connection`; it omits the body for `HEAD`, 204 and 304.
public struct Response: Sendable {
    /// The content of the body.
    public enum Content: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// Bytes that are produced while they are sent.
        case stream(BodyStream)
    }

    /// The status.
    public var status: Status
    /// The fields, without those that the server adds.
    public var headers: ResponseHeaders
    /// The body; for `HEAD` that of `GET`.
    public var content: Content
    /// The index of the route, as in `Captures.route`; nil when there was none. Not sent: for `AccessRecord`.
    public var route: Int?

    /// A response.
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
