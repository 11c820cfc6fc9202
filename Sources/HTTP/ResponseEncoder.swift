import Bytes

/// Puts responses into bytes (RFC 9112, section 4). Keeps the fields that every response of a second shares.
struct ResponseEncoder {
    private var commonFields: [UInt8] = []

    /// `date` is the moment for the `Date` field.
    init(date: Timestamp) {
        setDate(date)
    }

    /// Changes the moment for the `Date` field.
    mutating func setDate(_ date: Timestamp) {
        commonFields.removeAll(keepingCapacity: true)
        commonFields.append("Date: ")
        commonFields.append(utf8: date.httpDate)
        commonFields.append("\r\nServer: sooke\r\n")
    }

    /// What an answer says about the connection.
    enum Persistence {
        /// It stays open, as HTTP/1.1 does unasked.
        case open
        /// It stays open for a client of HTTP/1.0 that asked for it.
        case keepAlive
        /// It is closed after this answer.
        case close
    }

    /// Appends a response to what a connection sends.
    func encode(
        _ response: consuming Response, isHead: Bool, _ persistence: Persistence, into output: inout OutputQueue
    ) {
        let status = response.status
        let length = response.body.count
        let sendsBody = !isHead && !status.forbidsBody && length > 0
        output.append { bytes in
            appendStatusLine(status, to: &bytes)
            bytes.append(contentsOf: commonFields)
            if !status.forbidsBody {
                bytes.append("Content-Length: ")
                bytes.append(decimal: length)
                bytes.append("\r\n")
            }
            switch persistence {
            case .open: break
            case .keepAlive: bytes.append("Connection: keep-alive\r\n")
            case .close: bytes.append("Connection: close\r\n")
            }
            bytes.append(contentsOf: response.headers.lines)
            bytes.append("\r\n")
        }
        if sendsBody { output.append(body: response.body) }
    }

    private func appendStatusLine(_ status: Status, to bytes: inout [UInt8]) {
        if status.code == 200 {
            bytes.append("HTTP/1.1 200 OK\r\n")
            return
        }
        bytes.append("HTTP/1.1 ")
        bytes.append(decimal: status.code)
        bytes.append(" ")
        bytes.append(status.reason)
        bytes.append("\r\n")
    }
}
