import Bytes
import Synchronization

/// The ID of a request in its response (`X-Request-ID`), in the access log and in error bodies.
///
/// It is the `X-Request-ID` that the client or a proxy sent, if that is short and has plain characters; otherwise 16
/// new hex digits. A new one costs neither a lock nor an allocation: it is computed from the numbers of the connection
/// and of the request on it, scrambled with a secret of the process, so that it does not reveal the number of requests.
public struct RequestID: Sendable, Equatable {
    /// The ID that was sent; empty when the ID is new.
    private let received: [UInt8]
    private let value: UInt64

    /// The ID of a request.
    ///
    /// - Parameters:
    ///   - head: the head of the request, as far as it could be read.
    /// - connection: the number of its connection, from `nextConnection`.
    /// - number: the number of the request on that connection.
    init(_ head: borrowing RequestHead, connection: UInt64, number: UInt32) {
        if head.mayHave(Self.name), let sent = head.firstValue(Self.name), Self.isAcceptable(sent) {
            received = Array(sent)
        } else {
            received = []
        }
        value = connection << 32 | UInt64(number)
    }

    /// A new ID, for a request without a connection.
    public init() {
        (received, value) = ([], Self.nextConnection() << 32)
    }

    /// The number for a new connection.
    static func nextConnection() -> UInt64 {
        connections.add(1, ordering: .relaxed).newValue
    }

    /// Whether the ID was sent, and so may contain any text that a client pasted there.
    public var isReceived: Bool { !received.isEmpty }

    /// The ID as text.
    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the ID: 1 to 64 letters, digits, dots, hyphens and underscores.
    public func append(to bytes: inout [UInt8]) {
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
