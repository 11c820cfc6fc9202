import Testing

@testable import HTTP

@Suite struct RequestTests {
    @Test(arguments: [
        ("a=1", "a", "1"), ("a=1&a=2", "a", "1"), ("b=1", "a", nil), ("a", "a", ""), ("a=", "a", ""), ("", "a", nil),
        ("a=b=c", "a", "b=c"), ("a=b+c", "a", "b c"), ("a=b%20c", "a", "b c"), ("a=%2B", "a", "+"),
        ("a=caf%C3%A9", "a", "café"), ("a=caf%c3%a9", "a", "café"), ("%61=1", "a", "1"), ("a+b=1", "a b", "1"),
        ("&&a=1&", "a", "1"), ("=1", "a", nil), ("b=%&a=1", "a", "1"), ("%zz=2&a=1", "a", "1"), ("aa=2&a=1", "a", "1"),
        ("a=%26%3D", "a", "&="), ("a=b;c=d", "a", "b;c=d"), ("a=é", "a", "é"), ("a=?", "a", "?"),
    ])
    func firstOfQuery(_ query: String, _ name: String, _ wanted: String?) throws {
        let values = values(of: name, in: try Request(.get, "/x?\(query)"))
        #expect((values.first ?? nil) == wanted)
    }

    private func values(of name: String, in request: Request) -> [String?] {
        var values: [String?] = []
        request.query.forEachPair { if $0.isSame(as: name) { values.append($1.text) } }
        return values
    }

    @Test func allOfQuery() throws {
        let request = try Request(.get, "/x?t=a&u=b&t=&t=c%20d")
        #expect(values(of: "t", in: request) == ["a", "", "c d"])
        #expect(values(of: "v", in: request) == [])
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz"])
    func brokenValueHasNoText(_ query: String) throws {
        let request = try Request(.get, "/x?\(query)")
        #expect(values(of: "b", in: request) == [] && values(of: "a", in: request) == [nil])
        let error = #expect(throws: HTTPError.self) { try request.query.pairs() }
        #expect(error?.code == "invalid_parameter")
    }

    @Test(arguments: [
        ("/", [""]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("/a%2Fb/c%20d", ["a/b", "c d"]), ("/a+b", ["a+b"]),
        ("/a/../b", ["b"]),
    ])
    func segments(_ target: String, _ wanted: [String]) throws {
        #expect(try Request(.get, target).path.segments() == wanted)
    }

    @Test func headers() throws {
        let fields = [("If-None-Match", " \"a\" "), ("X-Two", "1"), ("x-two", "2")]
        let headers = try Request(.get, "/", headers: fields).headers
        #expect(headers.text("if-none-match") == "\"a\"")
        #expect(headers.text("IF-NONE-MATCH") == "\"a\"")
        #expect(headers.text("If-None") == nil)
        #expect(headers.all("X-TWO").map(Array.init) == [[0x31], [0x32]])
        #expect(headers.first("X-Two").map(Array.init) == [0x31])
        #expect(headers.count == 4)
    }
}
