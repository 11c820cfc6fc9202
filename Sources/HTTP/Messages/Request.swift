import Bytes

/// A complete request with its body.
///
/// It refers to the received bytes; path, query and fields are views of them that decode on demand.
public struct Request: Sendable {
    @usableFromInline let head: RequestHead
    /// The method.
    public let method: Method
    /// The body, empty when there is none.
    public let body: [UInt8]
    /// The sender.
    public let peer: Peer
    /// The ID in the response and in the log. It is not assigned yet while the body is being admitted.
    public let id: RequestID
    /// The permit from `BodyAdmission`.
    public let permit: (any AnyObject & Sendable)?

    init(
        head: RequestHead, method: Method, body: [UInt8], permit: (any AnyObject & Sendable)?, peer: Peer, id: RequestID
    ) {
        (self.head, self.method, self.body, self.permit) = (head, method, body, permit)
        (self.peer, self.id) = (peer, id)
    }

    /// A request for tests and tools, read by the same parser that reads a connection.
    ///
    /// `Host: localhost` and `Content-Length` are added. With a `Content-Length` among the fields and no body it is the
    /// request that `Application.admitBody` receives: its body has not arrived.
    ///
    /// - Throws: the `HTTPError` of the server's response.
    public init(
        _ method: Method, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        peer: Peer = .inet(address: "127.0.0.1", port: 1, isLoopback: true)
    ) throws(HTTPError) {
        var text = [UInt8](method.name)
        text.append(utf8: " \(target) HTTP/1.1\r\n")
        for (name, value) in headers { text.append(utf8: "\(name): \(value)\r\n") }
        if !headers.contains(where: { $0.name.lowercased() == "host" }) { text.append("Host: localhost\r\n") }
        if !body.isEmpty { text.append(utf8: "Content-Length: \(body.count)\r\n") }
        text.append("\r\n")
        text.append(contentsOf: body)

        var parser = RequestParser(limits: HTTPLimits())
        var offset = 0
        while true {
            switch parser.next(text.span, &offset) {
            case .head:
                if let refusal = parser.head.refusal { throw refusal.error }
                parser.receiveBody(limit: body.count)
            case .complete:
                guard let request = parser.request(from: peer) else { throw ParseFailure.unknownMethod.error }
                self = request
                return
            case .failed(let failure): throw failure.error
            case .needMore:
                guard body.isEmpty, parser.isInsideBody, let request = parser.request(from: peer) else {
                    throw ParseFailure.badRequestLine.error
                }
                self = request
                return
            }
        }
    }

    /// The request target as received.
    public var target: ArraySlice<UInt8> { head.bytes[head.target.range] }

    /// The path.
    public var path: Path { Path(bytes: head.bytes, range: head.path) }

    /// The query.
    public var query: Query { Query(bytes: head.bytes, range: head.query) }

    /// The announced length of the body; 0 for a chunked body.
    public var announcedLength: Int { head.contentLength }

    /// The header fields.
    @inlinable
    public var headers: Headers { Headers(head: head) }

    /// The host, with its port if one was sent: from a target in absolute form, else from `Host`. Empty for an HTTP/1.0
    /// request without it.
    public var authority: ArraySlice<UInt8> { head.bytes[head.authority.range] }

    /// Whether it came over a unix socket, from a user that the kernel identifies.
    public var isLocal: Bool {
        if case .local = peer { true } else { false }
    }
}

/// The other end of a connection.
public enum Peer: Sendable, Hashable {
    /// A TCP client: its address as text (IPv4 in IPv6 as plain IPv4), its port, and whether it is on this machine.
    case inet(address: String, port: UInt16, isLoopback: Bool)
    /// A client of a unix socket, with the user and process as identified by the kernel; the process is 0 if it is
    /// unknown.
    case local(uid: UInt32, pid: Int32)
}

extension Peer {
    /// The address of a client, or the user on this machine, as `uid:1000`.
    public var name: String {
        switch self {
        case .inet(let address, _, _): address
        case .local(let user, _): "uid:\(user)"
        }
    }
}
