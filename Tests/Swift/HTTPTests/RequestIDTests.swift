import Testing

@testable import HTTP

@Suite struct RequestIDTests {
    /// The ID that a client sends, and whether it is accepted.
    @Test(arguments: [
        ("a", true), ("71d2c8f0a94be035", true), ("A-z_0.9", true), (String(repeating: "x", count: 64), true),
        ("", false), (String(repeating: "x", count: 65), false), ("a b", false), ("a\"b", false), ("a,b", false),
        ("caf\u{E9}", false), ("a/b", false),
    ])
    func whatIsSent(_ sent: String, isTaken: Bool) {
        let head = RequestHead.read("GET / HTTP/1.1\r\nHost: a\r\nx-request-ID: \(sent)\r\n\r\n")
        let id = RequestID(head, connection: 1, number: 1)
        #expect(id.isReceived == isTaken)
        #expect((id.text == sent) == isTaken)
        #expect(isTaken || id.text.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    }

    @Test func newOnesDiffer() {
        let head = RequestHead()
        let ofConnections = (1...40).flatMap { connection in
            (0..<50).map { RequestID(head, connection: connection, number: $0).text }
        }
        #expect(Set(ofConnections).count == 2_000)
        #expect(ofConnections.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil })
        #expect(Set((0..<100).map { _ in RequestID().text }).count == 100)
    }
}

extension RequestHead {
    /// The head of a request that is given whole.
    static func read(_ text: String) -> RequestHead {
        var parser = RequestParser(limits: HTTPLimits())
        var offset = 0
        let bytes = Array(text.utf8)
        _ = parser.next(bytes.span, &offset)
        return parser.head
    }
}
