import Testing

@testable import HTTP

@Suite struct BoundAddressTests {
    @Test(arguments: [
        (BoundAddress.tcp(host: "127.0.0.1", port: 8080), "http://127.0.0.1:8080"),
        (.tcp(host: "::1", port: 8080), "http://[::1]:8080"),
        (.tcp(host: "localhost", port: 80), "http://localhost:80"),
        (.tcp(host: "2001:db8::7", port: 1), "http://[2001:db8::7]:1"),
        (.tcp(host: "0.0.0.0", port: 8080), "http://127.0.0.1:8080"),
        (.tcp(host: "::", port: 8080), "http://127.0.0.1:8080"),
        (.unix(path: "/run/sooke.sock"), "unix:/run/sooke.sock"),
    ])
    func isAURL(address: BoundAddress, url: String) {
        #expect("\(address)" == url)
    }
}
