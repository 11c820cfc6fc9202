import Bytes

/// Reads requests of HTTP/1.1 and HTTP/1.0 (RFC 9112) from bytes that arrive in pieces of any size.
///
/// It has no I/O and no clock. Bytes are validated a line at a time, so that the result does not depend on the pieces.
struct RequestParser {
    enum Step: Equatable {
        case needMore
        /// `receiveBody` or `discardBody` must be called before `next`.
        case head
        /// With its body; `finish` must be called before `next`.
        case complete
        /// The end of the request is unknown: respond and close.
        case failed(ParseFailure)
    }

    enum State: Equatable {
        case requestLine, fields, headComplete
        case fixedBody(remaining: Int)
        case chunkedBody
        case complete
        case failed(ParseFailure)
    }

    let limits: ParserLimits
    var state = State.requestLine
    /// Valid from the step `.head` on, until `finish`.
    var head = RequestHead()
    /// As far as it has arrived, unless it is discarded.
    var body: [UInt8] = []
    /// Of the body, discarded or not.
    var bodyBytes = 0
    var bodyLimit = 0
    var keepsBody = false
    var permit: (any AnyObject & Sendable)?
    var chunk = ChunkReader()

    private(set) var isInsideRequest = false
    private var lineStart = 0
    private var scanned = 0
    private var fieldBytes = 0
    private var skippedEmptyLine = false

    init(limits: HTTPLimits) {
        self.limits = ParserLimits(limits)
    }

    mutating func next(_ input: Span<UInt8>, _ offset: inout Int) -> Step {
        switch state {
        case .requestLine, .fields: nextOfHead(input, &offset)
        case .headComplete: .head
        case .fixedBody(let remaining): nextOfFixedBody(input, &offset, remaining)
        case .chunkedBody: nextOfChunkedBody(input, &offset)
        case .complete: .complete
        case .failed(let failure): .failed(failure)
        }
    }

    var isInsideBody: Bool {
        switch state {
        case .fixedBody, .chunkedBody: true
        default: false
        }
    }

    /// After `.head`. A chunked body fails with `bodyTooLarge` beyond `limit` bytes; the caller has compared an
    /// announced length already. A permit that is a `BodyLease` grows with the body.
    mutating func receiveBody(limit: Int, permit: (any AnyObject & Sendable)? = nil) {
        keepsBody = true
        bodyLimit = limit
        self.permit = permit
        body = []
        if head.contentLength > 0 { body.reserveCapacity(firstReservation) }
        startBody()
    }

    mutating func discardBody() {
        keepsBody = false
        bodyLimit = .max
        startBody()
    }

    mutating func dropBody() {
        body = []
        permit = nil
    }

    func request(from peer: Peer, _ id: RequestID? = nil) -> Request? {
        let id = id ?? RequestID(head, connection: RequestID.nextConnection(), number: 0)
        return head.method.map { Request(head: head, method: $0, body: body, permit: permit, peer: peer, id: id) }
    }

    mutating func finish() {
        state = .requestLine
        isInsideRequest = false
        skippedEmptyLine = false
        if !body.isEmpty { body = [] }
        permit = nil
    }

    mutating func borrowStorage(_ other: inout RequestHead) {
        if !isInsideRequest, head.bytes.isEmpty { head.exchangeStorage(with: &other) }
    }

    /// Between requests, so that an idle connection occupies no memory.
    mutating func returnStorage(_ other: inout RequestHead) {
        guard !isInsideRequest, !head.bytes.isEmpty else { return }
        if other.bytes.isEmpty { head.exchangeStorage(with: &other) } else { head.dropStorage() }
    }

    mutating func fail(_ failure: ParseFailure) -> Step {
        state = .failed(failure)
        return .failed(failure)
    }

    private mutating func startBody() {
        bodyBytes = 0
        if head.isChunked {
            chunk = ChunkReader()
            state = .chunkedBody
        } else {
            state = head.contentLength > 0 ? .fixedBody(remaining: head.contentLength) : .complete
        }
    }

    private mutating func nextOfFixedBody(_ input: Span<UInt8>, _ offset: inout Int, _ remaining: Int) -> Step {
        let count = min(remaining, input.count - offset)
        do throws(ParseFailure) {
            try takeBody(input, offset..<(offset + count))
        } catch {
            return fail(error)
        }
        offset += count
        if count == remaining {
            state = .complete
            return .complete
        }
        state = .fixedBody(remaining: remaining - count)
        return .needMore
    }

    mutating func takeBody(_ input: Span<UInt8>, _ range: Range<Int>) throws(ParseFailure) {
        bodyBytes += range.count
        guard keepsBody else { return }
        let needed = body.count + range.count
        if needed > body.capacity { try growBody(to: needed) }
        body.append(input, range)
    }

    private mutating func growBody(to needed: Int) throws(ParseFailure) {
        let most = head.isChunked ? bodyLimit : head.contentLength
        let capacity = max(needed, min(2 * body.capacity, most))
        if let lease = permit as? BodyLease, !lease.grow(to: capacity) { throw .noRoomForBody }
        body.reserveCapacity(capacity)
    }

    /// Announcing a gigabyte costs the server nothing.
    var firstReservation: Int { min(head.contentLength, 8 * 1024) }
    /// More than most heads, but cheap to copy repeatedly for many small requests in one piece.
    private static let blockSize = 1024
}

extension RequestParser {
    private mutating func nextOfHead(_ input: Span<UInt8>, _ offset: inout Int) -> Step {
        if !isInsideRequest {
            guard offset < input.count else { return .needMore }
            isInsideRequest = true
            head.reset()
            (lineStart, scanned, fieldBytes) = (0, 0, 0)
        }
        while true {
            if let lineFeed = head.bytes.firstIndex(of: ASCII.lineFeed, in: scanned..<head.byteCount) {
                do throws(ParseFailure) {
                    try takeLine(to: lineFeed)
                } catch {
                    return fail(error)
                }
                lineStart = lineFeed + 1
                scanned = lineStart
                if state == .headComplete { return finishHead(&offset) }
            } else {
                scanned = head.byteCount
                if let failure = unfitLine(scanned - lineStart) { return fail(failure) }
                guard offset < input.count else { return .needMore }
                let end = min(offset + Self.blockSize, input.count)
                head.append(input, offset..<end)
                offset = end
            }
        }
    }

    /// Returns the bytes after the head to the input.
    private mutating func finishHead(_ offset: inout Int) -> Step {
        let surplus = head.byteCount - lineStart
        head.removeLast(surplus)
        offset -= surplus
        do throws(ParseFailure) {
            try head.complete()
        } catch {
            return fail(error)
        }
        return .head
    }

    /// Garbage, such as a TLS handshake, is refused at its first byte: its sender waits for the server.
    private func canStartRequest(_ byte: UInt8) -> Bool {
        ASCII.isTokenCharacter(byte) || !skippedEmptyLine && byte == ASCII.carriageReturn
    }

    /// Of a line of which `count` bytes have arrived, without its LF, with its CR if that has arrived. Inlined: a call
    /// would copy the parser.
    @inline(__always)
    private func unfitLine(_ count: Int) -> ParseFailure? {
        if state == .requestLine {
            if lineStart < head.byteCount, !canStartRequest(head.bytes[lineStart]) { return .badRequestLine }
            return count > limits.requestLine + 1 ? overlongRequestLine : nil
        }
        // The limit that is reached first decides, even if the line has passed both.
        let room = min(limits.field, limits.fields - fieldBytes)
        guard count > room + 1 else { return nil }
        return room == limits.field ? .fieldTooLong : .fieldsTooLong
    }

    /// The target or the method is too long. All known methods fit beside the longest target (RFC 9112, section 3).
    private var overlongRequestLine: ParseFailure {
        let start = head.bytes[lineStart..<(lineStart + limits.requestLine - limits.target)]
        guard let end = start.first(where: { !ASCII.isTokenCharacter($0) }) else { return .unknownMethod }
        return end == UInt8(ascii: " ") ? .targetTooLong : .badRequestLine
    }

    private mutating func takeLine(to lineFeed: Int) throws(ParseFailure) {
        if let failure = unfitLine(lineFeed - lineStart) { throw failure }
        guard lineFeed > lineStart, head.bytes[lineFeed - 1] == ASCII.carriageReturn else { throw .bareLineFeed }
        let line = lineStart..<(lineFeed - 1)
        if state == .requestLine {
            if line.isEmpty, !skippedEmptyLine {
                // RFC 9112, section 2.2: an empty line before a request is skipped.
                skippedEmptyLine = true
            } else {
                try head.takeRequestLine(line, limits)
                state = .fields
            }
        } else if line.isEmpty {
            state = .headComplete
        } else {
            guard head.fieldCount < limits.fieldCount else { throw .tooManyFields }
            fieldBytes += line.count
            try head.takeField(line)
        }
    }
}

extension [UInt8] {
    /// The standard library has no such `append` yet.
    mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        source.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

enum ParseFailure: Error, Equatable, CaseIterable, Sendable {
    case badRequestLine, bareLineFeed, badVersion, unsupportedVersion, unknownMethod
    case badTarget, nulInTarget, targetNotUTF8, aboveRoot, targetTooLong
    case badFieldName, foldedField, badFieldValue, fieldTooLong, fieldsTooLong, tooManyFields
    case missingHost, repeatedHost, badHost, repeatedField
    case badContentLength, badTransferEncoding, unknownTransferEncoding, ambiguousLength
    case unknownExpectation
    case badChunk, chunkOverheadTooLong, bodyTooLarge, noRoomForBody

    var error: HTTPError {
        switch self {
        case .unknownMethod:
            HTTPError(.notImplemented, code: "not_implemented", message: "this method is not supported")
        case .unsupportedVersion:
            HTTPError(
                .httpVersionNotSupported, code: "http_version_not_supported", message: "use HTTP/1.1 or HTTP/1.0")
        case .unknownTransferEncoding:
            HTTPError(.notImplemented, code: "not_implemented", message: "the only Transfer-Encoding here is chunked")
        case .targetTooLong:
            HTTPError(.uriTooLong, code: "uri_too_long", message: "the request target is too long")
        case .fieldTooLong, .fieldsTooLong, .tooManyFields:
            HTTPError(.requestHeaderFieldsTooLarge, code: "header_fields_too_large", message: message)
        case .unknownExpectation:
            HTTPError(
                .expectationFailed, code: "expectation_failed",
                message: "the only supported expectation is 100-continue")
        case .bodyTooLarge:
            HTTPError(.contentTooLarge, code: "content_too_large", message: "the body is larger than allowed here")
        case .noRoomForBody:
            .overloaded
        case .nulInTarget, .targetNotUTF8:
            .invalidParameter(message)
        default:
            HTTPError(.badRequest, code: "bad_request", message: message)
        }
    }

    private var message: String {
        switch self {
        case .badRequestLine: "the request line is not `METHOD target HTTP/1.1`"
        case .bareLineFeed: "lines must end in CR LF"
        case .badVersion: "the HTTP version cannot be read"
        case .badTarget: "the request target contains a character that is not allowed, or is not a path"
        case .nulInTarget: "the request target holds NUL"
        case .targetNotUTF8: "the request target contains bytes that are not UTF-8"
        case .aboveRoot: "the path leads above the root"
        case .badFieldName: "a header field has an invalid name"
        case .foldedField: "a header field continues on a second line"
        case .badFieldValue: "a header field contains a control character"
        case .fieldTooLong: "a header field is too long"
        case .fieldsTooLong: "the header fields are too long together"
        case .tooManyFields: "there are too many header fields"
        case .missingHost: "the Host field is missing"
        case .repeatedHost: "there is more than one Host field"
        case .badHost: "the host cannot be read"
        case .repeatedField: "there is more than one Authorization, Content-Type or Idempotency-Key field"
        case .badContentLength: "Content-Length is not one plain number"
        case .badTransferEncoding: "Transfer-Encoding is not the single word chunked"
        case .ambiguousLength: "Content-Length and Transfer-Encoding exclude each other"
        case .badChunk: "the chunked body cannot be read"
        case .chunkOverheadTooLong: "chunk extensions and trailers are too long"
        default: "the request cannot be read"
        }
    }
}
