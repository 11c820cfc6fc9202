@testable import HTTP

/// Reads the framing of each message a second time, from its first byte to its last, in the plainest way there is.
struct MessageCheck {
    private let text: [UInt8]
    private var start = 0
    /// What was refused has a length that nobody looks at, and the next message begins behind it.
    private var isInStep = true

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// A refused request, whose body may be read over before the next.
    mutating func skip() {
        isInStep = false
    }

    /// A served request; so many bytes are left behind it.
    mutating func take(_ request: Request, left: Int) {
        let end = text.count - left
        defer { (start, isInStep) = (end, true) }
        guard isInStep else { return }
        var message = text[start..<end]
        if message.starts(with: Self.lineEnd) { message = message.dropFirst(2) }
        require(message.starts(with: "\(request.method.name) ".utf8), "a message that begins elsewhere")
        guard let head = Self.firstIndex(of: Self.lineEnd + Self.lineEnd, in: message) else {
            return require(false, "a message without a head")
        }
        let body = message[(head + 4)...]
        let isChunked = request.headers.first("Transfer-Encoding") != nil
        let whole = isChunked ? Self.unchunked(body) : Array(body)
        require(whole == request.body, "a body that is not between its head and the next message")
        if !isChunked {
            let length = request.headers.text("Content-Length").map { Int($0) } ?? 0
            require(length == body.count, "a body that is not as long as it says")
        }
    }

    /// The data of a chunked body that ends where these bytes do; nil when it does not.
    private static func unchunked(_ body: ArraySlice<UInt8>) -> [UInt8]? {
        var (rest, data): (ArraySlice<UInt8>, [UInt8]) = (body, [])
        while let lineEnd = firstIndex(of: Self.lineEnd, in: rest) {
            let digits = rest[..<lineEnd].prefix { Character(Unicode.Scalar($0)).isHexDigit }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
            rest = rest[(lineEnd + 2)...]
            if size == 0 {
                let isEnd = rest.elementsEqual(Self.lineEnd)
                let trailers = firstIndex(of: Self.lineEnd + Self.lineEnd, in: rest)
                return isEnd || trailers.map { $0 + 4 } == rest.endIndex ? data : nil
            }
            guard rest.count >= size + 2, rest.dropFirst(size).starts(with: Self.lineEnd) else { return nil }
            data += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }

    private static let lineEnd = Array("\r\n".utf8)

    private static func firstIndex(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: pattern) }
    }
}
