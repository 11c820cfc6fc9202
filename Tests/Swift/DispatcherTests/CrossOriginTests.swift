import HTTP
import Testing

@testable import Dispatcher

@Suite struct CrossOriginTests {
    private func allows(_ origin: String, _ crossOrigin: CrossOrigin) throws -> String? {
        let request = try Request(.get, "/", headers: [("Origin", origin)])
        var response = Response(.ok)
        crossOrigin.allow(&response, for: request.headers)
        return response.headers.first("Access-Control-Allow-Origin")
    }

    @Test(
        arguments: [
            (["https://a.example"], "https://a.example", "https://a.example"),
            (["https://A.example"], "https://a.example", "https://a.example"),
            (["https://a.example"], "https://a.example:8443", nil), (["*"], "https://b.example", "*"),
            (["null"], "null", "null"), ([], "http://localhost:8080", nil),
        ] as [([String], String, String?)])
    func allowsTheNamedOrigins(names: [String], origin: String, allowed: String?) throws {
        #expect(try allows(origin, CrossOrigin(allowing: names)) == allowed)
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://localhost:3000", true), ("https://localhost:65535", true),
        ("http://127.0.0.1:5173", true), ("https://127.0.0.1", true), ("http://[::1]:8080", true),
        ("HTTP://LOCALHOST:3000", true), ("http://localhost.evil.example", false), ("http://localhost:", false),
        ("http://localhost:3000.evil.example", false), ("http://localhost:123456", false),
        ("http://localhost@evil.example", false), ("http://127.0.0.10", false), ("http://10.0.0.1", false),
        ("http://evil.example", false), ("ftp://localhost", false), ("null", false), ("", false),
    ])
    func allowsPagesFromThisMachine(origin: String, isAllowed: Bool) throws {
        #expect(try allows(origin, CrossOrigin(allowing: [], thisMachine: true)) == (isAllowed ? origin : nil))
        #expect(try allows(origin, CrossOrigin(allowing: [])) == nil)
    }

    /// The named origins are allowed besides.
    @Test func allowsBoth() throws {
        let crossOrigin = CrossOrigin(allowing: ["https://a.example"], thisMachine: true)
        #expect(try allows("https://a.example", crossOrigin) == "https://a.example")
        #expect(try allows("http://localhost:1", crossOrigin) == "http://localhost:1")
        var response = Response(.ok)
        crossOrigin.allowUnread(&response, for: try Request(.get, "/").headers)
        #expect(response.headers.first("Access-Control-Allow-Origin") == nil)
    }
}
