import Testing

@testable import sooke

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("http://a.example/x.ics", "a.example", 80, "http://a.example/x.ics"),
        ("HTTPS://a.example:8443/x?y=1#z", "a.example", 8443, "HTTPS://a.example:8443/x?y=1"),
        ("https://[2606:4700::1]/", "2606:4700::1", 443, "https://[2606:4700::1]/"),
        ("http://2130706433/", "2130706433", 80, "http://2130706433/"),
    ])
    func isRead(text: String, host: String, port: Int, whole: String) throws {
        let address = try #require(WebAddress(text))
        #expect(address.host == host && Int(address.port) == port && address.text == whole)
    }

    @Test(arguments: [
        "", "file:///etc/passwd", "gopher://a.example", "ftp://a.example/x", "https://", "https://u:p@a.example/",
        "https://a.example\\@b.example/", "https://a.example:99999/", "https://a b/", "https://a.example/\n",
        "//a.example/",
        "https://[::1", "https://a.example:80:80/", "https://ä.example/",
    ])
    func isRefused(text: String) { #expect(WebAddress(text) == nil) }
}
