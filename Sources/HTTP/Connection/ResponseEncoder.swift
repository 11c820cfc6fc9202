import Bytes

/// Encodes responses (RFC 9112, section 4). It caches the fields that all responses within a second share.
struct ResponseEncoder {
    /// `Date`, `Server` and the fields of every response, each with a CR LF before it.
    private var commonFields: [UInt8] = []
    /// 200 up to the length of the body.
    private var plainStart: [UInt8] = []
    private let requiresHTTPS: Bool

    init(date: Timestamp, requiresHTTPS: Bool = false) {
        self.requiresHTTPS = requiresHTTPS
        setDate(date)
    }

    mutating func setDate(_ date: Timestamp) {
        commonFields = []
        commonFields.append("\r\nDate: ")
        commonFields.append(utf8: date.httpDate)
        commonFields.append("\r\nServer: sooke\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin")
        commonFields.append("\r\nCross-Origin-Resource-Policy: same-origin")
        if requiresHTTPS { commonFields.append("\r\nStrict-Transport-Security: max-age=31536000") }
        commonFields.append("\r\nContent-Security-Policy: default-src 'none'; base-uri 'none'")
        plainStart = []
        appendStart(.ok, .open, sources: nil, to: &plainStart)
        plainStart.append("\r\nContent-Length: ")
    }

    enum Persistence {
        /// The default of HTTP/1.1.
        case open
        /// For a client of HTTP/1.0 that requested it.
        case keepAlive
        case close
    }

    static func framing(of stream: BodyStream, isVersion10: Bool) -> OutgoingBody.Framing {
        if let length = stream.length { return .length(length) }
        return isVersion10 ? .untilClose : .chunked
    }

    /// For a streamed body, only the head.
    func encode(
        _ response: consuming Response, isHead: Bool, isVersion10: Bool = false, _ persistence: Persistence,
        _ id: RequestID, into output: inout OutputQueue
    ) {
        let status = response.status
        let framing: OutgoingBody.Framing =
            switch response.content {
            case .bytes(let bytes): .length(bytes.count)
            case .stream(let stream): Self.framing(of: stream, isVersion10: isVersion10)
            }
        output.append { bytes in
            if status.code == 200, persistence == .open, response.sources == nil, case .length(let length) = framing {
                bytes.append(contentsOf: plainStart)
                bytes.append(decimal: length)
            } else {
                appendStart(status, persistence, sources: response.sources, to: &bytes)
                if !status.forbidsBody { append(framing, to: &bytes) }
            }
            bytes.append(contentsOf: response.headers.lines)
            bytes.append("\r\nX-Request-ID: ")
            id.append(to: &bytes)
            bytes.append("\r\n\r\n")
        }
        if !isHead, !status.forbidsBody, case .bytes(let body) = response.content, !body.isEmpty {
            output.append(body: body)
        }
    }

    private func append(_ framing: OutgoingBody.Framing, to bytes: inout [UInt8]) {
        switch framing {
        case .length(let length):
            bytes.append("\r\nContent-Length: ")
            bytes.append(decimal: length)
        case .chunked: bytes.append("\r\nTransfer-Encoding: chunked")
        case .untilClose: break
        }
    }

    private func appendStart(_ status: Status, _ persistence: Persistence, sources: String?, to bytes: inout [UInt8]) {
        bytes.append("HTTP/1.1 ")
        bytes.append(decimal: status.code)
        bytes.append(" ")
        bytes.append(status.reason)
        bytes.append(contentsOf: commonFields)
        // The policy is the last of the common fields.
        if sources?.hasPrefix("frame-ancestors") != true { bytes.append("; frame-ancestors 'none'") }
        if let sources { bytes.append(utf8: "; \(sources)") }
        switch persistence {
        case .open: break
        case .keepAlive: bytes.append("\r\nConnection: keep-alive")
        case .close: bytes.append("\r\nConnection: close")
        }
    }
}

/// The unsent output of a connection, in order.
///
/// Heads and small bodies are joined, so that a pipeline of responses is sent in one write. A body at the end is sent
/// from its own array; when another response follows it is copied after all, unless it is large.
struct OutputQueue {
    private(set) var count = 0
    private var front: [UInt8] = []
    private var offset = 0
    /// After `front`; not copied.
    private var body: [UInt8] = []
    private var rest: [[UInt8]] = []

    var isEmpty: Bool { count == 0 }

    var memory: Int { count == 0 ? 0 : count + offset + front.capacity - front.count }

    /// Up to this size copying a body costs less than passing a second buffer to the system.
    static let smallBody = 4 * 1024
    /// From this size on a body is never copied.
    static let largeBody = 64 * 1024

    /// `write` only appends to its array.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        if rest.isEmpty, body.count < Self.largeBody {
            if !body.isEmpty {
                front.append(contentsOf: body)
                body = []
            }
            count -= front.count
            write(&front)
            count += front.count
        } else {
            if rest.isEmpty { rest.append([]) }
            let last = rest.count - 1
            count -= rest[last].count
            write(&rest[last])
            count += rest[last].count
        }
    }

    mutating func append(body newBody: consuming [UInt8]) {
        let size = newBody.count
        if rest.isEmpty, body.isEmpty, size > Self.smallBody {
            body = newBody
            count += size
        } else if size < Self.largeBody {
            append { [newBody] in $0.append(contentsOf: newBody) }
        } else {
            rest.append(newBody)
            rest.append([])
            count += size
        }
    }

    /// `send` returns how many bytes it sent or a negative number.
    mutating func sendFirst(
        _ send: (_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, _ moreFollows: Bool) -> Int
    ) -> (offered: Int, sent: Int) {
        let offered = front.count - offset + body.count
        let sent = front.withUnsafeBytes { front in
            body.withUnsafeBytes { body in
                send(UnsafeRawBufferPointer(rebasing: front[offset...]), body, count > offered)
            }
        }
        if sent > 0 { forget(sent) }
        if sent < offered { trim() }
        return (offered, sent)
    }

    /// When most of the first array is sent or free, since a slow client would occupy it for long.
    private mutating func trim() {
        guard front.capacity > 2 * (front.count - offset) + Self.smallBody else { return }
        front = Array(front[offset...])
        offset = 0
    }

    private mutating func forget(_ sent: Int) {
        count -= sent
        offset += sent
        guard count > 0 else { return reset() }
        while offset >= front.count, !body.isEmpty || !rest.isEmpty {
            offset -= front.count
            if body.isEmpty { front = rest.removeFirst() } else { front = body }
            body = []
        }
    }

    mutating func reset() {
        front.removeAll(keepingCapacity: true)
        if !body.isEmpty { body = [] }
        if !rest.isEmpty { rest = [] }
        (offset, count) = (0, 0)
    }

    mutating func borrowStorage(_ other: inout [UInt8]) {
        if isEmpty, front.capacity == 0 { swap(&front, &other) }
    }

    /// When the queue is empty, so that an idle connection occupies no memory. An array that is too large is released.
    mutating func returnStorage(_ other: inout [UInt8]) {
        guard isEmpty, front.capacity > 0 else { return }
        if other.capacity == 0, front.capacity <= Self.largestKept { swap(&front, &other) } else { front = [] }
    }

    private static let largestKept = 1024 * 1024
}

struct OutgoingBody {
    /// How the end of a body is marked (RFC 9112, section 6.3).
    enum Framing: Equatable {
        case length(Int)
        case chunked
        /// By closing the connection: HTTP/1.0 has no chunks.
        case untilClose
    }

    let stream: BodyStream
    let framing: Framing
    let status: Status
    let route: Int?
    private(set) var count = 0
    /// The source must call before the next part.
    var isPending = false
    /// The next part waits for its turn.
    var isQueued = false

    init(_ stream: BodyStream, _ framing: Framing, of response: Response) {
        (self.stream, self.framing) = (stream, framing)
        (status, route) = (response.status, response.route)
    }

    /// False when the bytes exceed the announced length.
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

    /// False when bytes are missing.
    func finish(_ output: inout OutputQueue) -> Bool {
        switch framing {
        case .length(let length): return count == length
        case .chunked: output.append { $0.append("0\r\n\r\n") }
        case .untilClose: break
        }
        return true
    }
}
