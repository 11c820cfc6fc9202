import Bytes
import Platform
import Synchronization

/// A complete request with its body. Path, query and fields are views of the received bytes that decode on demand.
package struct Request: Sendable {
    @usableFromInline let head: RequestHead
    package let method: Method
    package let body: [UInt8]
    package let peer: Peer
    /// Not assigned yet while the body is being admitted.
    package let id: RequestID
    package let permit: (any AnyObject & Sendable)?

    init(
        head: RequestHead, method: Method, body: [UInt8], permit: (any AnyObject & Sendable)?, peer: Peer, id: RequestID
    ) {
        (self.head, self.method, self.body, self.permit) = (head, method, body, permit)
        (self.peer, self.id) = (peer, id)
    }

    /// For tests and tools. `Host: localhost` and `Content-Length` are added. With a `Content-Length` among the fields
    /// and no body it is the request that `Application.admitBody` receives: its body has not arrived.
    package init(
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

    /// As received.
    package var target: ArraySlice<UInt8> { head.bytes[head.target.range] }

    package var path: Path { Path(bytes: head.bytes, range: head.path) }

    package var query: Query { Query(bytes: head.bytes, range: head.query) }

    /// 0 for a chunked body.
    package var announcedLength: Int { head.contentLength }

    @inlinable
    package var headers: Headers { Headers(head: head) }

    /// From a target in absolute form, else from `Host`, with its port if sent. Empty for HTTP/1.0 without `Host`.
    package var authority: ArraySlice<UInt8> { head.bytes[head.authority.range] }

    /// From a user that the kernel identifies.
    package var isLocal: Bool {
        if case .local = peer { true } else { false }
    }
}

package enum Peer: Sendable, Hashable {
    /// IPv4 in IPv6 is plain IPv4.
    case inet(address: String, port: UInt16, isLoopback: Bool)
    /// As identified by the kernel; the process is 0 if it is unknown.
    case local(uid: UInt32, pid: Int32)
}

extension Peer {
    var isOnThisMachine: Bool {
        switch self {
        case .inet(_, _, let isLoopback): isLoopback
        case .local: true
        }
    }

    /// The address of a client, or such as `uid:1000`.
    package var name: String {
        switch self {
        case .inet(let address, _, _): address
        case .local(let user, _): "uid:\(user)"
        }
    }
}

/// A value is a slice of the request's own bytes. Inlinable, so that a look-up of an absent field copies no references.
package struct Headers: Sendable {
    @usableFromInline let head: RequestHead

    @inlinable
    init(head: RequestHead) {
        self.head = head
    }

    package static let none = Headers(head: RequestHead())

    package var count: Int { head.fieldCount }

    /// Ignoring case; without surrounding white space.
    @inlinable
    package func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        head.mayHave(name) ? head.firstValue(name) : nil
    }

    /// Bytes that are not UTF-8 become U+FFFD.
    package func text(_ name: StaticString) -> String? {
        first(name).map { String(decoding: $0, as: UTF8.self) }
    }

    @inlinable
    package func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
        head.mayHave(name) ? head.values(name) : []
    }
}

/// The ID of a request in its response (`X-Request-ID`), in the access log and in error bodies: the one that was sent,
/// if that is short and has plain characters; otherwise 16 new hex digits.
///
/// A new one needs no lock and no allocation. A secret scrambles it, so that it does not reveal the number of requests.
package struct RequestID: Sendable, Equatable {
    private let received: [UInt8]
    private let value: UInt64

    /// `connection` is from `nextConnection`.
    init(_ head: borrowing RequestHead, connection: UInt64, number: UInt32) {
        if head.mayHave(Self.name), let sent = head.firstValue(Self.name), Self.isAcceptable(sent) {
            received = Array(sent)
        } else {
            received = []
        }
        value = connection << 32 | UInt64(number)
    }

    /// For a request without a connection.
    package init() {
        (received, value) = ([], Self.nextConnection() << 32)
    }

    static func nextConnection() -> UInt64 {
        connections.add(1, ordering: .relaxed).newValue
    }

    /// It may contain any text that a client pasted there.
    package var isReceived: Bool { !received.isEmpty }

    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// 1 to 64 letters, digits, dots, hyphens and underscores.
    package func append(to bytes: inout [UInt8]) {
        guard received.isEmpty else { return bytes.append(contentsOf: received) }
        var scrambler = SplitMix64(seed: value ^ Self.secret)
        bytes.append(hex: scrambler.next())
    }

    private static let name: StaticString = "x-request-id"
    private static let connections = Atomic<UInt64>(0)
    private static let secret = UInt64.random(in: 0 ... .max)

    private static func isAcceptable(_ sent: ArraySlice<UInt8>) -> Bool {
        1...64 ~= sent.count && sent.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "._-".utf8.contains($0) }
    }
}

extension ClientNetwork {
    package init(_ peer: Peer) {
        switch peer {
        case .local(let user, _): self.init(localUser: user)
        case .inet(let address, _, _):
            self.init(addressBytes: SocketAddress(host: address, port: 0)?.addressBytes ?? [])
        }
    }
}
