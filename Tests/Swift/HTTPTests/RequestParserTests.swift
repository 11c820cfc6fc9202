import Testing

@testable import HTTP

/// RFC 9112 and 9110 as tables. Every row is passed whole, byte by byte, and split in two at every offset.
@Suite struct RequestParserTests {
    @Test(arguments: [
        ParserCase("plain", "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a @a"),
        ParserCase("version 1.0", "GET / HTTP/1.0\r\n\r\n", "GET / @ closes"),
        ParserCase("1.0 that stays", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / @"),
        ParserCase("1.1 that closes", "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n", "GET / @a closes"),
        ParserCase("later minor version", "GET / HTTP/1.7\r\nHost: a\r\n\r\n", "GET / @a"),
        ParserCase("one empty line before", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / @a"),
        ParserCase("two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "badRequestLine"),
        ParserCase("garbage behind an empty line", "\r\n ", "badRequestLine"),
        ParserCase("garbage in a line behind an empty line", "\r\n z\ra\u{1}\n", "badRequestLine"),
        ParserCase("bare LF behind an empty line", "\r\n\n", "badRequestLine"),
        ParserCase("CR behind an empty line", "\r\n\r", "badRequestLine"),
        ParserCase("unfinished", "GET / HTTP/1.1\r\nHost: a\r\n", "unfinished"),
        ParserCase("0.9", "GET /\r\n", "badRequestLine"),
        ParserCase("0.9 by name", "GET / HTTP/0.9\r\n\r\n", "unsupportedVersion"),
        ParserCase("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "unsupportedVersion"),
        ParserCase("other major", "GET / HTTP/3.0\r\n\r\n", "unsupportedVersion"),
        ParserCase("version in lower case", "GET / http/1.1\r\n\r\n", "badVersion"),
        ParserCase("long version", "GET / HTTP/1.10\r\n\r\n", "badVersion"),
        ParserCase("no version number", "GET / HTTP/\r\n\r\n", "badVersion"),
        ParserCase("two spaces", "GET  / HTTP/1.1\r\n\r\n", "badTarget"),
        ParserCase("space at the end", "GET / HTTP/1.1 \r\n\r\n", "badVersion"),
        ParserCase("space at the start", " GET / HTTP/1.1\r\n\r\n", "badRequestLine"),
        ParserCase("tab between", "GET\t/ HTTP/1.1\r\n\r\n", "badRequestLine"),
        ParserCase("only a word", "GET\r\n\r\n", "badRequestLine"),
        ParserCase("no target", "GET HTTP/1.1\r\n\r\n", "badRequestLine"),
        ParserCase("method with a bracket", "G(T / HTTP/1.1\r\n\r\n", "badRequestLine"),
        ParserCase("TLS handshake", "\u{16}\u{3}\u{1}\u{2}", "badRequestLine"),
        ParserCase("bare LF", "GET / HTTP/1.1\nHost: a\n\n", "bareLineFeed"),
        ParserCase("bare LF first", "\nGET / HTTP/1.1\r\n\r\n", "badRequestLine"),
        ParserCase("bare CR in the line", "GET /\r HTTP/1.1\r\n\r\n", "badTarget"),
        ParserCase("unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", "refused: unknownMethod"),
        ParserCase("method in lower case", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "refused: unknownMethod"),
        ParserCase(
            "unknown method, next request unharmed",
            "BREW / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /n HTTP/1.1\r\nHost: a\r\n\r\n",
            "refused: unknownMethod", "GET /n @a"),
    ])
    func requestLine(_ row: ParserCase) {
        #expect(ParserTrace.of(row.input) == row.outcome)
    }

    @Test(arguments: Method.allCases)
    func knowsTheMethod(_ method: Method) {
        let outcome = ParserTrace.of("\(method.name) /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(outcome == ["\(method.name) /x @a"])
    }

    @Test(arguments: [
        ParserCase("query", target: "/a?b=c&d", "GET /a ?b=c&d @a"),
        ParserCase("second question mark", target: "/a?b?c", "GET /a ?b?c @a"),
        ParserCase("empty query", target: "/a?", "GET /a @a"),
        ParserCase("empty segments", target: "//a//", "GET //a// @a"),
        ParserCase("escaped slash", target: "/a%2Fb", "GET /a%2Fb @a"),
        ParserCase("what browsers leave bare", target: "/\"<>\\^`{|}", "GET /\"<>\\^`{|} @a"),
        ParserCase("bytes beyond ASCII", target: "/café", "GET /café @a"),
        ParserCase("dot", target: "/a/./b", "GET /a/b @a"),
        ParserCase("dot at the end", target: "/a/.", "GET /a/ @a"),
        ParserCase("two dots", target: "/a/b/../c", "GET /a/c @a"),
        ParserCase("two dots at the end", target: "/a/b/..", "GET /a/ @a"),
        ParserCase("escaped dots", target: "/a/%2e%2E/c", "GET /c @a"),
        ParserCase("half escaped dots", target: "/a/.%2e/c", "GET /c @a"),
        ParserCase("three dots are a name", target: "/a/...", "GET /a/... @a"),
        ParserCase("hidden file", target: "/.well-known/x", "GET /.well-known/x @a"),
        ParserCase("dots in the query", target: "/a?/../..", "GET /a ?/../.. @a"),
        ParserCase("above the root", target: "/..", "aboveRoot"),
        ParserCase("above the root in the middle", target: "/a/../../b", "aboveRoot"),
        ParserCase("above the root, escaped", target: "/%2e%2e/b", "aboveRoot"),
        ParserCase("absolute form", target: "http://b:80/c?d", "GET /c ?d @b:80"),
        ParserCase("absolute form, HTTPS", target: "HTTPS://b/c", "GET /c @b"),
        ParserCase("absolute form without path", target: "http://b", "GET / @b"),
        ParserCase("absolute form with query only", target: "http://b?c", "GET / ?c @b"),
        ParserCase("absolute form, above the root", target: "http://b/../c", "aboveRoot"),
        ParserCase("absolute form without host", target: "http:///c", "badHost"),
        ParserCase("absolute form with user", target: "http://u@b/", "badHost"),
        ParserCase("other scheme", target: "ftp://b/", "badTarget"),
        ParserCase("no slash", target: "a", "badTarget"),
        ParserCase("asterisk for GET", target: "*", "badTarget"),
        ParserCase("fragment", target: "/a#b", "badTarget"),
        ParserCase("space", target: "/a b", "badTarget"),
        ParserCase("tab", target: "/a\tb", "badTarget"),
        ParserCase("NUL", target: "/a\0b", "badTarget"),
        ParserCase("DEL", target: "/a\u{7F}b", "badTarget"),
        ParserCase("escaped NUL", target: "/a%00b", "refused: nulInTarget"),
        ParserCase("escaped NUL in the query", target: "/a?b=%00", "refused: nulInTarget"),
        ParserCase("asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS  @a"),
        ParserCase("authority form", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "refused: unknownMethod"),
    ])
    func target(_ row: ParserCase) {
        #expect(ParserTrace.of(row.input) == row.outcome)
    }

    @Test(arguments: [
        ParserCase("blank around the value", field: "X: \t a \t", "GET / @a"),
        ParserCase("empty value", field: "X:", "GET / @a"),
        ParserCase("every token character", field: "!#$%&'*+-.^_`|~09azAZ: 1", "GET / @a"),
        ParserCase("bytes beyond ASCII", field: "X: café", "GET / @a"),
        ParserCase("tab inside", field: "X: a\tb", "GET / @a"),
        ParserCase("space before the colon", field: "X : a", "badFieldName"),
        ParserCase("no colon", field: "X", "badFieldName"),
        ParserCase("no name", field: ": a", "badFieldName"),
        ParserCase("name with a bracket", field: "X(: a", "badFieldName"),
        ParserCase("name beyond ASCII", field: "Xé: a", "badFieldName"),
        ParserCase("folded", field: "X: a\r\n b", "foldedField"),
        ParserCase("folded by a tab", field: "X: a\r\n\tb", "foldedField"),
        ParserCase("bare CR", field: "X: a\rb", "badFieldValue"),
        ParserCase("CR before CR LF", field: "X: a\r", "badFieldValue"),
        ParserCase("bare LF", field: "X: a\nY: b", "bareLineFeed"),
        ParserCase("NUL", field: "X: a\0b", "badFieldValue"),
        ParserCase("control", field: "X: a\u{1}b", "badFieldValue"),
        ParserCase("DEL", field: "X: a\u{7F}b", "badFieldValue"),
        ParserCase("second Host", field: "Host: a", "repeatedHost"),
        ParserCase("second Host in another case", field: "HOST: b", "repeatedHost"),
        ParserCase("continue is expected", field: "Expect: 100-Continue", "GET / @a expects"),
        ParserCase("something else is expected", field: "Expect: tea", "refused: unknownExpectation"),
        ParserCase("white space before the fields", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "foldedField"),
    ])
    func fields(_ row: ParserCase) {
        #expect(ParserTrace.of(row.input) == row.outcome)
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
        ParserCase("two chunks", chunks: "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", "POST / @a [abc0123456789]"),
        ParserCase("upper and lower case", chunks: "a\r\n0123456789\r\n0\r\n\r\n", "POST / @a [0123456789]"),
        ParserCase("zeros before the size", chunks: "003\r\nabc\r\n000\r\n\r\n", "POST / @a [abc]"),
        ParserCase("sixteen digits", chunks: "0000000000000003\r\nabc\r\n0\r\n\r\n", "POST / @a [abc]"),
        ParserCase("extension", chunks: "3;a=b;c=\"d\"\r\nabc\r\n0;e\r\n\r\n", "POST / @a [abc]"),
        ParserCase("blank before an extension", chunks: "3 ;a\r\nabc\r\n0\r\n\r\n", "POST / @a [abc]"),
        ParserCase("trailers", chunks: "3\r\nabc\r\n0\r\nX: y\r\nZ:\r\n\r\n", "POST / @a [abc]"),
        ParserCase("data that looks like the end", chunks: "5\r\n0\r\n\r\n\r\n0\r\n\r\n", "POST / @a [0\r\n\r\n]"),
        ParserCase("unfinished", chunks: "3\r\nab", "unfinished"),
        ParserCase("unfinished trailers", chunks: "0\r\n", "unfinished"),
        ParserCase("no digit", chunks: "\r\n", "badChunk"),
        ParserCase("no digit before an extension", chunks: ";a\r\n", "badChunk"),
        ParserCase("sign", chunks: "+3\r\nabc\r\n", "badChunk"),
        ParserCase("minus", chunks: "-3\r\nabc\r\n", "badChunk"),
        ParserCase("0x", chunks: "0x3\r\nabc\r\n", "badChunk"),
        ParserCase("blank after the size", chunks: "3 \r\nabc\r\n", "badChunk"),
        ParserCase("blank before the size", chunks: " 3\r\nabc\r\n", "badChunk"),
        ParserCase("seventeen digits", chunks: "00000000000000003\r\nabc\r\n", "badChunk"),
        ParserCase("more than Int holds", chunks: "FFFFFFFFFFFFFFFF\r\n", "bodyTooLarge"),
        ParserCase("bare LF after the size", chunks: "3\nabc\r\n", "badChunk"),
        ParserCase("bare CR after the size", chunks: "3\rabc", "badChunk"),
        ParserCase("bare LF in an extension", chunks: "3;a\nabc\r\n", "badChunk"),
        ParserCase("NUL in an extension", chunks: "3;a\0\r\nabc\r\n", "badChunk"),
        ParserCase("too much data", chunks: "3\r\nabcd\r\n", "badChunk"),
        ParserCase("bare LF after the data", chunks: "3\r\nabc\n0\r\n\r\n", "badChunk"),
        ParserCase("bad trailer", chunks: "0\r\nX y\r\n\r\n", "badFieldName"),
        ParserCase("folded trailer", chunks: "0\r\nX: y\r\n z\r\n\r\n", "badFieldName"),
        ParserCase("control in a trailer", chunks: "0\r\nX: \u{1}\r\n\r\n", "badFieldValue"),
        ParserCase("bare LF at the end", chunks: "0\r\n\n", "badFieldName"),
    ])
    func chunks(_ row: ParserCase) {
        #expect(ParserTrace.of(row.input) == row.outcome)
    }

    @Test(arguments: [
        ParserCase(
            "two requests are two", "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /1 @a", "GET /2 @a"),
        ParserCase(
            "a request in a body is no request",
            "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 18\r\n\r\nGET /x HTTP/1.1\r\n\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /1 @a [GET /x HTTP/1.1\r\n\n]", "GET /2 @a"),
        ParserCase(
            "after a chunked body",
            "PUT /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            "PUT /1 @a [x]", "GET /2 @a"),
        ParserCase(
            "an empty line between", "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /1 @a", "GET /2 @a"),
        ParserCase(
            "nothing after a failure", "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n", "missingHost"),
    ])
    func pipelines(_ row: ParserCase) {
        #expect(ParserTrace.of(row.input) == row.outcome)
    }

    @Test func tellsBytesThatAreNoUTF8FromControls() {
        let line = Array("GET /".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0x80, 0xFF]
        #expect(ParserTrace.of(line + Array("\r\n\r\n".utf8)) == ["refused: targetNotUTF8"])
    }
}
