import Testing

@testable import sooke

@Suite struct LocalResponseReaderTests {
    /// A response, its status and media type, and its body.
    static let responses: [(text: String, head: LocalResponseReader.Head, body: String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 5\r\n\r\nhello", head(200, "text/csv"), "hello"),
        ("HTTP/1.1 200\r\ncontent-length:5 \r\n\r\nhello", head(200), "hello"),
        ("HTTP/1.0 200 OK\r\n\r\nuntil it\r\n\r\ncloses", head(200), "until it\r\n\r\ncloses"),
        ("HTTP/1.1 422 No\r\nContent-Length: 0\r\n\r\n", head(422), ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", head(204), ""),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx", head(201), "x"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n10;x=y\r\n, this is a town\r\n0\r\nA: b\r\n\r\n",
            head(200), "hello, this is a town"
        ),
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", head(200), "hi"),
    ]

    static func head(_ status: Int, _ type: String = "") -> LocalResponseReader.Head {
        LocalResponseReader.Head(status: status, contentType: type)
    }

    @Test(arguments: responses.indices)
    func readsWholeAndInAnyTwoParts(index: Int) throws {
        let (text, head, body) = Self.responses[index]
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(try read(parts) == Outcome(head: head, body: body), "cut at \(cut)")
        }
        #expect(try read(bytes.map { [$0] }) == Outcome(head: head, body: body))
    }

    @Test(arguments: [
        ("", "it ended in the middle of its answer"),
        ("HTTP/1.1 200 OK\r\nContent-Len", "it ended in the middle of its answer"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "it ended in the middle of its answer"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "it ended in the middle of its answer"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "the size of a chunk is no number"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n;x\r\n", "the size of a chunk is missing"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
            "the size of a chunk is no number"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", "a chunk is longer than it says"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "the length of its answer is no number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n", "the length of its answer is no number"),
        ("HTTP/1.1 99 Odd\r\n\r\n", "it does not speak HTTP"),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "it does not speak HTTP"),
        ("\r\n", "it does not speak HTTP"),
    ])
    func refuses(text: String, why: String) {
        #expect(throws: LocalResponseReader.Malformed(description: why)) { try read([Array(text.utf8)]) }
    }

    @Test func boundsTheHead() {
        let line = String(repeating: "x", count: LocalResponseReader.headLimit + 1)
        let fields = String(repeating: "A: b\r\n", count: LocalResponseReader.headLimit / 6 + 1)
        #expect(throws: LocalResponseReader.Malformed(description: "a line of it is too long")) {
            try read([Array(line.utf8)])
        }
        #expect(throws: LocalResponseReader.Malformed(description: "the fields of its answer are too long")) {
            try read([Array("HTTP/1.1 200 OK\r\n\(fields)".utf8)])
        }
    }

    private struct Outcome: Equatable {
        var head: LocalResponseReader.Head?
        var body = ""
    }

    private func read(_ parts: [[UInt8]]) throws -> Outcome {
        var reader = LocalResponseReader()
        var outcome = Outcome()
        var rest = parts[...]
        while true {
            switch try reader.next() {
            case .head(let head): outcome.head = head
            case .body(let bytes): outcome.body += String(decoding: bytes, as: UTF8.self)
            case .end: return outcome
            case .needsMore:
                if let part = rest.popFirst() { reader.feed(part) } else { reader.close() }
            }
        }
    }
}
