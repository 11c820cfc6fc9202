import Testing

@testable import Bytes

@Suite struct ResponseReaderTests {
    /// A response, its status and media type, and its body.
    static let responses: [(text: String, head: Head, body: String)] = [
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

    struct Head: Equatable {
        let status: Int
        let contentType: String
    }

    static func head(_ status: Int, _ type: String = "") -> Head {
        Head(status: status, contentType: type)
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
        ("", "it ended in the middle of its response"),
        ("HTTP/1.1 200 OK\r\nContent-Len", "it ended in the middle of its response"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "it ended in the middle of its response"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            "it ended in the middle of its response"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "the size of a chunk is no number"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n;x\r\n", "the size of a chunk is missing"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
            "the size of a chunk is no number"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", "a chunk is longer than it says"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "the length of its response is no number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n", "the length of its response is no number"),
        ("HTTP/1.1 99 Odd\r\n\r\n", "it does not speak HTTP"),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "it does not speak HTTP"),
        ("\r\n", "it does not speak HTTP"),
    ])
    func refuses(text: String, why: String) {
        #expect(throws: ResponseReader.Malformed(description: why)) { try read([Array(text.utf8)]) }
    }

    @Test func boundsTheHead() {
        let line = String(repeating: "x", count: ResponseReader.headLimit + 1)
        let fields = String(repeating: "A: b\r\n", count: ResponseReader.headLimit / 6 + 1)
        #expect(throws: ResponseReader.Malformed(description: "a line of it is too long")) {
            try read([Array(line.utf8)])
        }
        #expect(throws: ResponseReader.Malformed(description: "the fields of its response are too long")) {
            try read([Array("HTTP/1.1 200 OK\r\n\(fields)".utf8)])
        }
    }

    @Test func hasNoBodyAfterHead() throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        #expect(try read([Array(text.utf8)], isResponseToHEAD: true) == Outcome(head: Self.head(200), body: ""))
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\n\r\n", false),
    ])
    func tellsWhetherTheConnectionStays(text: String, stays: Bool) throws {
        var reader = ResponseReader()
        var offset = 0
        #expect(try reader.next(Array(text.utf8).span, &offset) == .head)
        #expect(reader.staysOpen == stays)
    }

    @Test func readsOneAfterAnother() throws {
        let bytes = Array(
            """
            HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi\
            HTTP/1.1 204 No Content\r\n\r\n
            """.utf8)
        var reader = ResponseReader()
        var offset = 0
        #expect(try reader.next(bytes.span, &offset) == .head)
        #expect(try reader.next(bytes.span, &offset) == .body(offset - 2..<offset))
        #expect(try reader.next(bytes.span, &offset) == .end)
        reader.reset()
        #expect(try reader.next(bytes.span, &offset) == .head)
        #expect(reader.status == 204 && reader.contentType.isEmpty && reader.staysOpen)
        #expect(try reader.next(bytes.span, &offset) == .end)
        #expect(offset == bytes.count)
    }

    private struct Outcome: Equatable {
        var head: Head?
        var body = ""
    }

    private func read(_ parts: [[UInt8]], isResponseToHEAD: Bool = false) throws -> Outcome {
        var reader = ResponseReader(isResponseToHEAD: isResponseToHEAD)
        var outcome = Outcome()
        var rest = parts[...]
        var (input, offset) = ([UInt8](), 0)
        while true {
            switch try reader.next(input.span, &offset) {
            case .head:
                let type = String(decoding: reader.contentType, as: UTF8.self)
                outcome.head = Head(status: reader.status, contentType: type)
            case .body(let part): outcome.body += String(decoding: input[part], as: UTF8.self)
            case .end: return outcome
            case .needsMore:
                #expect(offset == input.count)
                (input, offset) = (rest.popFirst() ?? [], 0)
                if input.isEmpty, rest.isEmpty { reader.close() }
            }
        }
    }
}
