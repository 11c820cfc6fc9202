import HTTP
import Testing

@testable import sooke

@Suite struct RequestSourceTests {
    private func source(
        _ method: HTTP.Method = .get, _ targets: [String] = ["/a"], body: String? = nil,
        fields: [(name: String, value: String)] = [], seed: UInt64 = 1
    ) throws -> RequestSource {
        RequestSource(
            method: method, authority: "127.0.0.1:80", targets: try targets.map(RequestTemplate.init),
            body: try body.map(RequestTemplate.init), fields: fields, seed: seed)
    }

    private func next(_ source: inout RequestSource) -> String {
        var bytes: [UInt8] = []
        source.appendNext(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func writesAGet() throws {
        var source = try source(fields: [("Accept", "text/csv"), ("Authorization", "Bearer x")])
        let text = "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nAccept: text/csv\r\nAuthorization: Bearer x\r\n\r\n"
        #expect(next(&source) == text)
    }

    @Test func numbersBodies() throws {
        var source = try source(.patch, body: #"{"phone":"{n}"}"#)
        for number in ["1", "2"] {
            let body = #"{"phone":"\#(number)"}"#
            #expect(next(&source).hasSuffix("\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n\(body)"))
        }
    }

    @Test func leavesTheTypeOfTheBodyToTheCaller() throws {
        var source = try source(.post, body: "x", fields: [("content-type", "text/csv")])
        let text = "POST /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\ncontent-type: text/csv\r\nContent-Length: 1\r\n\r\nx"
        #expect(next(&source) == text)
    }

    @Test func drawsTargetsBySeed() throws {
        let targets = ["/a", "/b?page={1..9}", "/c"]
        var (first, second, other) = (
            try source(.get, targets), try source(.get, targets), try source(.get, targets, seed: 2)
        )
        let texts = (0..<50).map { _ in next(&first) }
        #expect(texts == (0..<50).map { _ in next(&second) })
        #expect(texts != (0..<50).map { _ in next(&other) })
        for path in ["/a", "/b", "/c"] { #expect(texts.contains { $0.hasPrefix("GET \(path)") }) }
    }

    @Test func checksFields() throws {
        let (name, value) = try RequestSource.checkedField("If-Match:  \"a:b\"")
        #expect(name == "If-Match" && value == "\"a:b\"")
        for text in ["Accept", ": x", "A b: c", "A: b\r\nC: d", ""] {
            #expect(throws: CommandError.self) { _ = try RequestSource.checkedField(text) }
        }
    }
}
