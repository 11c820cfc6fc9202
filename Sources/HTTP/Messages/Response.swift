/// The answer to a request.
///
/// The server adds `Content-Length`, `Date`, `Server`, `X-Content-Type-Options`, `X-Request-ID` and, where it closes,
/// `Connection`; it leaves the body off for `HEAD`, 204 and 304.
public struct Response: Sendable {
    /// The status.
    public var status: Status
    /// The fields beside those the server adds.
    public var headers: ResponseHeaders
    /// The body; for `HEAD` the one that `GET` would have.
    public var body: [UInt8]
    /// Which route answered, as `Captures.route` counts; nil when none did. Not sent: for `AccessRecord`.
    public var route: Int?

    /// A response.
    public init(_ status: Status = .ok, headers: ResponseHeaders = ResponseHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}
