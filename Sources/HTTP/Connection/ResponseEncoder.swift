import Bytes

/// Encodes responses (RFC 9112, section 4). It caches the fields that all responses within a second share.
struct ResponseEncoder {
    /// `Date`, `Server` and the fields for every body, each with a CR LF before it.
    private var commonFields: [UInt8] = []
    /// The start of most responses: 200 up to the length of the body.
    private var plainStart: [UInt8] = []

    /// `date` is the time for the `Date` field.
    init(date: Timestamp) {
        setDate(date)
    }

    /// Changes the time for the `Date` field.
    mutating func setDate(_ date: Timestamp) {
        commonFields = []
        commonFields.append("\r\nDate: ")
        commonFields.append(utf8: date.httpDate)
        commonFields.append("\r\nServer: sooke\r\nX-Content-Type-Options: nosniff")
        plainStart = []
        appendStart(.ok, .open, to: &plainStart)
        plainStart.append("\r\nContent-Length: ")
    }

    /// Whether the connection stays open after the response.
    enum Persistence {
        /// It stays open, the default of HTTP/1.1.
        case open
        /// It stays open for a client of HTTP/1.0 that requested it.
        case keepAlive
        /// It is closed after this response.
        case close
    }

    /// How the end of a streamed body is marked.
    static func framing(of stream: BodyStream, isVersion10: Bool) -> OutgoingBody.Framing {
        if let length = stream.length { return .length(length) }
        return isVersion10 ? .untilClose : .chunked
    }

    /// Appends a response to the output; for a streamed body, only the head.
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
            if status.code == 200, persistence == .open, case .length(let length) = framing {
                bytes.append(contentsOf: plainStart)
                bytes.append(decimal: length)
            } else {
                appendStart(status, persistence, to: &bytes)
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

    private func appendStart(_ status: Status, _ persistence: Persistence, to bytes: inout [UInt8]) {
        bytes.append("HTTP/1.1 ")
        bytes.append(decimal: status.code)
        bytes.append(" ")
        bytes.append(status.reason)
        bytes.append(contentsOf: commonFields)
        switch persistence {
        case .open: break
        case .keepAlive: bytes.append("\r\nConnection: keep-alive")
        case .close: bytes.append("\r\nConnection: close")
        }
    }
}
