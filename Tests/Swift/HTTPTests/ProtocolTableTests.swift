import Testing

@testable import HTTP

/// The result of each kind of request: RFC 9112 and 9110 with the strictness of this server, and its limits at their
/// defaults. Every row is passed whole, byte by byte, and split in two.
@Suite struct ProtocolTableTests {
    /// Two requests in one go; the second shows whether the connection still knows where a request begins.
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let input: String
        /// The statuses of the responses, without 100.
        let statuses: [String]
        let closes: Bool
        /// Whether each character of the input is a byte; else it is UTF-8.
        var isRaw = false

        var bytes: [UInt8] {
            isRaw ? input.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(input.utf8)
        }

        /// The connection stays open, and the next request gets a response.
        static func stays(_ name: String, _ status: String, _ input: String, raw: Bool = false) -> Row {
            Row(name: name, input: input + next, statuses: [status, "200"], closes: false, isRaw: raw)
        }

        /// The connection ends, and the next request is ignored.
        static func closes(_ name: String, _ status: String, _ input: String) -> Row {
            Row(name: name, input: input + next, statuses: [status], closes: true)
        }

        /// A row about the fields of a request with the body `abc`.
        static func fields(_ name: String, _ status: String, _ fields: String, body: String = "abc") -> Row {
            closes(name, status, "POST /p HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)")
        }

        /// A row about two fields of a request.
        static func repeats(_ name: String, _ status: String, _ first: String, _ second: String) -> Row {
            stays(name, status, "GET / HTTP/1.1\r\n\(first)\r\nHost: a\r\n\(second)\r\n\r\n")
        }

        private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

        var testDescription: String { name }
    }

    @Test(
        arguments: [
            .fields("length and coding", "400", "Content-Length: 3\r\nTransfer-Encoding: chunked"),
            .fields("coding that is not known", "501", "Transfer-Encoding: gzip"),
            .fields("coding before chunked", "501", "Transfer-Encoding: gzip, chunked"),
            .fields("chunked in two fields", "400", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
            .fields("unknown coding in a second field", "400", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x"),
            .fields("length twice", "400", "Content-Length: 3\r\nContent-Length: 3"),
            .fields("largest length", "413", "Content-Length: 9223372036854775807"),
        ] as [Row])
    func framing(_ row: Row) {
        check(row)
    }

    @Test(
        arguments: [
            .fields("space before the colon", "400", "Content-Length : 3"),
            .fields("bare LF", "400", "X: a\nContent-Length: 3"),
            .closes("no Host", "400", "GET / HTTP/1.1\r\n\r\n"),
            .stays("Host that ends in a dot", "200", "GET / HTTP/1.1\r\nHost: a.b.:80\r\n\r\n"),
            .closes("host of dots in the target", "400", "GET http://../ HTTP/1.1\r\nHost: a\r\n\r\n"),
            .repeats("Authorization", "400", "Authorization: Bearer a", "authorization: Bearer a"),
            .repeats("Content-Type", "400", "Content-Type: application/json", "CONTENT-TYPE: text/plain"),
            .repeats("Idempotency-Key", "400", "Idempotency-Key: a", "Idempotency-Key: b"),
            .repeats("Accept", "200", "Accept: a", "Accept: b"),
            .repeats("Content-Type once", "200", "Content-Type: a", "Idempotency-Key: b"),
            .stays("absolute form", "200", "GET http://b/c HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("escaped NUL", "400", "GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays(
                "what people type", "200",
                "GET /caf\u{e9}/\u{1f37a}?q=\u{fc}|{}[]^`\"<>\\ HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("escaped UTF-8", "200", "GET /caf%c3%A9?q=%F0%9F%8D%BA+%zz%4 HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("UTF-8 in either form", "200", "GET /%e2\u{ac}\u{82} HTTP/1.1\r\nHost: a\r\n\r\n", raw: true),
            .closes("HTTP/2 preface", "505", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            .closes("method beyond all lengths", "501", String(repeating: "A", count: 9000) + " / HTTP/1.1\r\n\r\n"),
            .stays("long method", "501", String(repeating: "A", count: 8000) + " / HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("unknown method", "501", "BREW /a HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("unknown method with a body", "501", "BREW /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
        ] as [Row])
    func heads(_ row: Row) {
        check(row)
    }

    @Test(arguments: ["..", ".:80", "a..b", ".a"]) func hostsOfDots(_ host: String) {
        check(.closes(host, "400", "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"))
    }

    @Test(
        arguments: [
            .stays(
                "extensions and trailers", "200",
                "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0;c\r\nContent-Length: 9\r\n\r\n"
            ),
            .fields("chunks beyond what the route takes", "413", "Transfer-Encoding: chunked", body: "3e9\r\n"),
            .stays("Expect and the whole request", "200", "GET /e HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n"),
            .stays(
                "other expectation", "417", "POST /p HTTP/1.1\r\nHost: a\r\nExpect: x\r\nContent-Length: 3\r\n\r\nabc"),
            .fields("Expect and too large a body", "413", "Expect: 100-continue\r\nContent-Length: 1001"),
            .stays(
                "body that is read over", "413",
                "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n" + String(repeating: "G", count: 1001)),
            .fields("body that is too long to read over", "413", "Content-Length: 65537"),
            .stays("HEAD", "200", "HEAD /h HTTP/1.1\r\nHost: a\r\n\r\n"),
        ] as [Row])
    func bodies(_ row: Row) {
        check(row)
    }

    /// Targets that are no UTF-8, each character of which is one byte.
    @Test(arguments: [
        "/a%FF", "/a\u{ff}", "/a/%80/b", "/a?b=%C3", "/a?%c3%28=1", "/%E2%82", "/%C3/%A9", "/%C3%zz", "/%C0%AF",
        "/%ED%A0%80", "/%F4%90%80%80", "http://b/%FF", "/a/../%FF", "/a?q=\u{c3}",
    ])
    func whatIsNoText(_ target: String) {
        check(.stays(target, "400", "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", raw: true))
    }

    /// Extensions of a chunk, which are as in RFC 9112.
    @Test func extensions() {
        let invalid = [
            ";", "; ", " ", " x", ";;a", ";a;", ";=a", ";a=", ";bad[=x", ";a=x]", ";a b", ";a=b c", ";a ", ";a=b ",
            ";a=\"b", ";a=\"b\"c", ";a=\"b\\\"", ";\"a\"=b", ";a=\"b\u{1}\"", ";a=\"b\\\u{7f}\"", ";a=b=c", ";a,b",
        ]
        let valid = [
            ";a", " ;\ta", ";a=b", ";a = b ; c", ";a;b=c;d", ";a=\"\"", ";a=\"b;c=d, e\\\"\\\\\t\u{e9}\"",
            ";!#$%&'*+-.^_`|~0=\"x\" \t;y",
        ]
        let head = "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3"
        for text in invalid { check(.closes(text, "400", head + "\(text)\r\nabc\r\n0\r\n\r\n")) }
        for text in valid { check(.stays(text, "200", head + "\(text)\r\nabc\r\n0\r\n\r\n")) }
    }

    /// Each limit at its default and one beyond.
    @Test(arguments: [
        ("target", 8192, "414"), ("field", 8192, "431"), ("fields", 16384, "431"), ("count", 100, "431"),
        ("overhead", 4096, "400"),
    ])
    func limits(_ name: String, _ limit: Int, _ status: String) {
        for size in [limit, limit + 1] {
            let bytes = Array(Self.request(name, size).utf8)
            let outcome = Outcome(of: [bytes[...]])
            #expect(outcome.statuses == [size == limit ? "200" : status])
            #expect(outcome.closes == (size > limit))
            #expect(Outcome(of: bytes.indices.map { bytes[$0...$0] }) == outcome, "byte by byte")
        }
    }

    private static func request(_ name: String, _ size: Int) -> String {
        func field(_ length: Int) -> String { "X: " + String(repeating: "x", count: length - 3) + "\r\n" }
        let start = "GET / HTTP/1.1\r\nHost: a\r\n"
        switch name {
        case "target": return "GET /\(String(repeating: "x", count: size - 1)) HTTP/1.1\r\nHost: a\r\n\r\n"
        case "field": return start + field(size) + "\r\n"
        // `Host: a` has 7 bytes.
        case "fields": return start + field(8000) + field(8000) + field(size - 16_007) + "\r\n"
        case "count": return start + String(repeating: "X: y\r\n", count: size - 1) + "\r\n"
        default:
            let extensions = ";" + String(repeating: "x", count: size - 2)
            return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\(extensions)\r\n\r\n"
        }
    }

    private func check(_ row: Row) {
        let bytes = row.bytes
        let whole = Outcome(of: [bytes[...]])
        #expect(whole.statuses == row.statuses && whole.closes == row.closes, "\(row.name)")
        #expect(whole.hasProperHeads)
        #expect(Outcome(of: bytes.indices.map { bytes[$0...$0] }) == whole, "byte by byte")
        // A long row is split near its ends.
        for offset in Array(bytes.indices.prefix(200)) + Array(bytes.indices.dropFirst(200).suffix(120)) {
            #expect(Outcome(of: [bytes[..<offset], bytes[offset...]]) == whole, "split at \(offset)")
        }
    }
}

/// The responses that a client receives.
private struct Outcome: Equatable {
    /// The statuses, without 100: whether that is sent depends on what has arrived by then.
    let statuses: [String]
    /// Whether the last response closes the connection.
    let closes: Bool
    /// Whether every response has a date, and names the server without its version.
    let hasProperHeads: Bool

    init(of pieces: [ArraySlice<UInt8>]) {
        let connection = ConnectionHarness()
        for piece in pieces { connection.receive(piece) }
        let statuses = connection.statuses.filter { $0 != "100" }
        self.statuses = statuses
        closes = connection.state.hasEnded && connection.sent.contains("\r\nConnection: close\r\n")
        let fields = ["\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n", "\r\nServer: sooke\r\n"]
        hasProperHeads = fields.allSatisfy { connection.sent.components($0).count == statuses.count + 1 }
    }
}
