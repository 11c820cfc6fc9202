import Testing

@testable import sooke

@Suite struct LoadAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/api/v1/health", "127.0.0.1:8080", "/api/v1/health"),
        ("http://localhost", "localhost", "/"),
        ("http://127.0.0.1?page={1..2}", "127.0.0.1", "/?page={1..2}"),
        ("http://[::1]:99/a", "[::1]:99", "/a"),
        ("http://[::1]/", "[::1]", "/"),
    ])
    func reads(text: String, authority: String, target: String) throws {
        let address = try LoadAddress(text)
        #expect(address.authority == authority)
        #expect(address.target == target)
    }

    @Test(arguments: [
        "127.0.0.1:8080", "https://127.0.0.1/", "http://town.example/", "http://", "http://127.0.0.1:0/",
        "http://127.0.0.1:65536/", "http://127.0.0.1:/", "http://127.0.0.1:8x/", "http://[::1/", "http://::1/",
        "http://127.0.0.1/a b", "http://127.0.0.1/a#b", "http://ada@127.0.0.1/", "http://127.0.0.1/\r\nX: y",
    ])
    func refuses(text: String) throws {
        let error = try #require(throws: CommandError.self) { _ = try LoadAddress(text) }
        #expect(error.code == .usage)
    }
}
