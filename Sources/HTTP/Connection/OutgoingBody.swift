/// A streamed body that is being sent.
struct OutgoingBody {
    /// How the end of a body is marked (RFC 9112, section 6.3).
    enum Framing: Equatable {
        /// By the length.
        case length(Int)
        case chunked
        /// By closing the connection: for HTTP/1.0, which has no chunks.
        case untilClose
    }

    let stream: BodyStream
    let framing: Framing
    let status: Status
    let route: Int?
    /// The bytes of the body so far.
    private(set) var count = 0
    /// Whether the source must call before the next part.
    var isPending = false

    init(_ stream: BodyStream, _ framing: Framing, of response: Response) {
        (self.stream, self.framing) = (stream, framing)
        (status, route) = (response.status, response.route)
    }

    /// Appends the next bytes to the output; false when they exceed the announced length.
    mutating func append(_ bytes: [UInt8], to output: inout OutputQueue) -> Bool {
        if bytes.isEmpty { return true }
        count += bytes.count
        switch framing {
        case .length(let length):
            guard count <= length else { return false }
            output.append(body: bytes)
        case .chunked:
            output.append {
                $0.append(utf8: String(bytes.count, radix: 16))
                $0.append("\r\n")
            }
            output.append(body: bytes)
            output.append { $0.append("\r\n") }
        case .untilClose:
            output.append(body: bytes)
        }
        return true
    }

    /// Appends the end of the body; false when bytes are missing.
    func finish(_ output: inout OutputQueue) -> Bool {
        switch framing {
        case .length(let length): return count == length
        case .chunked: output.append { $0.append("0\r\n\r\n") }
        case .untilClose: break
        }
        return true
    }
}
