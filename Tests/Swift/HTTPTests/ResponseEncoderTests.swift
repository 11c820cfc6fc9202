import Bytes
import Testing

@testable import HTTP

@Suite struct ResponseEncoderTests {
    private static let id = RequestID(
        RequestHead.read("GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID: me\r\n\r\n"), connection: 1, number: 1)
    private static let idLine = "\r\nX-Request-ID: me"

    /// A response without its last field, the ID of the request.
    private func encoded(
        _ response: Response, isHead: Bool = false, _ persistence: ResponseEncoder.Persistence = .open,
        requiresHTTPS: Bool = false
    ) -> String {
        let encoder = ResponseEncoder(date: Timestamp(clampingSeconds: 1_795_253_400), requiresHTTPS: requiresHTTPS)
        var output = OutputQueue()
        encoder.encode(response, isHead: isHead, persistence, Self.id, into: &output)
        let text = output.takeText()
        #expect(text.contains(Self.idLine + "\r\n\r\n"))
        return text.replacing(Self.idLine, with: "")
    }

    private let common = """
        Date: Sat, 21 Nov 2026 09:30:00 GMT\r
        Server: sooke\r
        X-Content-Type-Options: nosniff\r
        Referrer-Policy: same-origin\r
        Cross-Origin-Resource-Policy: same-origin\r
        Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'\r

        """

    @Test func plain() {
        let response = Response(headers: ["Content-Type": "text/plain", "ETag": "\"a\""], body: Array("hello".utf8))
        #expect(
            encoded(response)
                == "HTTP/1.1 200 OK\r\n\(common)Content-Length: 5\r\nContent-Type: text/plain\r\nETag: \"a\"\r\n\r\nhello"
        )
    }

    @Test func headHasTheLengthOfTheBodyItLeavesOff() {
        #expect(
            encoded(Response(body: [1, 2, 3]), isHead: true) == "HTTP/1.1 200 OK\r\n\(common)Content-Length: 3\r\n\r\n")
    }

    @Test(arguments: [Status.noContent, .notModified])
    func statusesWithoutBody(_ status: Status) {
        let response = Response(status, headers: ["ETag": "\"a\""], body: [1, 2, 3])
        #expect(encoded(response) == "HTTP/1.1 \(status.code) \(status.reason)\r\n\(common)ETag: \"a\"\r\n\r\n")
    }

    @Test func persistence() {
        #expect(encoded(Response(), .close).contains("\r\nConnection: close\r\n"))
        #expect(encoded(Response(), .keepAlive).contains("\r\nConnection: keep-alive\r\n"))
        #expect(!encoded(Response(), .open).contains("Connection"))
        let strict = "\r\nStrict-Transport-Security: max-age=31536000\r\n"
        #expect(encoded(Response(.notFound), .close, requiresHTTPS: true).contains(strict))
        #expect(!encoded(Response()).contains("Strict"))
    }

    @Test func noValueMakesAnotherField() {
        var headers = ResponseHeaders()
        headers.add("Location", "/a\r\nSet-Cookie: b\r\n\r\n\0c")
        headers.add("X", bytes: [0x61, 0x0A, 0x62].reversed())
        #expect(headers.first("location") == "/a  Set-Cookie: b     c")
        #expect(headers.first("X") == "b a")
        let text = encoded(Response(headers: headers))
        #expect(text.split(separator: "\r\n").count == 10)
        #expect(!text.contains("\0"))
    }

    /// Large bodies are queued as they are, small ones copied: the bytes on the wire are the same.
    @Test(
        arguments: [0, 1, 4096, 4097, OutputQueue.largeBody - 1, OutputQueue.largeBody, OutputQueue.largeBody * 3],
        [100, 4300, 50_000, .max])
    func bodiesOfEverySize(_ size: Int, sentBy step: Int) {
        let body = (0..<size).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        let encoder = ResponseEncoder(date: Timestamp.epoch)
        var output = OutputQueue()
        for _ in 0..<3 { encoder.encode(Response(body: body), isHead: false, .open, Self.id, into: &output) }
        let one = encoded(Response(body: body)).utf8.count + Self.idLine.utf8.count
        #expect(output.count == 3 * one)
        var sent: [UInt8] = []
        while !output.isEmpty {
            let left = output.count
            _ = output.sendFirst { first, second, moreFollows in
                let bytes = Array(first) + Array(second)
                #expect(moreFollows == (bytes.count < left))
                sent += bytes.prefix(step)
                return min(bytes.count, step)
            }
        }
        #expect(sent.count == 3 * one)
        for number in 1...3 { #expect(sent.prefix(number * one).suffix(size) == body[...]) }
        #expect(output.isEmpty && output.count == 0)
    }

    /// A page may have its own style and nothing else.
    @Test(arguments: [ResponseEncoder.Persistence.open, .close]) func pagesHaveStyles(
        _ persistence: ResponseEncoder.Persistence
    ) {
        for (sources, rest) in [
            ("style-src 'sha256-a'", "frame-ancestors 'none'; style-src 'sha256-a'"),
            ("frame-ancestors *; style-src 'self'", "frame-ancestors *; style-src 'self'"),
        ] {
            var page = Response(body: Array("<p>".utf8))
            page.sources = sources
            let text = encoded(page, persistence)
            let policies = text.split(separator: "\r\n").filter { $0.hasPrefix("Content-Security-Policy: ") }
            #expect(policies == ["Content-Security-Policy: default-src 'none'; base-uri 'none'; \(rest)"])
        }
    }
}

extension OutputQueue {
    /// Everything that is queued, as text.
    mutating func takeText() -> String {
        var text: [UInt8] = []
        while !isEmpty {
            _ = sendFirst { first, second, _ in
                text += Array(first) + Array(second)
                return first.count + second.count
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
