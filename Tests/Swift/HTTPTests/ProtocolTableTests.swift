import Testing

@testable import HTTP

/// The result of each kind of request: RFC 9112 and 9110 with the strictness of this server, and its limits at their
/// defaults. Every row is passed whole, byte by byte, and split in two at every offset.
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

        /// A row about a chunked body.
        static func chunks(_ name: String, _ chunks: String) -> Row {
            fields(name, "400", "Transfer-Encoding: chunked", body: chunks)
        }

        /// A row about the extensions of a chunk.
        static func extensions(_ status: String, _ text: String) -> Row {
            let head = "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            let input = head + "3\(text)\r\nabc\r\n0\r\n\r\n"
            return status == "200" ? stays("3\(text)", status, input) : closes("3\(text)", status, input)
        }

        /// A row about two fields of a request.
        static func repeats(_ name: String, _ status: String, _ first: String, _ second: String) -> Row {
            stays(name, status, "GET / HTTP/1.1\r\n\(first)\r\nHost: a\r\n\(second)\r\n\r\n")
        }

        /// A row about the text of a target, each character of which is one byte.
        static func text(_ name: String, _ target: String) -> Row {
            stays(name, "400", "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", raw: true)
        }

        /// A row about a target.
        static func target(_ name: String, _ target: String) -> Row {
            closes(name, "400", "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        }

        private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

        var testDescription: String { name }
    }

    @Test(
        arguments: [
            .fields("length and coding", "400", "Content-Length: 3\r\nTransfer-Encoding: chunked"),
            .fields("coding and length", "400", "Transfer-Encoding: chunked\r\nContent-Length: 3"),
            .fields("coding that is not known", "501", "Transfer-Encoding: gzip"),
            .fields("coding before chunked", "501", "Transfer-Encoding: gzip, chunked"),
            .fields("chunked that is not last", "400", "Transfer-Encoding: chunked, gzip"),
            .fields("chunked twice", "400", "Transfer-Encoding: chunked, chunked"),
            .fields("chunked in two fields", "400", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
            .fields("unknown coding in a second field", "400", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x"),
            .fields("coding without a name", "400", "Transfer-Encoding:"),
            .closes("coding in 1.0", "400", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            .fields("length with a sign", "400", "Content-Length: +3"),
            .fields("length twice", "400", "Content-Length: 3\r\nContent-Length: 3"),
            .fields("two lengths", "400", "Content-Length: 3\r\nContent-Length: 4"),
            .fields("list of lengths", "400", "Content-Length: 3, 3"),
            .fields("length with a zero before it", "400", "Content-Length: 03"),
            .fields("length beyond Int64", "400", "Content-Length: 9223372036854775808"),
            .fields("length without digits", "400", "Content-Length:"),
            .fields("largest length", "413", "Content-Length: 9223372036854775807"),
        ] as [Row])
    func framing(_ row: Row) {
        check(row)
    }

    @Test(
        arguments: [
            .fields("space before the colon", "400", "Content-Length : 3"),
            .fields("folded line", "400", "X: a\r\n b"),
            .fields("bare CR", "400", "X: a\rb"),
            .fields("bare LF", "400", "X: a\nContent-Length: 3"),
            .fields("NUL in a value", "400", "X: a\0b"),
            .fields("control in a value", "400", "X: a\u{7}b"),
            .fields("name that is no token", "400", "X(y): a"),
            .fields("no name", "400", ": a"),
            .closes("no Host", "400", "GET / HTTP/1.1\r\n\r\n"),
            .closes("two Hosts", "400", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
            .closes("bad Host", "400", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
            .closes("empty Host", "400", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
            .closes("Host of dots", "400", "GET / HTTP/1.1\r\nHost: ..\r\n\r\n"),
            .closes("Host of a dot", "400", "GET / HTTP/1.1\r\nHost: .:80\r\n\r\n"),
            .closes("Host with an empty part", "400", "GET / HTTP/1.1\r\nHost: a..b\r\n\r\n"),
            .closes("Host that begins with a dot", "400", "GET / HTTP/1.1\r\nHost: .a\r\n\r\n"),
            .stays("Host that ends in a dot", "200", "GET / HTTP/1.1\r\nHost: a.b.:80\r\n\r\n"),
            .closes("host of dots in the target", "400", "GET http://../ HTTP/1.1\r\nHost: a\r\n\r\n"),
            .repeats("Authorization", "400", "Authorization: Bearer a", "authorization: Bearer a"),
            .repeats("Content-Type", "400", "Content-Type: application/json", "CONTENT-TYPE: text/plain"),
            .repeats("Idempotency-Key", "400", "Idempotency-Key: a", "Idempotency-Key: b"),
            .repeats("Accept", "200", "Accept: a", "Accept: b"),
            .repeats("Content-Type once", "200", "Content-Type: a", "Idempotency-Key: b"),
            .stays("absolute form", "200", "GET http://b/c HTTP/1.1\r\nHost: a\r\n\r\n"),
            .target("fragment", "/a#b"), .target("space", "/a b"), .target("control", "/a\u{1}"),
            .target("NUL", "/a\0"),
            .stays("escaped NUL", "400", "GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays(
                "what people type", "200",
                "GET /caf\u{e9}/\u{1f37a}?q=\u{fc}|{}[]^`\"<>\\ HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("escaped UTF-8", "200", "GET /caf%c3%A9?q=%F0%9F%8D%BA+%zz%4 HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("UTF-8 in either form", "200", "GET /%e2\u{ac}\u{82} HTTP/1.1\r\nHost: a\r\n\r\n", raw: true),
            .text("byte that begins nothing", "/a%FF"), .text("the same, not escaped", "/a\u{ff}"),
            .text("lone continuation", "/a/%80/b"), .text("in the query", "/a?b=%C3"),
            .text("in a name of the query", "/a?%c3%28=1"), .text("cut short", "/%E2%82"),
            .text("continued behind a slash", "/%C3/%A9"), .text("continued behind a broken escape", "/%C3%zz"),
            .text("overlong", "/%C0%AF"), .text("surrogate", "/%ED%A0%80"), .text("beyond Unicode", "/%F4%90%80%80"),
            .text("in absolute form", "http://b/%FF"), .text("behind dot segments", "/a/../%FF"),
            .text("not escaped, in the query", "/a?q=\u{c3}"),
            .target("above the root", "/a/../.."), .target("above the root, escaped", "/%2E%2e/a"),
            .closes("HTTP/0.9", "400", "GET /\r\n"),
            .closes("HTTP/2 preface", "505", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            .closes("other major", "505", "GET / HTTP/3.0\r\nHost: a\r\n\r\n"),
            .closes("method beyond all lengths", "501", String(repeating: "A", count: 9000) + " / HTTP/1.1\r\n\r\n"),
            .stays("long method", "501", String(repeating: "A", count: 8000) + " / HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("unknown method", "501", "BREW /a HTTP/1.1\r\nHost: a\r\n\r\n"),
            .stays("unknown method with a body", "501", "BREW /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
            .closes("line of another protocol behind an empty line", "400", "\r\n \u{1}\r\u{2}\n"),
            .closes("bare LF behind an empty line", "400", "\r\n\n"),
        ] as [Row])
    func heads(_ row: Row) {
        check(row)
    }

    @Test(
        arguments: [
            .chunks("no digit", "\r\nabc"), .chunks("sign", "+3\r\nabc\r\n0\r\n\r\n"),
            .chunks("0x", "0x3\r\nabc\r\n0\r\n\r\n"),
            .chunks("over 16 digits", "00000000000000003\r\nabc\r\n0\r\n\r\n"),
            .chunks("data without CRLF", "3\r\nabcd\r\n0\r\n\r\n"), .chunks("data and bare LF", "3\r\nabc\n0\r\n\r\n"),
            .chunks("bad trailer", "0\r\nX y\r\n\r\n"),
            .extensions("400", ";"), .extensions("400", "; "), .extensions("400", " "), .extensions("400", " x"),
            .extensions("400", ";;a"), .extensions("400", ";a;"), .extensions("400", ";=a"), .extensions("400", ";a="),
            .extensions("400", ";bad[=x"), .extensions("400", ";a=x]"), .extensions("400", ";a b"),
            .extensions("400", ";a=b c"), .extensions("400", ";a "), .extensions("400", ";a=b "),
            .extensions("400", ";a=\"b"), .extensions("400", ";a=\"b\"c"), .extensions("400", ";a=\"b\\\""),
            .extensions("400", ";\"a\"=b"), .extensions("400", ";a=\"b\u{1}\""), .extensions("400", ";a=\"b\\\u{7f}\""),
            .extensions("400", ";a=b=c"), .extensions("400", ";a,b"),
            .extensions("200", ";a"), .extensions("200", " ;\ta"), .extensions("200", ";a=b"),
            .extensions("200", ";a = b ; c"), .extensions("200", ";a;b=c;d"), .extensions("200", ";a=\"\""),
            .extensions("200", ";a=\"b;c=d, e\\\"\\\\\t\u{e9}\""), .extensions("200", ";!#$%&'*+-.^_`|~0=\"x\" \t;y"),
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
        #expect(whole.statuses == row.statuses)
        #expect(whole.closes == row.closes)
        #expect(whole.hasProperHeads)
        #expect(Outcome(of: bytes.indices.map { bytes[$0...$0] }) == whole, "byte by byte")
        for offset in bytes.indices {
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
