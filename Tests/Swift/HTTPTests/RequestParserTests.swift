import Testing

@testable import HTTP

/// RFC 9112 and 9110 as tables. Every row is passed whole, byte by byte, and split in two at every offset.
@Suite struct RequestParserTests {
    @Test(arguments: [
        ("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a @a"), ("GET / HTTP/1.0\r\n\r\n", "GET / @ closes"),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / @"),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n", "GET / @a closes"),
        ("GET / HTTP/1.7\r\nHost: a\r\n\r\n", "GET / @a"), ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / @a"),
        ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "badRequestLine"), ("\r\n ", "badRequestLine"),
        ("\r\n z\ra\u{1}\n", "badRequestLine"), ("\r\n\n", "badRequestLine"), ("\r\n\r", "badRequestLine"),
        ("GET / HTTP/1.1\r\nHost: a\r\n", "unfinished"), ("GET /\r\n", "badRequestLine"),
        ("GET / HTTP/0.9\r\n\r\n", "unsupportedVersion"), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "unsupportedVersion"),
        ("GET / HTTP/3.0\r\n\r\n", "unsupportedVersion"), ("GET / http/1.1\r\n\r\n", "badVersion"),
        ("GET / HTTP/1.10\r\n\r\n", "badVersion"), ("GET / HTTP/\r\n\r\n", "badVersion"),
        ("GET  / HTTP/1.1\r\n\r\n", "badTarget"), ("GET / HTTP/1.1 \r\n\r\n", "badVersion"),
        (" GET / HTTP/1.1\r\n\r\n", "badRequestLine"), ("GET\t/ HTTP/1.1\r\n\r\n", "badRequestLine"),
        ("GET\r\n\r\n", "badRequestLine"), ("GET HTTP/1.1\r\n\r\n", "badRequestLine"),
        ("G(T / HTTP/1.1\r\n\r\n", "badRequestLine"), ("\u{16}\u{3}\u{1}\u{2}", "badRequestLine"),
        ("GET / HTTP/1.1\nHost: a\n\n", "bareLineFeed"), ("\nGET / HTTP/1.1\r\n\r\n", "badRequestLine"),
        ("GET /\r HTTP/1.1\r\n\r\n", "badTarget"), ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", "refused: unknownMethod"),
        ("get / HTTP/1.1\r\nHost: a\r\n\r\n", "refused: unknownMethod"),
    ])
    func requestLine(_ input: String, outcome: String) {
        #expect(ParserTrace.of(input) == [outcome])
    }

    /// An unknown method leaves the next request unharmed.
    @Test func unknownMethod() {
        let next = "GET /n HTTP/1.1\r\nHost: a\r\n\r\n"
        let outcome = ParserTrace.of("BREW / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + next)
        #expect(outcome == ["refused: unknownMethod", "GET /n @a"])
    }

    @Test(arguments: Method.allCases)
    func knowsTheMethod(_ method: Method) {
        let outcome = ParserTrace.of("\(method.name) /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(outcome == ["\(method.name) /x @a"])
    }

    @Test(arguments: [
        ("/a?b=c&d", "GET /a ?b=c&d @a"), ("/a?b?c", "GET /a ?b?c @a"), ("/a?", "GET /a @a"),
        ("//a//", "GET //a// @a"), ("/a%2Fb", "GET /a%2Fb @a"), ("/\"<>\\^`{|}", "GET /\"<>\\^`{|} @a"),
        ("/café", "GET /café @a"), ("/a/./b", "GET /a/b @a"), ("/a/.", "GET /a/ @a"), ("/a/b/../c", "GET /a/c @a"),
        ("/a/b/..", "GET /a/ @a"), ("/a/%2e%2E/c", "GET /c @a"), ("/a/.%2e/c", "GET /c @a"),
        ("/a/...", "GET /a/... @a"), ("/.well-known/x", "GET /.well-known/x @a"), ("/a?/../..", "GET /a ?/../.. @a"),
        ("/..", "aboveRoot"), ("/a/../../b", "aboveRoot"), ("/%2e%2e/b", "aboveRoot"),
        ("http://b:80/c?d", "GET /c ?d @b:80"), ("HTTPS://b/c", "GET /c @b"), ("http://b", "GET / @b"),
        ("http://b?c", "GET / ?c @b"), ("http://b/../c", "aboveRoot"), ("http:///c", "badHost"),
        ("http://u@b/", "badHost"), ("ftp://b/", "badTarget"), ("a", "badTarget"), ("*", "badTarget"),
        ("/a#b", "badTarget"), ("/a b", "badTarget"), ("/a\tb", "badTarget"), ("/a\0b", "badTarget"),
        ("/a\u{7F}b", "badTarget"), ("/a%00b", "refused: nulInTarget"), ("/a?b=%00", "refused: nulInTarget"),
    ])
    func target(_ target: String, outcome: String) {
        #expect(ParserTrace.of("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == [outcome])
    }

    @Test func targetsOfOneMethod() {
        #expect(ParserTrace.of("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n") == ["OPTIONS  @a"])
        #expect(ParserTrace.of("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n") == ["refused: unknownMethod"])
    }

    @Test(arguments: [
        ("X: \t a \t", "GET / @a"), ("X:", "GET / @a"), ("!#$%&'*+-.^_`|~09azAZ: 1", "GET / @a"),
        ("X: café", "GET / @a"), ("X: a\tb", "GET / @a"), ("X : a", "badFieldName"), ("X", "badFieldName"),
        (": a", "badFieldName"), ("X(: a", "badFieldName"), ("Xé: a", "badFieldName"), ("X: a\r\n b", "foldedField"),
        ("X: a\r\n\tb", "foldedField"), ("X: a\rb", "badFieldValue"), ("X: a\r", "badFieldValue"),
        ("X: a\nY: b", "bareLineFeed"), ("X: a\0b", "badFieldValue"), ("X: a\u{1}b", "badFieldValue"),
        ("X: a\u{7F}b", "badFieldValue"), ("Host: a", "repeatedHost"), ("HOST: b", "repeatedHost"),
        ("Expect: 100-Continue", "GET / @a expects"), ("Expect: tea", "refused: unknownExpectation"),
    ])
    func fields(_ field: String, outcome: String) {
        #expect(ParserTrace.of("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n") == [outcome])
    }

    @Test func whiteSpaceBeforeTheFields() {
        #expect(ParserTrace.of("GET / HTTP/1.1\r\n Host: a\r\n\r\n") == ["foldedField"])
    }

    @Test(arguments: [
        ("a", true), ("a.example:8080", true), ("a:", true), ("[::1]", true), ("[::1]:80", true), ("127.0.0.1", true),
        ("a%20b", true), ("a_b", true), ("", false), ("a b", false), ("a:b", false), ("a:65536", false),
        ("a:123456", false), ("a/b", false), ("u@a", false), ("[::1", false), ("[]", false), ("[x]", false),
        (":80", false), ("a,b", true), ("é", false), ("[::1]x", false),
    ])
    func host(_ host: String, isValid: Bool) {
        let outcome = ParserTrace.of("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(outcome == [isValid ? "GET / @\(host)" : "badHost"])
    }

    @Test func needsAHost() {
        #expect(ParserTrace.of("GET / HTTP/1.1\r\n\r\n") == ["missingHost"])
        #expect(ParserTrace.of("GET http://a/ HTTP/1.1\r\n\r\n") == ["missingHost"])
    }

    @Test(arguments: [
        ("3", "POST / @a [abc]"), ("0", "POST / @a"), ("003", "badContentLength"), ("00", "badContentLength"),
        ("+3", "badContentLength"), ("-3", "badContentLength"), ("3 ", "POST / @a [abc]"), ("3, 3", "badContentLength"),
        ("3;", "badContentLength"), ("0x3", "badContentLength"), ("", "badContentLength"), ("3 3", "badContentLength"),
        ("9223372036854775808", "badContentLength"), ("3\r\nContent-Length: 3", "badContentLength"),
        ("3\r\nTransfer-Encoding: chunked", "ambiguousLength"),
    ])
    func contentLength(_ value: String, outcome: String) {
        let body = outcome.hasSuffix("]") ? "abc" : ""
        let input = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(value)\r\n\r\n\(body)"
        #expect(ParserTrace.of(input) == [outcome])
    }

    @Test(arguments: [
        ("chunked", "POST / @a"), ("Chunked", "POST / @a"), ("gzip", "unknownTransferEncoding"),
        ("identity", "unknownTransferEncoding"), ("xchunked", "unknownTransferEncoding"),
        ("gzip, chunked", "unknownTransferEncoding"), ("chunked, gzip", "badTransferEncoding"),
        ("chunked, chunked", "badTransferEncoding"), ("chunked,", "badTransferEncoding"), ("", "badTransferEncoding"),
        ("chunked;q=1", "badTransferEncoding"), ("\"chunked\"", "badTransferEncoding"),
        ("chunked\r\nTransfer-Encoding: chunked", "badTransferEncoding"), ("\u{B}chunked", "badFieldValue"),
        ("chunked\r\nContent-Length: 5", "ambiguousLength"),
    ])
    func transferEncoding(_ value: String, outcome: String) {
        let body = outcome.hasPrefix("POST") ? "0\r\n\r\n" : ""
        let input = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n\(body)"
        #expect(ParserTrace.of(input) == [outcome])
    }

    @Test func refusesTransferEncodingInVersion10() {
        let input = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(ParserTrace.of(input) == ["badTransferEncoding"])
    }

    @Test(arguments: [
        ("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", "POST / @a [abc0123456789]"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "POST / @a [0123456789]"), ("003\r\nabc\r\n000\r\n\r\n", "POST / @a [abc]"),
        ("0000000000000003\r\nabc\r\n0\r\n\r\n", "POST / @a [abc]"),
        ("3;a=b;c=\"d\"\r\nabc\r\n0;e\r\n\r\n", "POST / @a [abc]"), ("3 ;a\r\nabc\r\n0\r\n\r\n", "POST / @a [abc]"),
        ("3\r\nabc\r\n0\r\nX: y\r\nZ:\r\n\r\n", "POST / @a [abc]"),
        ("5\r\n0\r\n\r\n\r\n0\r\n\r\n", "POST / @a [0\r\n\r\n]"), ("3\r\nab", "unfinished"), ("0\r\n", "unfinished"),
        ("\r\n", "badChunk"), (";a\r\n", "badChunk"), ("+3\r\nabc\r\n", "badChunk"), ("-3\r\nabc\r\n", "badChunk"),
        ("0x3\r\nabc\r\n", "badChunk"), ("3 \r\nabc\r\n", "badChunk"), (" 3\r\nabc\r\n", "badChunk"),
        ("00000000000000003\r\nabc\r\n", "badChunk"), ("FFFFFFFFFFFFFFFF\r\n", "bodyTooLarge"),
        ("3\nabc\r\n", "badChunk"), ("3\rabc", "badChunk"), ("3;a\nabc\r\n", "badChunk"),
        ("3;a\0\r\nabc\r\n", "badChunk"), ("3\r\nabcd\r\n", "badChunk"), ("3\r\nabc\n0\r\n\r\n", "badChunk"),
        ("0\r\nX y\r\n\r\n", "badFieldName"), ("0\r\nX: y\r\n z\r\n\r\n", "badFieldName"),
        ("0\r\nX: \u{1}\r\n\r\n", "badFieldValue"), ("0\r\n\n", "badFieldName"),
    ])
    func chunks(_ chunks: String, outcome: String) {
        #expect(
            ParserTrace.of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)") == [outcome])
    }

    /// A request in a body is no request, and nothing follows a failure.
    @Test func pipelines() {
        let (head, second) = (" HTTP/1.1\r\nHost: a\r\n", "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        for (input, outcome) in [
            ("GET /1\(head)\r\n\(second)", ["GET /1 @a", "GET /2 @a"]),
            ("GET /1\(head)\r\n\r\n\(second)", ["GET /1 @a", "GET /2 @a"]),
            (
                "POST /1\(head)Content-Length: 18\r\n\r\nGET /x HTTP/1.1\r\n\n\(second)",
                ["POST /1 @a [GET /x HTTP/1.1\r\n\n]", "GET /2 @a"]
            ),
            (
                "PUT /1\(head)Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n\(second)",
                ["PUT /1 @a [x]", "GET /2 @a"]
            ),
            ("GET /1 HTTP/1.1\r\n\r\n\(second)", ["missingHost"]),
        ] {
            #expect(ParserTrace.of(input) == outcome)
        }
    }

    @Test func tellsBytesThatAreNoUTF8FromControls() {
        let line = Array("GET /".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0x80, 0xFF]
        #expect(ParserTrace.of(line + Array("\r\n\r\n".utf8)) == ["refused: targetNotUTF8"])
    }
}
