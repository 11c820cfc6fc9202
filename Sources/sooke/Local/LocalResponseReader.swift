import Bytes

/// Takes the bytes of an HTTP/1.1 response apart (RFC 9112, sections 4, 6 and 7), however they arrive.
///
/// It does no input or output. Interim responses (1xx) are passed over.
struct LocalResponseReader {
    /// What the bytes so far hold.
    enum Event: Equatable {
        /// The status line and the fields are there.
        case head(Head)
        /// A part of the body.
        case body([UInt8])
        /// The response is whole.
        case end
        /// Nothing more until further bytes are fed.
        case needsMore
    }

    /// What comes before the body.
    struct Head: Equatable {
        let status: Int
        let contentType: String
    }

    /// Why the bytes are no response.
    struct Malformed: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private enum State {
        case head
        case sized(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        case done
    }

    /// The status line and all fields together are no longer than this.
    static let headLimit = 16 << 10

    private var state = State.head
    private var buffer: [UInt8] = []
    private var start = 0
    private var isClosed = false

    /// Takes further bytes.
    mutating func feed(_ bytes: [UInt8]) {
        buffer.removeFirst(start)
        start = 0
        buffer += bytes
    }

    /// No further bytes will come.
    mutating func close() {
        isClosed = true
    }

    /// The next thing that the bytes hold.
    mutating func next() throws(Malformed) -> Event {
        while true {
            switch state {
            case .head:
                guard let lines = try takeHead() else { return try more() }
                if let head = try read(lines) { return .head(head) }
            case .sized(let count):
                if count == 0 { return finish() }
                let part = take(upTo: count)
                if part.isEmpty { return try more() }
                state = .sized(count - part.count)
                return .body(part)
            case .untilClose:
                let part = take(upTo: .max)
                if !part.isEmpty { return .body(part) }
                return isClosed ? finish() : .needsMore
            case .chunkSize:
                guard let line = try takeLine() else { return try more() }
                let size = try chunkSize(line)
                state = size == 0 ? .trailer : .chunk(size)
            case .chunk(let count):
                let part = take(upTo: count)
                if part.isEmpty { return try more() }
                state = part.count == count ? .chunkEnd : .chunk(count - part.count)
                return .body(part)
            case .chunkEnd:
                guard let line = try takeLine() else { return try more() }
                guard line.isEmpty else { throw Malformed(description: "a chunk is longer than it says") }
                state = .chunkSize
            case .trailer:
                guard let line = try takeLine() else { return try more() }
                if line.isEmpty { return finish() }
            case .done:
                return .end
            }
        }
    }

    private func more() throws(Malformed) -> Event {
        if isClosed { throw Malformed(description: "it ended in the middle of its answer") }
        return .needsMore
    }

    private mutating func finish() -> Event {
        state = .done
        return .end
    }

    private mutating func take(upTo count: Int) -> [UInt8] {
        let part = Array(buffer[start...].prefix(count))
        start += part.count
        return part
    }

    /// A line without its CRLF; nil when it is not whole yet.
    private mutating func takeLine() throws(Malformed) -> [UInt8]? {
        guard let end = buffer[start...].firstIndex(of: ASCII.lineFeed) else {
            if buffer.count - start > Self.headLimit { throw Malformed(description: "a line of it is too long") }
            return nil
        }
        var line = Array(buffer[start..<end])
        if line.last == ASCII.carriageReturn { line.removeLast() }
        start = end + 1
        return line
    }

    /// The lines up to the empty one; nil when it is not there yet.
    private mutating func takeHead() throws(Malformed) -> [[UInt8]]? {
        let begin = start
        var lines: [[UInt8]] = []
        while let line = try takeLine() {
            if line.isEmpty { return lines }
            lines.append(line)
            if start - begin > Self.headLimit { throw Malformed(description: "the fields of its answer are too long") }
        }
        start = begin
        return nil
    }

    /// Decides how the body is framed (RFC 9112, section 6.3); nil for an interim response.
    private mutating func read(_ lines: [[UInt8]]) throws(Malformed) -> Head? {
        let words = lines.first?.split(separator: UInt8(ascii: " "), maxSplits: 2) ?? []
        guard words.count >= 2, words[0].starts(with: [UInt8]("HTTP/1.")), let status = decimal(words[1]),
            100...599 ~= status
        else { throw Malformed(description: "it does not speak HTTP") }
        if status < 200 { return nil }
        var contentType = ""
        var length: Int?
        var isChunked = false
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let (name, value) = (line[..<colon], trimmed(line[(colon + 1)...]))
            if ASCII.equalIgnoringCase(name, [UInt8]("content-type")) {
                contentType = String(decoding: value, as: UTF8.self)
            } else if ASCII.equalIgnoringCase(name, [UInt8]("content-length")) {
                length = decimal(value)
                if length == nil { throw Malformed(description: "the length of its answer is no number") }
            } else if ASCII.equalIgnoringCase(name, [UInt8]("transfer-encoding")) {
                isChunked = ASCII.equalIgnoringCase(value, [UInt8]("chunked"))
            }
        }
        if status == 204 || status == 304 {
            state = .sized(0)
        } else if isChunked {
            state = .chunkSize
        } else if let length {
            state = .sized(length)
        } else {
            state = .untilClose
        }
        return Head(status: status, contentType: contentType)
    }

    private func chunkSize(_ line: [UInt8]) throws(Malformed) -> Int {
        let digits = trimmed(line.prefix { $0 != UInt8(ascii: ";") })
        var size = 0
        for digit in digits {
            guard let value = ASCII.hexValue(digit), size < 1 << 40 else {
                throw Malformed(description: "the size of a chunk is no number")
            }
            size = size << 4 | Int(value)
        }
        guard !digits.isEmpty else { throw Malformed(description: "the size of a chunk is missing") }
        return size
    }

    private func decimal(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        var number = 0
        for digit in digits {
            guard let value = ASCII.decimalValue(digit) else { return nil }
            number = number * 10 + value
        }
        return number
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while bytes.first == UInt8(ascii: " ") || bytes.first == UInt8(ascii: "\t") { bytes.removeFirst() }
        while bytes.last == UInt8(ascii: " ") || bytes.last == UInt8(ascii: "\t") { bytes.removeLast() }
        return bytes
    }
}
