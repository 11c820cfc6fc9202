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

    /// Two texts are the same when their bytes are.
    @Test func textsAreComparedByTheirBytes() {
        let (one, other) = ("\u{E9}", "e\u{301}")
        #expect(!(one == other) && one != other && one == "\u{E9}")
        #expect(!(String?(one) == String?(other)) && String?(one) != other && String?(one) == one)
        let nothing: String? = nil
        #expect(!(nothing == String?(one)) && nothing == String?(nil))
        switch one {
        case "e\u{301}": Issue.record("it is not that one")
        default: break
        }
        #expect("a\u{301}b".hasPrefix("a") && "ab\u{301}".hasSuffix("\u{301}") && !"a".hasPrefix("ab"))
        #expect("a b\u{301},c,\n".split(at: ",", " ", "\n") == ["a", "b\u{301}", "c"])
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
