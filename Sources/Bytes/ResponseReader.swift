/// Parses the bytes of HTTP/1.1 responses (RFC 9112, sections 4, 6 and 7) in pieces of any size.
///
/// It has no I/O and copies no body: it returns ranges of the input. Interim responses (1xx) are skipped. After the end
/// of a response `reset` prepares it for the next one.
public struct ResponseReader {
    /// The next event in the input.
    public enum Event: Equatable {
        /// The head is complete: `status`, `fields`, `contentType` and `staysOpen` are set.
        case head
        /// A part of the body: a range of the input.
        case body(Range<Int>)
        /// The response is complete.
        case end
        /// All input was consumed; more is needed.
        case needsMore
    }

    /// The bytes are not a valid response.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        /// What is wrong with them.
        public let description: String
    }

    private enum State {
        case statusLine
        case fields
        case sized(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        case done
    }

    /// The maximum length of the status line and all fields together, and of any line.
    public static let headLimit = 16 << 10

    /// The status code, after `head`.
    public private(set) var status = 0
    /// The fields of the head, in their order.
    public private(set) var fields: [(name: String, value: String)] = []
    /// The media type of the body; empty when the server states none.
    public private(set) var contentType: [UInt8] = []
    /// Whether another request may follow on the connection.
    public private(set) var staysOpen = true

    private var state = State.statusLine
    private var isResponseToHEAD: Bool
    private var isClosed = false
    private var length: Int?
    private var isChunked = false
    /// The bytes of the head so far.
    private var headCount = 0
    /// The beginning of an incomplete line.
    private var partialLine: [UInt8] = []

    /// A reader of a response.
    ///
    /// - Parameter isResponseToHEAD: whether it responds to a HEAD request and has no body.
    public init(isResponseToHEAD: Bool = false) {
        self.isResponseToHEAD = isResponseToHEAD
    }

    /// Begins another response, whatever the state of the last one.
    public mutating func reset(isResponseToHEAD: Bool = false) {
        (self.isResponseToHEAD, isClosed) = (isResponseToHEAD, false)
        state = .statusLine
        partialLine.removeAll(keepingCapacity: true)
        beginHead()
    }

    /// Ends the input.
    public mutating func close() {
        isClosed = true
    }

    /// The next event in the input from `offset` on, which moves past the consumed bytes.
    public mutating func next(_ input: Span<UInt8>, _ offset: inout Int) throws(Malformed) -> Event {
        while true {
            switch state {
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailer:
                guard let event = try takeLine(input, &offset) else { continue }
                return event
            case .sized(0):
                state = .done
            case .sized(let count):
                guard let part = take(upTo: count, input, &offset) else { return try more() }
                state = .sized(count - part.count)
                return .body(part)
            case .untilClose:
                if let part = take(upTo: .max, input, &offset) { return .body(part) }
                guard isClosed else { return .needsMore }
                state = .done
            case .chunk(let count):
                guard let part = take(upTo: count, input, &offset) else { return try more() }
                state = part.count == count ? .chunkEnd : .chunk(count - part.count)
                return .body(part)
            case .done:
                return .end
            }
        }
    }

    private func more() throws(Malformed) -> Event {
        if isClosed { throw Malformed(description: "it ended in the middle of its response") }
        return .needsMore
    }

    private func take(upTo count: Int, _ input: borrowing Span<UInt8>, _ offset: inout Int) -> Range<Int>? {
        guard offset < input.count else { return nil }
        let start = offset
        offset += min(count, input.count - offset)
        return start..<offset
    }

    /// Reads a line; nil when another event follows it.
    private mutating func takeLine(_ input: borrowing Span<UInt8>, _ offset: inout Int) throws(Malformed) -> Event? {
        let start = offset
        while offset < input.count, input[offset] != ASCII.lineFeed { offset &+= 1 }
        let isWhole = offset < input.count
        let count = partialLine.count + offset - start
        if count > Self.headLimit { throw Malformed(description: "a line of it is too long") }
        guard isWhole, partialLine.isEmpty else {
            for index in start..<offset { partialLine.append(input[index]) }
            guard isWhole else { return try more() }
            offset += 1
            var line: [UInt8] = []
            swap(&line, &partialLine)
            let event = try take(line: line.span)
            line.removeAll(keepingCapacity: true)
            swap(&line, &partialLine)
            return event
        }
        offset += 1
        return try take(line: input.extracting(start..<(offset - 1)))
    }

    private mutating func take(line whole: Span<UInt8>) throws(Malformed) -> Event? {
        let endsWithReturn = whole.count > 0 && whole[whole.count - 1] == ASCII.carriageReturn
        let line = whole.extracting(0..<(whole.count - (endsWithReturn ? 1 : 0)))
        switch state {
        case .statusLine:
            try readStatus(line)
            state = .fields
            headCount = whole.count + 1
        case .fields where line.isEmpty:
            return endHead()
        case .fields:
            headCount += whole.count + 1
            if headCount > Self.headLimit { throw Malformed(description: "the fields of its response are too long") }
            try readField(line)
        case .chunkSize:
            let size = try chunkSize(line)
            state = size == 0 ? .trailer : .chunk(size)
        case .chunkEnd:
            guard line.isEmpty else { throw Malformed(description: "a chunk is longer than it says") }
            state = .chunkSize
        case .trailer where line.isEmpty:
            state = .done
        default: break
        }
        return nil
    }
}

/// The head: the status line and the fields.
extension ResponseReader {
    private mutating func beginHead() {
        (length, isChunked, staysOpen) = (nil, false, true)
        fields.removeAll(keepingCapacity: true)
        contentType.removeAll(keepingCapacity: true)
    }

    private mutating func readStatus(_ line: Span<UInt8>) throws(Malformed) {
        guard line.count >= 12, line.extracting(0..<7).equalsIgnoringCase("HTTP/1."), ASCII.isDigit(line[7]),
            line[8] == UInt8(ascii: " "), line.count == 12 || line[12] == UInt8(ascii: " "),
            let status = decimal(line.extracting(9..<12)), 100...599 ~= status
        else { throw Malformed(description: "it does not speak HTTP") }
        self.status = status
        staysOpen = line[7] != UInt8(ascii: "0")
    }

    private mutating func readField(_ line: Span<UInt8>) throws(Malformed) {
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon &+= 1 }
        guard colon < line.count else { return }
        let name = line.extracting(0..<colon)
        let value = line.extracting(trimmed((colon + 1)..<line.count, of: line))
        fields.append((text(name), text(value)))
        if name.equalsIgnoringCase("content-length") {
            length = decimal(value)
            if length == nil { throw Malformed(description: "the length of its response is no number") }
        } else if name.equalsIgnoringCase("content-type") {
            contentType.removeAll(keepingCapacity: true)
            for index in 0..<value.count { contentType.append(value[index]) }
        } else if name.equalsIgnoringCase("transfer-encoding") {
            isChunked = value.equalsIgnoringCase("chunked")
        } else if name.equalsIgnoringCase("connection") {
            if value.equalsIgnoringCase("close") { staysOpen = false }
            if value.equalsIgnoringCase("keep-alive") { staysOpen = true }
        }
    }

    /// Decides how the body is framed (RFC 9112, section 6.3); nil after an interim response.
    private mutating func endHead() -> Event? {
        guard status >= 200 else {
            beginHead()
            state = .statusLine
            return nil
        }
        if isResponseToHEAD || status == 204 || status == 304 {
            state = .sized(0)
        } else if isChunked {
            state = .chunkSize
        } else if let length {
            state = .sized(length)
        } else {
            state = .untilClose
            staysOpen = false
        }
        return .head
    }

    private func chunkSize(_ line: Span<UInt8>) throws(Malformed) -> Int {
        var end = 0
        while end < line.count, line[end] != UInt8(ascii: ";") { end += 1 }
        let digits = line.extracting(trimmed(0..<end, of: line))
        var size = 0
        for index in 0..<digits.count {
            guard let value = ASCII.hexValue(digits[index]), size < 1 << 40 else {
                throw Malformed(description: "the size of a chunk is no number")
            }
            size = size << 4 | Int(value)
        }
        guard !digits.isEmpty else { throw Malformed(description: "the size of a chunk is missing") }
        return size
    }

    private func decimal(_ digits: Span<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        var number = 0
        for index in 0..<digits.count {
            guard let value = ASCII.decimalValue(digits[index]) else { return nil }
            number = number * 10 + value
        }
        return number
    }

    /// A range of a line without the blanks at both ends.
    private func trimmed(_ part: Range<Int>, of line: Span<UInt8>) -> Range<Int> {
        var (start, end) = (part.lowerBound, part.upperBound)
        while start < end, isBlank(line[start]) { start += 1 }
        while start < end, isBlank(line[end - 1]) { end -= 1 }
        return start..<end
    }

    private func text(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
