import HTTP
import TestSupport
import Testing

@testable import Site

@Suite struct SubmissionTests {
    @Test(arguments: [
        ("a", "a"), (" a\tb \r\n", "a\tb"), ("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\n\rb", "a\n\nb"),
        ("a\r\r\nb", "a\n\nb"), ("\0", "\u{FFFD}"), ("", ""), (" \u{A0}\n", ""), ("e\u{301} ", "e\u{301}"),
    ])
    func textsAreAsFormsReturnThem(_ text: String, _ typed: String) {
        #expect(Array(text.typed.utf8) == Array(typed.utf8))
        #expect(text.typed.typed == text.typed)
    }

    @Test func aLongNameIsNone() throws {
        let body = [100, 101].map { String(repeating: "a", count: $0) + "=b" }.joined(separator: "&")
        let request = try Request(.post, "/", headers: [("Content-Type", "text/plain")], body: Array(body.utf8))
        #expect(try Submission(request).fields.map(\.name.utf8.count) == [100])
    }

    @Test func pairsAreDecoded() throws {
        let body = Array("a=1+2&b=%C3%A9&a=%26&c&was.a=x&=&%2B=y".utf8)
        let sent = try Submission(Request(.post, "/", headers: [("Content-Type", "text/plain")], body: body))
        #expect(sent["a"] == "1 2")
        #expect(sent.all("a") == ["1 2", "&"])
        #expect(sent["b"] == "é")
        #expect(sent["c"] == "")
        #expect(sent.before("a") == "x")
        #expect(sent["+"] == "y")
        #expect(sent["d"] == nil)
    }
}
